/// Where one simulated resolver is asked, over UDP and TCP alike.
public struct LabResolver: Hashable, Sendable {
    public enum Family: Hashable, Sendable, CaseIterable { case v4, v6 }

    /// The behaviour's name.
    public let name: String
    public let family: Family
    public let port: UInt16

    /// The loopback address as text.
    public var address: String { family == .v4 ? "127.0.0.1" : "::1" }

    /// The loopback address, four or sixteen octets.
    public var octets: [UInt8] {
        family == .v4 ? [127, 0, 0, 1] : [UInt8](repeating: 0, count: 15) + [1]
    }

    /// Such as `127.0.0.1:5311` or `[::1]:5311`.
    public var endpoint: String { family == .v4 ? "\(address):\(port)" : "[\(address)]:\(port)" }
}
