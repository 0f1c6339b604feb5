/// A resource record type, as its number on the wire.
///
/// Source: the IANA registry "Resource Record (RR) TYPEs".
public struct RecordType: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    public var rawValue: UInt16

    public init(rawValue: UInt16) { self.rawValue = rawValue }

    public static let a = RecordType(rawValue: 1)
    public static let txt = RecordType(rawValue: 16)
    public static let aaaa = RecordType(rawValue: 28)

    /// The mnemonic, or `TYPE123` where there is none (RFC 3597 §5).
    public var description: String {
        switch self {
        case .a: "A"
        case .txt: "TXT"
        case .aaaa: "AAAA"
        default: "TYPE\(rawValue)"
        }
    }
}
