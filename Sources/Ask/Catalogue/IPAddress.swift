import LibC

/// An IPv4 or IPv6 address, with the zone of a link-local address (RFC 4007 §11).
package struct IPAddress: Hashable, Sendable, CustomStringConvertible {
    package enum Family: Hashable, Sendable, CaseIterable { case v4, v6 }

    /// Four bytes for IPv4, 16 for IPv6, in network order.
    package let bytes: [UInt8]
    /// The interface of a link-local IPv6 address, such as `eth0`.
    package let zone: String?

    /// Creates an address; `nil` unless there are four or 16 bytes.
    package init?(bytes: [UInt8], zone: String? = nil) {
        guard bytes.count == 4 || bytes.count == 16 else { return nil }
        self.bytes = bytes
        self.zone = zone
    }

    package var family: Family { bytes.count == 4 ? .v4 : .v6 }

    /// The IPv4 address in an IPv4-mapped address (RFC 4291 §2.5.5.2), otherwise the address
    /// itself.
    package var unmapped: IPAddress {
        guard isMapped, let inner = IPAddress(bytes: Array(bytes[12...])) else { return self }
        return inner
    }

    /// Whether the address is a loopback address: 127.0.0.0/8 or ::1.
    package var isLoopback: Bool {
        let inner = unmapped
        guard inner.family == .v6 else { return inner.bytes[0] == 127 }
        return bytes[..<15].allSatisfy { $0 == 0 } && bytes[15] == 1
    }

    /// Whether the address is the stub of systemd-resolved: 127.0.0.53, or 127.0.0.54 without its
    /// extras.
    package var isResolvedStub: Bool {
        [[127, 0, 0, 53], [127, 0, 0, 54]].contains(unmapped.bytes)
    }

    /// Whether the address is loopback, link-local, or private (RFC 1918, RFC 3927, RFC 4193).
    package var isPrivate: Bool {
        let inner = unmapped.bytes
        if isLoopback { return true }
        guard inner.count == 4 else {
            return inner[0] & 0xfe == 0xfc || isLinkLocal6
        }
        return inner[0] == 10 || inner[0] == 172 && (16...31).contains(inner[1])
            || inner[0] == 192 && inner[1] == 168 || inner[0] == 169 && inner[1] == 254
    }

    /// Whether the address is an IPv6 address with a meaning on one link only (fe80::/10).
    var isLinkLocal6: Bool {
        bytes.count == 16 && bytes[0] == 0xfe && bytes[1] & 0xc0 == 0x80
    }

    /// Whether one machine can have the address: it is not unspecified, multicast or broadcast.
    var isUnicast: Bool {
        let inner = unmapped.bytes
        if inner.count == 4 { return inner[0] != 0 && inner[0] < 224 || (240..<255) ~= inner[0] }
        return inner[0] != 0xff && inner.contains { $0 != 0 }
    }

    var isMapped: Bool {
        bytes.count == 16 && bytes[..<10].allSatisfy { $0 == 0 } && bytes[10] == 0xff
            && bytes[11] == 0xff
    }

    /// Reads a dotted quad, or an IPv6 address (RFC 4291 §2.2) with an optional zone after `%`.
    /// `nil` for any other text. This includes a quad with a leading zero, which some programs read
    /// as octal.
    package init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "%", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first.map({ String($0) }), !first.utf8.contains(0) else {
            return nil
        }
        let zone = parts.count == 2 ? String(parts[1]) : nil
        if zone == nil, let bytes = Self.bytes(of: first, AF_INET, count: 4) {
            self.init(bytes: bytes)
        } else if let bytes = Self.bytes(of: first, AF_INET6, count: 16) {
            if let zone, !Self.isZone(zone) { return nil }
            self.init(bytes: bytes, zone: zone)
        } else {
            return nil
        }
    }

    private static func bytes(of text: String, _ family: Int32, count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        return unsafe inet_pton(family, text, &bytes) == 1 ? bytes : nil
    }

    /// The canonical text (RFC 5952), with the zone if there is one.
    package var description: String {
        zone.map { "\(textWithoutZone)%\($0)" } ?? textWithoutZone
    }

    /// The address before a port or in a URL: IPv6 addresses have brackets (RFC 3986 §3.2.2).
    package var bracketed: String { family == .v6 ? "[\(self)]" : description }

    /// The canonical text without the zone, which has no meaning on other machines.
    package var textWithoutZone: String {
        family == .v4
            ? Self.quadText(bytes)
            : isMapped ? "::ffff:" + Self.quadText(bytes[12...]) : Self.groupText(bytes)
    }

    private static func isZone(_ text: String) -> Bool {
        (1...63).contains(text.utf8.count)
            && text.utf8.allSatisfy { (0x21...0x7e).contains($0) && !"%/[]#=,".utf8.contains($0) }
    }

    private static func quadText(_ bytes: some Collection<UInt8>) -> String {
        bytes.map { String($0) }.joined(separator: ".")
    }

    private static func groupText(_ bytes: [UInt8]) -> String {
        let groups = stride(from: 0, to: 16, by: 2).map {
            UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1])
        }
        let gap = longestZeroRun(groups)
        func joined(_ part: ArraySlice<UInt16>) -> String {
            part.map { String($0, radix: 16) }.joined(separator: ":")
        }
        guard gap.count > 1 else { return joined(groups[...]) }
        return joined(groups[..<gap.lowerBound]) + "::" + joined(groups[gap.upperBound...])
    }

    /// The first of the longest runs of zero groups, which RFC 5952 §4.2.3 shortens.
    private static func longestZeroRun(_ groups: [UInt16]) -> Range<Int> {
        var longest = 0..<0
        var start = 0
        for (index, group) in groups.enumerated() {
            if group != 0 {
                start = index + 1
            } else if index + 1 - start > longest.count {
                longest = start..<index + 1
            }
        }
        return longest
    }

    /// The scope of an address (RFC 6890), from the nearest to the farthest.
    package enum Scope: Comparable, Sendable { case machine, link, site, internet }

    /// The scope of the address; `nil` if no server has the address: unspecified, multicast,
    /// reserved, for documentation or benchmarks. An IPv6 address that embeds an IPv4 address has
    /// the scope of the IPv4 address.
    package var scope: Scope? {
        if let (_, start) = Self.embedding.first(where: { $0.network.contains(self) }) {
            return IPAddress(bytes: Array(bytes[start..<start + 4]))?.scope
        }
        return Self.scopes.first { $0.networks.contains { $0.contains(self) } }?.scope
    }

    /// The networks that embed an IPv4 address, with the index of its first byte: NAT64 (RFC 6052)
    /// and 6to4 (RFC 3056).
    private static let embedding = zip(networks(["64:ff9b::/96", "2002::/16"]), [12, 2])
        .map { (network: $0, start: $1) }

    /// The first entry that contains an address applies.
    private static let scopes: [(scope: Scope?, networks: [Network])] = [
        (.machine, networks(["127.0.0.0/8", "::1"])),
        (.link, networks(["169.254.0.0/16", "fe80::/10"])),
        (.site, networks(["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7"])),
        // Shared by the customers of one provider (RFC 6598).
        (.site, networks(["100.64.0.0/10"])),
        (
            nil,
            networks([
                "0.0.0.0/8", "192.0.0.0/24", "192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24",
                "192.88.99.0/24", "198.18.0.0/15", "224.0.0.0/3",
                "2001::/23", "2001:db8::/32", "3fff::/20",
            ])
        ),
        (.internet, networks(["0.0.0.0/0", "2000::/3"])),
    ]

    private static func networks(_ texts: [String]) -> [Network] {
        texts.compactMap { try? Network(parsing: $0) }
    }
}

extension IPAddress: Codable {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let address = IPAddress(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "no address")
        }
        self = address
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
