import DNSWire
import Testing

@Suite struct KeepaliveTests {
    private static func query() throws -> Query {
        var options = QueryOptions()
        options.keepalive = true
        return try Query(Question(name: DomainName("example.org"), type: .a), options: options)
    }

    @Test func `the query requests the timeout without data`() throws {
        #expect(try Self.query().bytes(id: 1).suffix(4) == [0, 11, 0, 0])
    }

    @Test(arguments: [
        (data: [0, 150] as [UInt8], timeout: 15_000 as Int?), ([0xff, 0xff], 6_553_500),
        ([], nil), ([1], nil), ([0, 1, 2], nil),
    ])
    func `the stated timeout is in units of 100 ms`(data: [UInt8], timeout: Int?) throws {
        let query = try Self.query()
        var answer = Array(query.bytes(id: 7).prefix(12 + 13 + 4))
        answer[2] = 0x81
        answer += [0, 0, 41, 4, 0xd0, 0, 0, 0, 0, 0, UInt8(data.count + 4)]
        answer += [0, 11, 0, UInt8(data.count)] + data
        guard case .response(let response) = query.read(answer.span, id: 7) else {
            Issue.record("not a response")
            return
        }
        #expect(response.keepalive == timeout)
    }
}
