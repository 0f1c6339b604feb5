/// A resource record type, identified by its number on the wire.
///
/// Source: the IANA registry "Resource Record (RR) TYPEs".
package struct RecordType: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
    package var rawValue: UInt16

    package init(rawValue: UInt16) { self.rawValue = rawValue }

    /// Reads a mnemonic or `TYPE123` (RFC 3597 §5), in any letter case; `nil` if it is unknown.
    package init?(mnemonic: String) {
        guard let number = Self.mnemonics.number(of: mnemonic) else { return nil }
        rawValue = number
    }

    package static let a = RecordType(rawValue: 1)
    package static let mx = RecordType(rawValue: 15)
    package static let txt = RecordType(rawValue: 16)
    package static let aaaa = RecordType(rawValue: 28)
    package static let opt = RecordType(rawValue: 41)
    package static let rrsig = RecordType(rawValue: 46)
    package static let svcb = RecordType(rawValue: 64)
    package static let https = RecordType(rawValue: 65)

    /// Whether an ordinary query can ask for the type. Zero, OPT, and the meta and query types (RFC
    /// 6895 §3.1: 128 to 255), such as AXFR and ANY, are excluded.
    package var isQueryable: Bool {
        rawValue != 0 && self != .opt && !(128...255).contains(rawValue)
    }

    /// The types with a mnemonic, in the order of their numbers.
    package static var named: [RecordType] {
        mnemonics.known.map { RecordType(rawValue: $0) }
    }

    /// The mnemonic, or `TYPE123` without a mnemonic (RFC 3597 §5).
    package var description: String { Self.mnemonics.text(of: rawValue) }

    /// ldns's own table lacks the types that ldns cannot parse, and some of its types depend on how
    /// it was built.
    private static let mnemonics = Mnemonics(
        prefix: "TYPE",
        names: [
            1: "A", 2: "NS", 3: "MD", 4: "MF", 5: "CNAME", 6: "SOA", 7: "MB", 8: "MG", 9: "MR",
            10: "NULL", 11: "WKS", 12: "PTR", 13: "HINFO", 14: "MINFO", 15: "MX", 16: "TXT",
            17: "RP", 18: "AFSDB", 19: "X25", 20: "ISDN", 21: "RT", 22: "NSAP", 23: "NSAP-PTR",
            24: "SIG", 25: "KEY", 26: "PX", 27: "GPOS", 28: "AAAA", 29: "LOC", 30: "NXT", 31: "EID",
            32: "NIMLOC", 33: "SRV", 34: "ATMA", 35: "NAPTR", 36: "KX", 37: "CERT", 38: "A6",
            39: "DNAME", 40: "SINK", 41: "OPT", 42: "APL", 43: "DS", 44: "SSHFP", 45: "IPSECKEY",
            46: "RRSIG", 47: "NSEC", 48: "DNSKEY", 49: "DHCID", 50: "NSEC3", 51: "NSEC3PARAM",
            52: "TLSA", 53: "SMIMEA", 55: "HIP", 56: "NINFO", 57: "RKEY", 58: "TALINK", 59: "CDS",
            60: "CDNSKEY", 61: "OPENPGPKEY", 62: "CSYNC", 63: "ZONEMD", 64: "SVCB", 65: "HTTPS",
            66: "DSYNC", 67: "HHIT", 68: "BRID", 99: "SPF", 100: "UINFO", 101: "UID", 102: "GID",
            103: "UNSPEC", 104: "NID", 105: "L32", 106: "L64", 107: "LP", 108: "EUI48",
            109: "EUI64", 128: "NXNAME", 249: "TKEY", 250: "TSIG", 251: "IXFR", 252: "AXFR",
            253: "MAILB", 254: "MAILA", 255: "ANY", 256: "URI", 257: "CAA", 258: "AVC", 259: "DOA",
            260: "AMTRELAY", 261: "RESINFO", 262: "WALLET", 263: "CLA", 264: "IPN", 32768: "TA",
            32769: "DLV",
        ]
    )
}

/// A class of resource records, identified by its number on the wire (RFC 1035 §3.2.4).
package struct RecordClass: RawRepresentable, Hashable, Sendable, Codable {
    package var rawValue: UInt16

    package init(rawValue: UInt16) { self.rawValue = rawValue }

    /// Reads `IN`, `CH` or `HS`, in any letter case; `nil` for any other text.
    package init?(mnemonic: String) {
        switch mnemonic.uppercased() {
        case "IN": self = .internet
        case "CH": self = .chaos
        case "HS": self = .hesiod
        default: return nil
        }
    }

    package static let internet = RecordClass(rawValue: 1)
    /// The class in which name servers identify themselves (RFC 4892 §3).
    package static let chaos = RecordClass(rawValue: 3)
    /// RFC 1035 §3.2.4.
    package static let hesiod = RecordClass(rawValue: 4)
}

/// The mnemonics of an IANA registry, for the numbers of one field on the wire.
struct Mnemonics {
    /// The word before a number without a mnemonic.
    private let prefix: String
    private let names: [UInt16: String]
    private let numbers: [String: UInt16]

    init(prefix: String, names: [UInt16: String]) {
        self.prefix = prefix
        self.names = names
        numbers = Dictionary(uniqueKeysWithValues: names.map { ($0.value, $0.key) })
    }

    /// The numbers with a mnemonic, ascending.
    var known: [UInt16] { names.keys.sorted() }

    func text(of number: UInt16) -> String { names[number] ?? "\(prefix)\(number)" }

    /// The number of a mnemonic, or of the prefix with a number, in any letter case; `nil` for any
    /// other text.
    func number(of text: String) -> UInt16? {
        let text = text.uppercased()
        if let number = numbers[text] { return number }
        let digits = text.dropFirst(prefix.count)
        guard text.hasPrefix(prefix), digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return UInt16(digits)
    }
}
