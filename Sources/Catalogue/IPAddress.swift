/// An IPv4 or IPv6 address, with the zone of a link-local one (RFC 4007 §11).
public struct IPAddress: Hashable, Sendable {
    public enum Family: Hashable, Sendable { case v4, v6 }

    /// Four octets for IPv4, sixteen for IPv6, in network order.
    public let octets: [UInt8]
    /// The interface of a link-local IPv6 address, such as `eth0`.
    public let zone: String?

    /// `nil` unless there are four or sixteen octets.
    public init?(octets: [UInt8], zone: String? = nil) {
        guard octets.count == 4 || octets.count == 16 else { return nil }
        self.octets = octets
        self.zone = zone
    }

    public var family: Family { octets.count == 4 ? .v4 : .v6 }
}
