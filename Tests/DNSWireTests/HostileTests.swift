import DNSWire
import Fixtures
import Testing

/// Hostile messages. No byte beyond the end of a message is read, and no answer to another question
/// is accepted.
struct HostileTests {
    @Test(arguments: Fixture.whole)
    func `changed responses are never accepted for another question`(fixture: Fixture) throws {
        let query = try Query(fixture.question)
        let page = try GuardedPages(capacity: 8192)
        var generator = SplitMix64(seed: 0x1d)
        for _ in 0..<2_000 {
            let octets = fixture.octets.mutated(using: &generator)
            let reading = unsafe page.withGuarded(octets) { message in
                unsafe query.read(message, id: Fixture.queryID)
            }
            guard case .response = reading else { continue }
            #expect(echoesQuestion(octets, of: query), "\(octets.hex)")
        }
    }

    @Test func `random bytes after a valid question are read safely`() throws {
        let fixture = try #require(Fixture.whole.first { $0.name == "two-addresses" })
        let query = try Query(fixture.question)
        let page = try GuardedPages(capacity: 8192)
        let question = fixture.octets.prefix(12 + fixture.question.name.wire.count + 4)
        var generator = SplitMix64(seed: 0x2b)
        var types: [UInt16] = Array(0...65) + Array(99...109) + [249, 250, 256, 257, 260, 32769]
        types.shuffle(using: &generator)
        for round in 0..<50_000 {
            let type = types[round % types.count]
            let data = (0..<Int.random(in: 0...60, using: &generator)).map { _ in
                UInt8.random(in: 0...255, using: &generator)
            }
            let cut = Int.random(in: 0...3, using: &generator) == 0 ? 1 : 0
            var octets = Array(question)
            octets += [0xc0, 12, UInt8(type >> 8), UInt8(type & 0xff), 0, 1, 0, 0, 0, 9]
            octets += [0, UInt8(data.count + cut)] + data
            let reading = unsafe page.withGuarded(octets) { message in
                unsafe query.read(message, id: Fixture.queryID)
            }
            #expect(!reading.summary.hasPrefix("stray"))
        }
    }

    @Test func `a long chain of pointers is not followed`() throws {
        let query = try Query(Question(name: DomainName("example.org"), type: .a))
        var octets = try #require([UInt8](hex: "1234818000010fa000000000"))
        octets += query.question.name.wire + [0, 1, 0, 1]
        // The data of the first record: a name, then pointers, each to the pointer before it.
        let data = octets.count + 12
        octets += [0xc0, 12, 0xff, 0, 0, 1, 0, 0, 0, 0, 0x3e, 0x80, 0, 0]
        for position in stride(from: data, to: data + 0x3e7c, by: 2) {
            octets += [0xc0 | UInt8(position >> 8), UInt8(position & 0xff)]
        }
        let last = data + 0x3e7e
        octets += [0, 0]
        for _ in 0..<3999 {
            octets += [0xc0 | UInt8((last - 2) >> 8), UInt8((last - 2) & 0xff)]
            octets += [0, 1, 0, 1, 0, 0, 0, 0, 0, 4, 127, 0, 0, 1]
        }
        let reading = query.read(octets.span, id: 0x1234)
        #expect(reading.summary == "malformed has a name whose pointers do not lead back to one")
    }

    private func echoesQuestion(_ octets: [UInt8], of query: Query) -> Bool {
        let sent = query.bytes(id: Fixture.queryID)
        guard octets.prefix(2) == sent.prefix(2), octets[2] & 0xf8 == 0x80 else { return false }
        if octets[4..<6] == [0, 0] { return [1, 2, 4, 5].contains(octets[3] & 0xf) }
        let question = 12..<16 + query.question.name.wire.count
        return octets.count >= question.upperBound
            && zip(octets[question], sent[question]).allSatisfy { received, sent in
                let isLetter = (0x61...0x7a).contains(sent | 0x20)
                return received == sent || isLetter && received == sent ^ 0x20
            }
    }
}
