/// Where one simulated resolver is asked, over UDP and TCP alike.
package struct LabResolver: Hashable, Sendable {
    package enum Family: Hashable, Sendable, CaseIterable { case v4, v6 }

    /// The behaviour's name.
    package let name: String
    package let family: Family
    package let port: UInt16

    /// The loopback address as text.
    package var address: String { family == .v4 ? "127.0.0.1" : "::1" }

    /// The loopback address, four or sixteen octets.
    package var octets: [UInt8] {
        family == .v4 ? [127, 0, 0, 1] : [UInt8](repeating: 0, count: 15) + [1]
    }

    /// Such as `127.0.0.1:5311` or `[::1]:5311`.
    package var endpoint: String { family == .v4 ? "\(address):\(port)" : "[\(address)]:\(port)" }
}
