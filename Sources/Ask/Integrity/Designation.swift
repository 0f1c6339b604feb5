package import Catalogue
package import DNSWire

/// An encrypted resolver that a plain one designates as its own (RFC 9462).
package struct Designation: Hashable, Sendable {
    package var transport: TransportKind
    /// The name in its certificate.
    package var host: String
    /// `nil` where the records do not tell it.
    package var address: IPAddress?
    package var port: UInt16
    /// The path of DNS over HTTPS.
    package var path: String?

    /// The name whose SVCB records a plain resolver is asked for (§4).
    package static let name = "_dns.resolver.arpa"

    /// The designations of `bindings`, the preferred first; of each its first IPv4 address, else
    /// its first IPv6 one. Left out are aliases, what asks for something unknown, and who has no
    /// name.
    package static func all(of bindings: [ServiceBinding]) -> [Designation] {
        var found: [Designation] = []
        for binding in bindings.sorted(by: { $0.priority < $1.priority })
        where binding.priority > 0 && !binding.isUnusable {
            for designation in designations(of: binding) where !found.contains(designation) {
                found.append(designation)
            }
        }
        return found
    }

    private static func designations(of binding: ServiceBinding) -> [Designation] {
        let addresses = binding.addresses.compactMap { IPAddress(octets: $0) }
        let address = addresses.first { $0.family == .v4 } ?? addresses.first
        let kinds = binding.protocols.compactMap { TransportKind(applicationProtocol: $0) }
        return kinds.compactMap { kind in
            let designation = Designation(
                transport: kind,
                host: binding.target.lowercased(),
                address: address,
                port: binding.port ?? kind.usualPort,
                path: kind.isHTTP ? binding.path : nil
            )
            // A service over HTTP without a template cannot be asked (RFC 9461 §5).
            return kind.isHTTP && binding.path == nil || !designation.isWritable ? nil : designation
        }
    }

    /// Why a resolver at `plain` has no say over who answers at `address`; `nil` where it may have.
    ///
    /// A designation chooses whom this machine connects to: a stranger must not choose among its
    /// neighbours and its own services.
    package static func objection(to address: IPAddress, by plain: IPAddress) -> String? {
        guard let scope = address.scope else { return "no server has such an address" }
        // What has no scope of its own is nobody's neighbour.
        let own = plain.scope ?? .internet
        guard scope < own else { return nil }
        return "a resolver at \(own.words) has no service at \(scope.words)"
    }

    /// The path without the place for the query; `nil` for the usual one.
    package var plainPath: String? {
        guard let path else { return nil }
        let plain = path.hasSuffix("{?dns}") ? String(path.dropLast(6)) : path
        return plain == Resolver.usualPath ? nil : plain
    }

    /// Where it is asked, in the notation of resolvers.
    package var notation: String {
        transport.notation(of: host, at: address, port: port, path: plainPath)
    }

    /// Whether the notation can be read again: what comes from the network may be anything.
    private var isWritable: Bool {
        let isName =
            !host.isEmpty
            && host.utf8.allSatisfy {
                (0x30...0x39).contains($0) || (0x61...0x7a).contains($0) || $0 == 0x2d || $0 == 0x2e
            }
        let isPath =
            path.map { path in
                path.hasPrefix("/") && path.hasSuffix("{?dns}")
                    && !path.dropLast(6).contains(where: { "#{} \\\"'`$;|&<>".contains($0) })
            } ?? true
        return isName && isPath
    }
}

extension IPAddress.Scope {
    fileprivate var words: String {
        switch self {
        case .machine: "an address of this machine"
        case .link: "a link-local address"
        case .site: "a private address"
        case .internet: "a public address"
        }
    }
}

extension TransportKind {
    /// The transport of a protocol's name in ALPN (RFC 9461 §4); `nil` where it carries no DNS.
    fileprivate init?(applicationProtocol name: String) {
        switch name {
        case "dot": self = .tls
        case "doq": self = .quic
        case "h2": self = .https
        case "h3": self = .h3
        default: return nil
        }
    }
}
