import DNSWire
import Failures
import Testing

struct UncachedQueryTests {
    @Test(arguments: ["example.org", ".", "Mixed.Case.example", "a\\046b.example"])
    func `each query has a random label directly under the zone`(zone: String) throws {
        let zone = try DomainName(zone)
        var options = QueryOptions()
        options.dnssecOK = true
        let uncached = try UncachedQuery(under: zone, type: .aaaa, options: options)
        let queries = (0..<200).map { _ in uncached.next() }
        #expect(Set(queries.map(\.question.name)).count == 200)
        for query in queries {
            #expect(query.question.name.parent == zone)
            #expect(query.question.type == .aaaa)
            let label = try #require(query.question.name.description.split(separator: ".").first)
            #expect(label.hasPrefix("dnstempo-"))
            #expect(label.dropFirst(9).count >= 12)
            #expect(
                label.dropFirst(9).allSatisfy { "abcdefghijklmnopqrstuvwxyz234567".contains($0) }
            )
            // The sent bytes match the question.
            let bytes = query.bytes(id: 1)
            #expect(
                Array(bytes[12..<12 + query.question.name.wire.count]) == query.question.name.wire
            )
            #expect(bytes == (try Query(query.question, options: options)).bytes(id: 1))
        }
    }

    @Test func `a zone that is too long for a label is rejected by name`() throws {
        let long = String(repeating: "a234567890.", count: 22)
        let error = #expect(throws: Failure.self) {
            try UncachedQuery(under: DomainName(long), type: .a)
        }
        #expect(error?.description.contains("leaves no room") == true)
    }
}
