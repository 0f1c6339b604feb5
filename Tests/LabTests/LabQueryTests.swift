import DNSWire
import Testing

@testable import Lab

struct LabQueryTests {
    /// A query with ID 1, the RD bit, and the question `. A IN`.
    private static let root: [UInt8] = [0, 1, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1]

    @Test func `every truncated query is ignored`() throws {
        let query = try Query.example { $0.nsid = true }.bytes(id: 9)
        #expect(LabQuery(query)?.edns?.asksSite == true)
        for length in query.indices { #expect(LabQuery(Array(query[..<length])) == nil) }
    }

    @Test(
        arguments: [
            (offset: 2, octet: 0x81, reason: "is a response"),
            (offset: 5, octet: 0, reason: "has no question"),
            (offset: 5, octet: 2, reason: "promises a second question"),
            (offset: 7, octet: 1, reason: "promises an answer"),
            (offset: 9, octet: 1, reason: "promises an authority"),
            (offset: 11, octet: 1, reason: "promises an OPT record"),
            (offset: 12, octet: 0xC0, reason: "compresses its question"),
            (offset: 12, octet: 0x40, reason: "has a label of an unknown kind"),
            (offset: 12, octet: 63, reason: "has a label beyond its end"),
        ] as [(offset: Int, octet: UInt8, reason: String)]
    )
    func `a malformed query is ignored`(offset: Int, octet: UInt8, reason: String) {
        var message = Self.root
        #expect(LabQuery(message) != nil)
        message[offset] = octet
        #expect(LabQuery(message) == nil, "\(reason)")
    }

    @Test func `a query with bytes after it is ignored`() {
        #expect(LabQuery(Self.root + [0]) == nil)
    }

    @Test func `a name of more than 255 bytes is ignored`() {
        let label: [UInt8] = [63] + [UInt8](repeating: 97, count: 63)
        let name = [label, label, label, label].flatMap { $0 }
        let message = Array(Self.root[..<12]) + name + Array(Self.root[12...])
        #expect(LabQuery(message) == nil)
    }

    @Test func `an option that is longer than its record is ignored`() {
        var message = Self.root
        message[11] = 1
        message += [0, 0, 41, 4, 208, 0, 0, 0, 0, 0, 4, 0, 3, 0, 1]
        #expect(LabQuery(message) == nil)
    }

    @Test func `random bytes do not stop the lab`() {
        var generator = SplitMix64(seed: 5, stream: 0)
        for _ in 0..<20_000 {
            var message = Self.root
            for _ in 0..<3 {
                message[generator.index(below: message.count)] = UInt8(generator.next() & 0xff)
            }
            var resolver = SimulatedResolver(.plain())
            for reply in resolver.replies(to: message, over: .udp, at: 0) {
                #expect(reply.message.starts(with: message[..<2]))
            }
        }
    }

    @Test func `an identity query in class CHAOS returns the resolver's name`() throws {
        let name: [UInt8] = [2] + Array("id".utf8) + [6] + Array("server".utf8) + [0]
        let message = Array(Self.root[..<12]) + name + [0, 16, 0, 3]
        var resolver = SimulatedResolver(.plain())
        let reply = try #require(resolver.replies(to: message, over: .udp, at: 0).first)
        #expect(reply.message.suffix(6) == [5] + Array("brook".utf8))
        #expect(reply.message[7] == 1)
    }

    @Test func `an unknown opcode is answered with NOTIMP`() throws {
        var message = Self.root
        message[2] |= 0x20
        var resolver = SimulatedResolver(.plain())
        let reply = try #require(resolver.replies(to: message, over: .udp, at: 0).first)
        #expect(reply.message[3] & 0xF == 4)
        #expect(reply.message[2] == message[2] | 0x80)
    }
}
