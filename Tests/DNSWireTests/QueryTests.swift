import DNSWire
import Failures
import Testing

struct QueryTests {
    /// Compared with what dnspython 2.8 sends.
    @Test func `a plain query has EDNS and asks for recursion`() throws {
        let query = try Query(Question(name: DomainName("example.org"), type: .a))
        #expect(
            query.bytes(id: 0x1234).hex
                == "123401000001000000000001076578616d706c65036f72670000010001"
                + "00002904d0000000000000"
        )
        #expect(query.size == 40)
    }

    @Test func `options request DNSSEC, the server's name and a client subnet`() throws {
        var options = QueryOptions()
        options.dnssecOK = true
        options.nsid = true
        options.clientSubnet = ClientSubnet(address: [192, 0, 2, 255], prefixLength: 25)
        let question = Question(name: try DomainName("example.org"), type: .aaaa)
        #expect(
            try Query(question, options: options).bytes(id: 0x1234).hex
                == "123401000001000000000001076578616d706c65036f726700001c0001"
                + "00002904d0000080000010000300000008000800011900c0000280"
        )
    }

    @Test func `flags, buffer size and an IPv6 network are set`() throws {
        var options = QueryOptions()
        options.bufferSize = 4096
        options.checkingDisabled = true
        options.authenticData = true
        let address: [UInt8] = [0x20, 0x01, 0x0d, 0xb8, 0, 1] + Array(repeating: 9, count: 10)
        options.clientSubnet = ClientSubnet(address: address, prefixLength: 48)
        let question = Question(name: try DomainName("xn--bcher-kva.example"), type: .txt)
        #expect(
            try Query(question, options: options).bytes(id: 0x1234).hex
                == "1234013000010000000000010d786e2d2d62636865722d6b7661076578616d706c6500001000"
                + "01000029100000000000000e0008000a0002300020010db80001"
        )
    }

    @Test(arguments: [
        (name: ".", type: "NS", question: "0000020001"),
        (
            name: "a\\046b.example", type: "TYPE65280",
            question: "03612e62076578616d706c6500ff000001"
        ),
        (name: "Example.ORG", type: "HTTPS", question: "074578616d706c65034f52470000410001"),
    ])
    func `a question keeps its letter case`(name: String, type: String, question: String) throws {
        let asked = Question(
            name: try DomainName(name),
            type: try #require(RecordType(mnemonic: type))
        )
        #expect(
            try Query(asked).bytes(id: 0xffff).hex
                == "ffff01000001000000000001\(question)00002904d0000000000000"
        )
    }

    @Test func `the names of a server are queried in class CHAOS`() throws {
        let question = Question(name: try DomainName("id.server"), type: .txt, recordClass: .chaos)
        let query = try Query(question)
        #expect(
            query.bytes(id: 0x1234).hex
                == "12340100000100000000000102696406736572766572000010000300002904d0000000000000"
        )
        // The same question in class IN is another.
        var answer = query.bytes(id: 0x1234)
        answer[2] = 0x81
        answer[26] = 1
        #expect(query.read(answer.span, id: 0x1234) == .stray(.wrongQuestion))
    }

    @Test(arguments: ["OPT", "AXFR", "IXFR", "ANY", "TSIG", "TYPE0"])
    func `meta types are not queried`(type: String) throws {
        let question = Question(
            name: try DomainName("example.org"),
            type: try #require(RecordType(mnemonic: type))
        )
        let error = #expect(throws: Failure.self) { try Query(question) }
        #expect(error?.description.contains("example.org \(question.type) is refused") == true)
    }

    @Test func `a message over TCP has its length in front`() throws {
        let query = try Query(Question(name: DomainName("example.org"), type: .a))
        let framed = unsafe query.withBytes(id: 7, tcpPrefix: true) { unsafe [UInt8]($0) }
        #expect(framed == [0, UInt8(query.size)] + query.bytes(id: 7))
    }

    @Test func `a buffer size below 512 is not announced`() throws {
        var options = QueryOptions()
        options.bufferSize = 100
        let question = Question(name: try DomainName("example.org"), type: .a)
        #expect(try Query(question, options: options).bytes(id: 0).hex.contains("0000290200"))
    }

    @Test func `a query without EDNS ends after its question`() throws {
        var options = QueryOptions()
        (options.bufferSize, options.nsid, options.dnssecOK) = (0, true, true)
        let question = Question(name: try DomainName("example.org"), type: .aaaa)
        let message = try Query(question, options: options).bytes(id: 0x1234)
        // RFC 1035 §4.1.1: RD, one question, and nothing else.
        #expect(message.hex.hasPrefix("123401000001000000000000"))
        #expect(message.hex.hasSuffix("076578616d706c65036f726700001c0001"))
        #expect(message.count == 12 + 13 + 4)
    }

    @Test func `a query without EDNS has no padding and no cookie`() throws {
        let question = Question(name: try DomainName("example.org"), type: .a)
        let query = try Query(question, options: .withoutEDNS)
        let padded = query.carrying(DNSCookie()).padded(toMultipleOf: 128)
        #expect(padded.bytes(id: 1) == query.bytes(id: 1))
        #expect(padded.cookie == nil)
    }

    /// Compared with what dnspython 2.8 sends.
    @Test func `recursion can be cleared, and options can be added`() throws {
        var options = QueryOptions()
        options.recursionDesired = false
        options.parameters = [
            try #require(EDNSParameter(parsing: "65001:00ff")),
            try #require(EDNSParameter(parsing: "11:")),
        ]
        let question = Question(name: try DomainName("example.org"), type: .a)
        let query = try Query(question, options: options)
        #expect(
            query.bytes(id: 0x1234).hex
                == "123400000001000000000001076578616d706c65036f72670000010001"
                + "00002904d000000000000afde9000200ff000b0000"
        )
        #expect(
            query.carrying(DNSCookie(client: 0x0102_0304_0506_0708)).bytes(id: 0x1234).hex
                == "123400000001000000000001076578616d706c65036f72670000010001"
                + "00002904d0000000000016fde9000200ff000b0000000a00080102030405060708"
        )
    }

    @Test(arguments: ["", "65001", ":00", "65536:00", "1:0", "1:0g", "-1:00", "1:00:00", "x:00"])
    func `an option is a code and bytes`(text: String) {
        #expect(EDNSParameter(parsing: text) == nil)
    }

    @Test func `the longest name fits`() throws {
        let label = String(repeating: "a", count: 63)
        let name = try DomainName(
            [label, label, label, String(label.dropLast(2))].joined(separator: ".")
        )
        let query = try Query(Question(name: name, type: .a))
        #expect(name.wire.count == 255)
        #expect(query.size == 12 + 255 + 4 + 11)
        #expect(query.bytes(id: 1).count == query.size)
    }
}
