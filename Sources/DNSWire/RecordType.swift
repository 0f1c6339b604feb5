/// A resource record type, as its number on the wire.
///
/// Source: the IANA registry "Resource Record (RR) TYPEs".
package struct RecordType: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    package var rawValue: UInt16

    package init(rawValue: UInt16) { self.rawValue = rawValue }

    /// Reads a mnemonic or `TYPE123` (RFC 3597 §5), in any case; `nil` where it is unknown.
    package init?(mnemonic: String) {
        let text = mnemonic.uppercased()
        if let value = Self.values[text] {
            self.init(rawValue: value)
        } else if text.hasPrefix("TYPE"), let value = UInt16(digits: text.dropFirst(4)) {
            self.init(rawValue: value)
        } else {
            return nil
        }
    }

    package static let a = RecordType(rawValue: 1)
    package static let ns = RecordType(rawValue: 2)
    package static let cname = RecordType(rawValue: 5)
    package static let soa = RecordType(rawValue: 6)
    package static let ptr = RecordType(rawValue: 12)
    package static let mx = RecordType(rawValue: 15)
    package static let txt = RecordType(rawValue: 16)
    package static let aaaa = RecordType(rawValue: 28)
    package static let opt = RecordType(rawValue: 41)
    package static let ds = RecordType(rawValue: 43)
    package static let rrsig = RecordType(rawValue: 46)
    package static let dnskey = RecordType(rawValue: 48)
    package static let svcb = RecordType(rawValue: 64)
    package static let https = RecordType(rawValue: 65)

    /// Whether a query for it is an ordinary one: not zero, OPT, nor one of the meta and query
    /// types (RFC 6895 §3.1: 128 to 255), such as AXFR and ANY.
    package var isQueryable: Bool {
        rawValue != 0 && self != .opt && !(128...255).contains(rawValue)
    }

    /// The mnemonic, or `TYPE123` where there is none (RFC 3597 §5).
    package var description: String { Self.mnemonics[rawValue] ?? "TYPE\(rawValue)" }
}
