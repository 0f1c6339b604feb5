import DNSWire
import Fixtures
import Testing

/// Messages whose query is unknown.
struct RecordedMessageTests {
    @Test(arguments: Fixture.all)
    func `a response without its query is read as far as possible`(fixture: Fixture) throws {
        let known = try fixture.read(fixture.octets).summary
        let recorded = Reading(recorded: fixture.octets).summary
        // Without the query, a reading cannot recognise a response to another query, an unrequested
        // server name, or a changed letter case.
        if known.hasPrefix("stray") || known.contains("question") { return }
        if ["unasked-server-identifier", "other-case"].contains(fixture.name) { return }
        #expect(recorded == known)
    }

    @Test(arguments: ["example.com", ".", "a\\000b.test", String(repeating: "a.", count: 127)])
    func `a question is compared with the query`(name: String) throws {
        let question = Question(name: try DomainName(name), type: .https, recordClass: .chaos)
        let message = try Query(question).bytes(id: 7)
        #expect(Question(of: message) == question)
        #expect(Reading(recorded: message) == .stray(.notAResponse))
        for length in 0..<12 + question.name.wire.count + 4 {
            #expect(Question(of: Array(message.prefix(length))) == nil)
        }
    }

    @Test func `random bytes are read safely`() {
        var generator = SplitMix64(seed: 7)
        for length in 0..<600 {
            var octets = (0..<length).map { _ in UInt8.random(in: .min ... .max, using: &generator)
            }
            if length > 2 { octets[2] |= 0x80 }
            if length > 5 { (octets[4], octets[5]) = (0, 1) }
            _ = Question(of: octets)
            _ = Reading(recorded: octets)
        }
    }
}
