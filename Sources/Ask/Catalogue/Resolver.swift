/// An endpoint with a label. Two labels with the same endpoint are always distinct resolvers.
package struct Resolver: Hashable, Sendable {
    package enum Origin: Hashable, Sendable {
        /// The nameserver of this machine with this number. This machine queries number 1 first.
        case system(Int)
        case gateway
        /// An entry of the bundled catalogue or of the user's configuration.
        case catalogue(CatalogueEntry)
        /// A simulated resolver, whose port changes from run to run.
        case lab
        case address
    }

    package var label: String
    package var endpoint: Endpoint
    package var origin: Origin
    /// The name that its certificate must have, if it is not the address.
    package var serverName: String?
    /// The path for DNS over HTTP, if it is not ``usualPath``.
    package var path: String?
    /// SHA-256 hashes of certificates' signed parts. Its chain must contain one of them. Empty for
    /// no restriction.
    package var certificateHashes: Set<[UInt8]> = []
    /// Whether the user wrote a transport before the address.
    package var isWrittenOut = false
    /// The host name whose address another resolver returned.
    package var lookedUpHost: String?
    /// Whether its address was looked up, not named by the user.
    package var isLookedUp: Bool { lookedUpHost != nil }

    /// The default path of DNS over HTTPS, as in the examples of RFC 8484.
    package static let usualPath = "/dns-query"

    package init(
        label: String,
        endpoint: Endpoint,
        origin: Origin = .address,
        serverName: String? = nil,
        path: String? = nil
    ) {
        self.label = label
        self.endpoint = endpoint
        self.origin = origin
        self.serverName = serverName
        self.path = path
    }

    /// The complete address of the resolver. With `TRANSPORT://` before it, it names the same
    /// resolver.
    package var place: String {
        guard endpoint.transport.isEncrypted else { return endpoint.description }
        let path = endpoint.transport.isHTTP ? path : nil
        return endpoint.description + (path ?? "") + (serverName.map { "#\($0)" } ?? "")
    }

    /// The resolver's place in files and stores, so that rounds of any day are one history. It is
    /// ``place``, or the name of a simulated resolver.
    package var identity: String { origin == .lab ? Self.simulated + bareLabel : place }

    /// The maximum length in bytes of names in files and stores: resolvers, vantage points, places.
    package static let longestName = 255

    /// The prefix of the ``identity`` of simulated resolvers.
    package static let simulated = "lab:"

    /// The catalogue's entry, if the user named the resolver by it.
    package var entry: CatalogueEntry? {
        guard case .catalogue(let entry) = origin else { return nil }
        return entry
    }

    /// Whether this is one of this machine's own nameservers.
    package var isNameserver: Bool {
        if case .system = origin { true } else { false }
    }

    /// Whether this is the nameserver that this machine queries first.
    package var isSystem: Bool { origin == .system(1) }

    /// Whether `text` can be a label: `[A-Za-z0-9][A-Za-z0-9._-]{0,62}`.
    package static func isLabel(_ text: some StringProtocol) -> Bool {
        guard let first = text.utf8.first, text.utf8.count <= 63 else { return false }
        return first.isAlphanumeric
            && text.utf8.allSatisfy { $0.isAlphanumeric || "._-".utf8.contains($0) }
    }

    /// The same resolver over `kind`. A default port becomes the default port of `kind`. An
    /// encrypted transport uses the server name of the catalogue.
    package func over(_ kind: TransportKind) throws(CatalogueError) -> Resolver {
        var resolver = self
        if endpoint.port == endpoint.transport.usualPort { resolver.endpoint.port = kind.usualPort }
        resolver.endpoint.transport = kind
        if !kind.isEncrypted, let entry, entry.isEncryptedOnly {
            throw .usage(
                "'\(entry.name)' serves encrypted transports only;"
                    + " leave out the resolver or \(kind.rawValue)"
            )
        }
        if kind.isEncrypted, entry == nil {
            resolver.serverName = serverName ?? lookedUpHost
        }
        guard kind.isEncrypted, !isWrittenOut, let entry else { return resolver }
        guard let server = entry.encrypted.server(over: kind) else {
            throw .usage(
                "'\(entry.name)' is not known to answer over \(kind.rawValue);"
                    + " leave out the resolver or this transport"
            )
        }
        resolver.serverName = server.name
        resolver.path = server.path
        return resolver
    }

    /// The same resolver, once for each transport of `choice`.
    package func over(_ choice: TransportChoice) throws(CatalogueError) -> [Resolver] {
        let kinds: [TransportKind] =
            switch choice {
            case .all: knownTransports.filter(\.isCarried)
            case .listed(let kinds): kinds
            }
        return try kinds.map { kind throws(CatalogueError) in try over(kind) }
    }

    /// The transports that the resolver is known to support and this build does not.
    package var uncarriedTransports: [TransportKind] { knownTransports.filter { !$0.isCarried } }

    /// The known transports of the resolver. A transport written before an address is the only one.
    private var knownTransports: [TransportKind] {
        if isWrittenOut { return [endpoint.transport] }
        return entry?.transports ?? [.udp, .tcp]
    }
}
