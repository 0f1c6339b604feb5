/// A class of resource records, as its number on the wire (RFC 1035 §3.2.4).
public struct RecordClass: RawRepresentable, Hashable, Sendable {
    public var rawValue: UInt16

    public init(rawValue: UInt16) { self.rawValue = rawValue }

    public static let internet = RecordClass(rawValue: 1)
    /// Where name servers tell about themselves (RFC 4892 §3).
    public static let chaos = RecordClass(rawValue: 3)
}
