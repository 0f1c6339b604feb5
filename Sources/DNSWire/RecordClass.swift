/// A class of resource records, as its number on the wire (RFC 1035 §3.2.4).
package struct RecordClass: RawRepresentable, Hashable, Sendable {
    package var rawValue: UInt16

    package init(rawValue: UInt16) { self.rawValue = rawValue }

    package static let internet = RecordClass(rawValue: 1)
    /// Where name servers tell about themselves (RFC 4892 §3).
    package static let chaos = RecordClass(rawValue: 3)
}
