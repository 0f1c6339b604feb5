import DNSWire
import Testing

struct CaseBitsTests {
    private func query(_ name: String, randomCase: Bool = true) throws -> Query {
        var options = QueryOptions()
        options.randomCase = randomCase
        return try Query(Question(name: DomainName(name), type: .a), options: options)
    }

    private func name(in message: [UInt8]) -> String {
        String(decoding: message.dropFirst(12).prefix { $0 != 0 }, as: UTF8.self)
            .filter { !$0.isASCII || !($0.asciiValue ?? 0 < 32) }
    }

    @Test func `each bit changes the case of one letter`() throws {
        let query = try query("a1-bC.De")
        #expect(name(in: query.bytes(id: 0, caseBits: 0b00000)) == "a1-bCDe")
        #expect(name(in: query.bytes(id: 0, caseBits: 0b00001)) == "A1-bCDe")
        #expect(name(in: query.bytes(id: 0, caseBits: 0b01110)) == "a1-Bcde")
        #expect(name(in: query.bytes(id: 0, caseBits: 0b11111)) == "A1-BcdE")
    }

    @Test func `the bits begin again after 64 letters`() throws {
        let label = String(repeating: "a", count: 40)
        let sent = name(in: try query("\(label).\(label)").bytes(id: 0, caseBits: 1))
        #expect(sent.enumerated().filter { $0.element == "A" }.map(\.offset).count == 2)
    }

    @Test func `only the case that was sent is accepted`() throws {
        let query = try query("www.example.org")
        var generator = SplitMix64(seed: 0x4d)
        for _ in 0..<100 {
            let bits = query.caseBits(using: &generator)
            var echo = query.bytes(id: 9, caseBits: bits)
            echo[2] |= 0x80
            guard case .response = query.read(echo.span, id: 9, caseBits: bits) else {
                Issue.record("its own case is refused")
                return
            }
            let other = query.read(echo.span, id: 9, caseBits: bits ^ 4)
            #expect(other == .stray(.wrongQuestion))
        }
    }

    @Test func `bits are drawn only where asked for`() throws {
        var generator = SplitMix64(seed: 0x5e)
        #expect(try query("example.org", randomCase: false).caseBits(using: &generator) == 0)
        let mixed = try query("example.org")
        let drawn = Set((0..<100).map { _ in mixed.caseBits(using: &generator) })
        #expect(drawn.count == 100)
    }
}
