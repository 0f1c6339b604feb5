/// An IPv4 or IPv6 address, with the zone of a link-local one (RFC 4007 §11).
package struct IPAddress: Hashable, Sendable {
    package enum Family: Hashable, Sendable, CaseIterable { case v4, v6 }

    /// Four octets for IPv4, sixteen for IPv6, in network order.
    package let octets: [UInt8]
    /// The interface of a link-local IPv6 address, such as `eth0`.
    package let zone: String?

    /// `nil` unless there are four or sixteen octets.
    package init?(octets: [UInt8], zone: String? = nil) {
        guard octets.count == 4 || octets.count == 16 else { return nil }
        self.octets = octets
        self.zone = zone
    }

    package var family: Family { octets.count == 4 ? .v4 : .v6 }

    /// The IPv4 address inside an IPv4-mapped one (RFC 4291 §2.5.5.2), else the address itself.
    package var unmapped: IPAddress {
        guard isMapped, let inner = IPAddress(octets: Array(octets[12...])) else { return self }
        return inner
    }

    /// Whether the address stays on this machine: 127.0.0.0/8 or ::1.
    package var isLoopback: Bool {
        let inner = unmapped
        guard inner.family == .v6 else { return inner.octets[0] == 127 }
        return octets[..<15].allSatisfy { $0 == 0 } && octets[15] == 1
    }

    /// Whether one machine can have the address: neither unspecified, multicast nor broadcast.
    var isUnicast: Bool {
        let inner = unmapped.octets
        if inner.count == 4 { return inner[0] != 0 && inner[0] < 224 || (240..<255) ~= inner[0] }
        return inner[0] != 0xff && inner.contains { $0 != 0 }
    }

    var isMapped: Bool {
        octets.count == 16 && octets[..<10].allSatisfy { $0 == 0 } && octets[10] == 0xff
            && octets[11] == 0xff
    }
}
