package import Catalogue
package import DNSWire

/// An encrypted resolver that a plain DNS resolver designates (RFC 9462).
package struct Designation: Hashable, Sendable {
    package var transport: TransportKind
    /// The name in the certificate.
    package var host: String
    /// The address; `nil` if the records do not contain it.
    package var address: IPAddress?
    package var port: UInt16
    /// The path of DNS over HTTPS.
    package var path: String?

    /// The name whose SVCB records a client requests from a plain DNS resolver (§4).
    package static let name = "_dns.resolver.arpa"

    /// The designations in `bindings`, by priority. Each has its first IPv4 address, otherwise its
    /// first IPv6 address. Aliases, bindings with an unknown mandatory parameter, and bindings
    /// without a name are left out.
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
        let addresses = binding.addresses.compactMap { IPAddress(bytes: $0) }
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
            // A service over HTTP without a URI template cannot be queried (RFC 9461 §5).
            return kind.isHTTP && binding.path == nil || !designation.isWritable ? nil : designation
        }
    }

    /// The reason why a resolver at `plain` must not designate a server at `address`; `nil` if it
    /// may.
    ///
    /// A designation chooses the server to which this machine connects. A distant resolver must not
    /// choose among the machine's neighbours and its own services.
    package static func objection(to address: IPAddress, by plain: IPAddress) -> String? {
        guard let scope = address.scope else { return "no server has such an address" }
        // An address without a scope counts as an address on the internet.
        let own = plain.scope ?? .internet
        guard scope < own else { return nil }
        return "a resolver at \(own.words) has no service at \(scope.words)"
    }

    /// The path without the variable for the query; `nil` for the default path.
    package var plainPath: String? {
        guard let path else { return nil }
        let plain = path.hasSuffix("{?dns}") ? String(path.dropLast(6)) : path
        return plain == Resolver.usualPath ? nil : plain
    }

    /// The service in the notation of resolvers.
    package var notation: String {
        transport.notation(of: host, at: address, port: port, path: plainPath)
    }

    /// Whether the notation can be read again. Data from the network may contain any text.
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
    /// Reads a protocol name of ALPN (RFC 9461 §4); `nil` if the protocol does not carry DNS.
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
