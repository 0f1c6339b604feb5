import Testing

@testable import DNSWire

/// Wire forms from RFC 9460, appendix D.
struct ServiceBindingTests {
    private static let target = "03666f6f076578616d706c6503636f6d00"
    private static let first = "000100"

    private static func binding(_ hex: String) throws -> ServiceBinding {
        try ServiceBinding(#require([UInt8](hex: hex)))
    }

    @Test func `an alias has a target`() throws {
        let binding = try Self.binding("0000" + Self.target)
        #expect(binding.priority == 0)
        #expect(binding.target == "foo.example.com")
    }

    @Test func `an empty target name is the owner's name`() throws {
        #expect(try Self.binding(Self.first) == ServiceBinding(priority: 1, target: ""))
    }

    @Test func `a port is read`() throws {
        #expect(try Self.binding("0010" + Self.target + "000300020035").port == 53)
    }

    @Test func `unknown parameters are skipped`() throws {
        let binding = try Self.binding("0001" + Self.target + "029b000568656c6c6f")
        #expect(binding == ServiceBinding(priority: 1, target: "foo.example.com"))
    }

    @Test func `addresses are read`() throws {
        let hex =
            "0001" + Self.target
            + "0006002020010db800000000000000000000000120010db8000000000000000000530001"
        let binding = try Self.binding(hex)
        #expect(
            binding.addresses.map(\.hex) == [
                "20010db8000000000000000000000001", "20010db8000000000000000000530001",
            ]
        )
    }

    @Test func `a record is usable if its mandatory parameters are known`() throws {
        let hex =
            "0010036f6f6f076578616d706c65036f726700"
            + "00000004000100040001000902683205" + "68332d3139" + "00040004c0000201"
        let binding = try Self.binding(hex)
        #expect(!binding.isUnusable)
        #expect(binding.target == "ooo.example.org")
        #expect(binding.protocols == ["h2", "h3-19"])
        #expect(binding.addresses == [[192, 0, 2, 1]])
    }

    @Test func `a record is unusable if a mandatory parameter is unknown`() throws {
        #expect(try Self.binding(Self.first + "00000002029b" + "029b0000").isUnusable)
    }

    @Test func `a path template is read`() throws {
        let binding = try Self.binding(Self.first + "000700102f646e732d71756572797b3f646e737d")
        #expect(binding.path == "/dns-query{?dns}")
    }

    @Test func `control sequences are escaped`() throws {
        let binding = try Self.binding("0001031b2e6100" + "0001000201" + "1b")
        #expect(binding.target == "\\027\\046a")
        #expect(binding.protocols == ["\\027"])
    }

    @Test(arguments: [
        "", "00", "0001", "000103", "000140", "0001c00c",  // no name
        "0001000003",  // no length
        "00010000030002", "000100000300020035ff", "00010000030001ff", "000100000300033500ff",
        "000100" + "00030002" + "0035" + "00030002" + "0035",  // twice
        "000100" + "00030002" + "0035" + "000100020161",  // out of order
        "000100" + "00010000", "000100" + "0001000100", "000100" + "0001000205" + "61",
        "000100" + "00040003" + "c00002", "000100" + "00040000", "000100" + "0006000420010db8",
        "000100" + "000000010a",
    ])
    func `malformed data is rejected`(hex: String) throws {
        let data = try #require([UInt8](hex: hex))
        #expect(throws: Malformation.self) { try ServiceBinding(data) }
    }

    @Test func `hostile data is read without a crash`() throws {
        let whole = try #require(
            [UInt8](
                hex: "0001" + Self.target + "00010003026832" + "000300020035" + "00040004c0000201"
            )
        )
        for count in whole.indices {
            _ = try? ServiceBinding(Array(whole.prefix(count)))
            var damaged = whole
            damaged[count] ^= 0xff
            _ = try? ServiceBinding(damaged)
        }
    }
}
