import DNSWire
import Testing

struct RegistryTests {
    @Test(arguments: [
        (text: "A", value: 1), (text: "aaaa", value: 28), (text: "Https", value: 65),
        (text: "SVCB", value: 64), (text: "TYPE65", value: 65), (text: "type65280", value: 65280),
        (text: "DLV", value: 32769), (text: "nsap-ptr", value: 23),
    ])
    func `a record type is known by name or number`(text: String, value: UInt16) {
        #expect(RecordType(mnemonic: text)?.rawValue == value)
    }

    @Test(arguments: [
        "", "B", "TYPE", "TYPE65536", "TYPE-1", "TYPE+1", "TYPE 1", "A ", "Ａ", "TYPE१",
    ])
    func `an unknown record type is rejected`(text: String) {
        #expect(RecordType(mnemonic: text) == nil)
    }

    @Test func `every record type is read back from its description`() {
        for value in UInt16.min...UInt16.max {
            let type = RecordType(rawValue: value)
            #expect(RecordType(mnemonic: type.description) == type)
        }
        #expect(RecordType(rawValue: 65).description == "HTTPS")
        #expect(RecordType(rawValue: 54).description == "TYPE54")
    }

    @Test func `meta types are rejected in ordinary questions`() {
        let refused = (UInt16.min...UInt16.max).filter { !RecordType(rawValue: $0).isQueryable }
        #expect(refused == [0, 41] + Array(128...255))
    }

    @Test(arguments: [
        (text: "noerror", value: 0), (text: "NXDOMAIN", value: 3), (text: "BADVERS", value: 16),
        (text: "NOTIMP", value: 4), (text: "RCODE12", value: 12), (text: "rcode4095", value: 4095),
    ])
    func `a response code is known by name or number`(text: String, value: UInt16) {
        #expect(ResponseCode(mnemonic: text)?.rawValue == value)
    }

    @Test(arguments: ["", "OK", "RCODE", "RCODE4096", "RCODE-1"])
    func `an unknown response code is rejected`(text: String) {
        #expect(ResponseCode(mnemonic: text) == nil)
    }

    @Test func `every response code is read back from its description`() {
        for value in UInt16(0)...4095 {
            let code = ResponseCode(rawValue: value)
            #expect(ResponseCode(mnemonic: code.description) == code)
        }
        #expect(ResponseCode(rawValue: 16).description == "BADVERS")
        #expect(ResponseCode(rawValue: 15).description == "RCODE15")
    }

    @Test(arguments: [
        (address: "c00002ff", prefix: 25, network: "c0000280"),
        (address: "c00002ff", prefix: 0, network: "00000000"),
        (address: "c00002ff", prefix: 32, network: "c00002ff"),
        (
            address: "20010db8ffffffffffffffffffffffff", prefix: 36,
            network: "20010db8f00000000000000000000000"
        ),
    ])
    func `bits after the prefix are zero`(address: String, prefix: UInt8, network: String) throws {
        let octets = try #require([UInt8](hex: address))
        #expect(ClientSubnet(address: octets, prefixLength: prefix)?.address.hex == network)
    }

    @Test(arguments: [(octets: 4, prefix: 33), (octets: 16, prefix: 129), (octets: 5, prefix: 8)])
    func `an impossible network is rejected`(octets: Int, prefix: UInt8) {
        let address = [UInt8](repeating: 1, count: octets)
        #expect(ClientSubnet(address: address, prefixLength: prefix) == nil)
    }

    @Test(arguments: [
        (octets: "6e73312e6672610a", text: "ns1.fra\\010"),
        (octets: "1b5b33316d", text: "\\027[31m"),
        (octets: "5c20227e7f", text: "\\092 \"~\\127"),
        (octets: "c3a9", text: "\\195\\169"),
        (octets: "", text: ""),
    ])
    func `bytes from the network are printed as ASCII`(octets: String, text: String) throws {
        #expect(PresentationText.escaped(try #require([UInt8](hex: octets))) == text)
    }
}
