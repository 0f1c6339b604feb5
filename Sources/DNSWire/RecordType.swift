/// A resource record type, as its number on the wire.
///
/// Source: the IANA registry "Resource Record (RR) TYPEs".
public struct RecordType: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    public var rawValue: UInt16

    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// Reads a mnemonic or `TYPE123` (RFC 3597 §5), in any case; `nil` where it is unknown.
    public init?(mnemonic: String) {
        let text = mnemonic.uppercased()
        if let value = Self.values[text] {
            self.init(rawValue: value)
        } else if text.hasPrefix("TYPE"), let value = UInt16(digits: text.dropFirst(4)) {
            self.init(rawValue: value)
        } else {
            return nil
        }
    }

    public static let a = RecordType(rawValue: 1)
    public static let ns = RecordType(rawValue: 2)
    public static let cname = RecordType(rawValue: 5)
    public static let soa = RecordType(rawValue: 6)
    public static let ptr = RecordType(rawValue: 12)
    public static let mx = RecordType(rawValue: 15)
    public static let txt = RecordType(rawValue: 16)
    public static let aaaa = RecordType(rawValue: 28)
    public static let opt = RecordType(rawValue: 41)
    public static let ds = RecordType(rawValue: 43)
    public static let rrsig = RecordType(rawValue: 46)
    public static let dnskey = RecordType(rawValue: 48)
    public static let svcb = RecordType(rawValue: 64)
    public static let https = RecordType(rawValue: 65)

    /// Whether a query for it is an ordinary one: not zero, OPT, nor one of the meta and query
    /// types (RFC 6895 §3.1: 128 to 255), such as AXFR and ANY.
    public var isQueryable: Bool {
        rawValue != 0 && self != .opt && !(128...255).contains(rawValue)
    }

    /// The mnemonic, or `TYPE123` where there is none (RFC 3597 §5).
    public var description: String { Self.mnemonics[rawValue] ?? "TYPE\(rawValue)" }
}
