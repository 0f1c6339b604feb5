extension IPAddress {
    /// How far an address is of one machine (RFC 6890), the nearest first.
    package enum Scope: Int, Comparable, Sendable {
        case machine, link, site, internet

        package static func < (left: Scope, right: Scope) -> Bool { left.rawValue < right.rawValue }
    }

    /// `nil` where no server has the address: unspecified, multicast, reserved, for documentation or
    /// benchmarks. An IPv6 address that leads to an IPv4 one counts as that one.
    package var scope: Scope? {
        let inner = unmapped
        if inner.octets.count == 4 { return inner.scopeOfIPv4 }
        if isLoopback { return .machine }
        if isIn([0xfe, 0x80], 10) { return .link }
        if isIn([0xfc], 7) { return .site }
        // NAT64 (RFC 6052) and 6to4 (RFC 3056).
        if isIn([0, 0x64, 0xff, 0x9b], 96) { return embedded(12)?.scope }
        if isIn([0x20, 0x02], 16) { return embedded(2)?.scope }
        let isDocumentation = isIn([0x20, 0x01, 0x0d, 0xb8], 32) || isIn([0x3f, 0xff], 20)
        return isIn([0x20], 3) && !isIn([0x20, 0x01], 23) && !isDocumentation ? .internet : nil
    }

    private var scopeOfIPv4: Scope? {
        if isLoopback { return .machine }
        if isIn([169, 254], 16) { return .link }
        let sites: [([UInt8], Int)] = [
            ([10], 8), ([172, 16], 12), ([192, 168], 16),
            // Shared by the customers of one provider (RFC 6598).
            ([100, 64], 10),
        ]
        if sites.contains(where: isIn) { return .site }
        let nobody: [([UInt8], Int)] = [
            ([192, 0, 0], 24), ([192, 0, 2], 24), ([198, 51, 100], 24), ([203, 0, 113], 24),
            ([192, 88, 99], 24), ([198, 18], 15), ([240], 4),
        ]
        return isUnicast && !nobody.contains(where: isIn) ? .internet : nil
    }

    /// Whether the first `length` bits are those of `prefix`, which zeros follow.
    private func isIn(_ prefix: [UInt8], _ length: Int) -> Bool {
        octets.indices.allSatisfy { index in
            let mask = Network.mask(length, octet: index)
            return octets[index] & mask == (index < prefix.count ? prefix[index] : 0) & mask
        }
    }

    /// The IPv4 address that begins at an octet.
    private func embedded(_ start: Int) -> IPAddress? {
        IPAddress(octets: Array(octets[start..<start + 4]))
    }
}
