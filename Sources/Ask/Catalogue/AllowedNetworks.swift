/// The networks that queries may go to: the networks of `--allow-net`, or every network without the
/// option.
package struct AllowedNetworks: TextValue, Hashable, Sendable, CustomStringConvertible {
    /// An address must be in each of these lists. Without a list, every address is allowed.
    private let lists: [[Network]]

    package static let everywhere = AllowedNetworks(lists: [])

    private init(lists: [[Network]]) { self.lists = lists }

    /// Reads networks separated by commas. An empty list is rejected, because its meaning is
    /// unclear.
    package init(parsing text: String) throws(CatalogueError) {
        var networks: [Network] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let network = part.trimmingSpaces
            guard !network.isEmpty else {
                throw .usage(
                    "the list of allowed networks \(text.quoted) has an empty entry;"
                        + " write networks such as 127.0.0.0/8,::1/128"
                )
            }
            networks.append(try Network(parsing: String(network)))
        }
        self.init(lists: [networks])
    }

    package func allows(_ address: IPAddress) -> Bool {
        lists.allSatisfy { list in list.contains { $0.contains(address) } }
    }

    /// The networks that both values allow.
    package func narrowed(to other: AllowedNetworks) -> AllowedNetworks {
        AllowedNetworks(lists: lists + other.lists.filter { !lists.contains($0) })
    }

    /// The networks that every list allows, as one list in the notation of `init(parsing:)`.
    package var common: String? {
        guard var common = lists.first else { return nil }
        for list in lists.dropFirst() {
            common = common.flatMap { outer in list.compactMap(outer.intersection) }
        }
        return common.isEmpty ? nil : common.map(\.description).joined(separator: ",")
    }

    /// Throws a usage error that names the first resolver outside the allowed networks. Skips
    /// resolvers whose address was looked up: the user cannot leave such an address out, and its
    /// queries are blocked.
    package func check(_ resolvers: [Resolver]) throws(CatalogueError) {
        for resolver in resolvers
        where !resolver.isLookedUp && !allows(resolver.endpoint.address) {
            throw .usage(
                "resolver \(resolver.label.quoted) at \(resolver.endpoint.address) is outside"
                    + " the allowed networks (\(self)); leave it out or allow its network"
            )
        }
    }

    package var isRestricted: Bool { !lists.isEmpty }

    package var description: String {
        guard !lists.isEmpty else { return "everywhere" }
        return lists.map { $0.map(\.description).joined(separator: ",") }
            .joined(separator: " and ")
    }
}

/// A block of addresses in CIDR notation (RFC 4632 §3.1), such as `127.0.0.0/8`.
///
/// An IPv4-mapped IPv6 address counts as its IPv4 address, in a block and in a candidate. It can be
/// inside an IPv4 block, and is never inside an IPv6 block such as `::/0`.
package struct Network: Hashable, Sendable, CustomStringConvertible {
    package let address: IPAddress
    package let prefixLength: Int

    /// Reads `ADDRESS/LENGTH`. An address alone is a block of one address.
    package init(parsing text: String) throws(CatalogueError) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), let address = IPAddress(parts[0]), address.zone == nil
        else {
            throw .usage(
                "\(text.quoted) is not a network; write one such as 127.0.0.0/8 or ::1/128"
            )
        }
        let bits = address.bytes.count * 8
        var length = bits
        if parts.count == 2 {
            guard parts[1].utf8.allSatisfy(\.isDigit),
                let given = Int(parts[1]), given <= bits
            else {
                throw .usage(
                    "\(text.quoted) has no usable prefix length;"
                        + " write a number from 0 to \(bits) after the slash"
                )
            }
            length = given
        }
        if address.isMapped, length >= 96 {
            self.init(address.unmapped, length - 96)
        } else {
            self.init(address, length)
        }
    }

    /// Creates a block of a valid length, and clears the bits after the prefix.
    private init(_ address: IPAddress, _ length: Int) {
        let bytes = address.bytes.enumerated().map { index, byte in
            byte & Self.mask(length, byte: index)
        }
        self.address = IPAddress(bytes: bytes) ?? address
        prefixLength = length
    }

    /// Whether `candidate` is inside the block. The candidate's zone is ignored.
    package func contains(_ candidate: IPAddress) -> Bool {
        let other = candidate.unmapped
        guard other.family == address.family else { return false }
        return address.bytes.indices.allSatisfy {
            other.bytes[$0] & Self.mask(prefixLength, byte: $0) == address.bytes[$0]
        }
    }

    /// The smaller block, if one of the two lies inside the other; otherwise `nil`.
    func intersection(_ other: Network) -> Network? {
        let (wide, narrow) = prefixLength <= other.prefixLength ? (self, other) : (other, self)
        return wide.contains(narrow.address) ? narrow : nil
    }

    package var description: String { "\(address)/\(prefixLength)" }

    private static func mask(_ length: Int, byte index: Int) -> UInt8 {
        let bits = min(8, max(0, length - index * 8))
        return bits == 0 ? 0 : UInt8.max << (8 - bits)
    }
}
