import DNSWire
import Fixtures
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

    @Test func `the case bits repeat after 64 letters`() throws {
        let label = String(repeating: "a", count: 40)
        let sent = name(in: try query("\(label).\(label)").bytes(id: 0, caseBits: 1))
        #expect(sent.enumerated().filter { $0.element == "A" }.map(\.offset).count == 2)
    }

    @Test func `an answer in another letter case is accepted and flagged`() throws {
        let query = try query("www.example.org")
        var generator = SplitMix64(seed: 0x4d)
        for _ in 0..<100 {
            let bits = query.caseBits(using: &generator)
            var echo = query.bytes(id: 9, caseBits: bits)
            echo[2] |= 0x80
            for (sent, isChanged) in [(bits, false), (bits ^ 4, true)] {
                guard case .response(let response) = query.read(echo.span, id: 9, caseBits: sent)
                else {
                    Issue.record("an answer to its name is refused")
                    return
                }
                #expect(response.changesCase == isChanged)
            }
        }
    }

    @Test(arguments: ["WWW.Example.COM", "www.example.com", "a-1_[x]{y}.example"])
    func `a resolver may write the name in lower or upper case`(name: String) throws {
        let query = try query(name, randomCase: false)
        let sent = query.bytes(id: 9)
        let nameEnd = 12 + query.question.name.wire.count
        for fold in [{ $0 | 0x20 }, { $0 & ~0x20 }] as [(UInt8) -> UInt8] {
            var echo = sent
            echo[2] |= 0x80
            for index in 12..<nameEnd where (0x61...0x7a).contains(echo[index] | 0x20) {
                echo[index] = fold(echo[index])
            }
            guard case .response(let response) = query.read(echo.span, id: 9) else {
                Issue.record("an answer to its name is refused")
                return
            }
            #expect(response.changesCase == (echo[12..<nameEnd] != sent[12..<nameEnd]))
        }
    }

    /// Bytes that are not letters. They differ from the name's bytes in the bit that distinguishes
    /// lower case from upper case.
    @Test(
        arguments: [("a[b.example", 0x5b, 0x7b), ("a-b.example", 0x2d, 0x0d)]
            as [(String, UInt8, UInt8)]
    )
    func `the case bits change only letters`(name: String, octet: UInt8, other: UInt8) throws {
        let query = try query(name, randomCase: false)
        var echo = query.bytes(id: 9)
        echo[2] |= 0x80
        let place = try #require(echo[12...].firstIndex(of: octet))
        echo[place] = other
        #expect(query.read(echo.span, id: 9) == .stray(.wrongQuestion))
        // Type and class, which follow the name, do not ignore this bit either.
        var type = query.bytes(id: 9)
        type[2] |= 0x80
        type[12 + query.question.name.wire.count + 1] ^= 0x20
        #expect(query.read(type.span, id: 9) == .stray(.wrongQuestion))
    }

    @Test func `random case bits require the option`() throws {
        var generator = SplitMix64(seed: 0x5e)
        #expect(try query("example.org", randomCase: false).caseBits(using: &generator) == 0)
        let mixed = try query("example.org")
        let drawn = Set((0..<100).map { _ in mixed.caseBits(using: &generator) })
        #expect(drawn.count == 100)
    }
}
