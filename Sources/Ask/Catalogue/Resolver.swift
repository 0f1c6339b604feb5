/// An endpoint under a label. Two labels may name one endpoint; they are kept apart everywhere.
package struct Resolver: Hashable, Sendable {
    package enum Origin: Hashable, Sendable {
        /// The nameserver of this machine with this number; 1 is the one that is asked first.
        case system(Int)
        case gateway
        /// An entry of the bundled catalogue or of the user's configuration.
        case catalogue(CatalogueEntry)
        /// A simulated resolver, whose port is another each time.
        case lab
        case address
    }

    package var label: String
    package var endpoint: Endpoint
    package var origin: Origin
    /// The name that its certificate has to have, where that is not its address.
    package var serverName: String?
    /// Where it is asked over HTTP, where that is not ``usualPath``.
    package var path: String?
    /// The SHA-256 of certificates' signed parts, of which its chain has to have one; empty for any.
    package var certificateHashes: Set<[UInt8]> = []
    /// Whether its transport was written before its address.
    package var isWrittenOut = false
    /// The host name of which another resolver told the address.
    package var lookedUpHost: String?
    /// Whether its address was looked up: nobody has named it.
    package var isLookedUp: Bool { lookedUpHost != nil }

    /// The path of DNS over HTTPS where none is named, as in RFC 8484's own examples.
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

    /// Where it is asked, complete: `TRANSPORT://` before it names the same resolver.
    package var place: String {
        guard endpoint.transport.isEncrypted else { return endpoint.description }
        let path = endpoint.transport.isHTTP ? path : nil
        return endpoint.description + (path ?? "") + (serverName.map { "#\($0)" } ?? "")
    }

    /// The place that files and stores know it by, so that rounds of any day are one history:
    /// ``place``, but of a simulated resolver its name.
    package var identity: String { origin == .lab ? Self.simulated + bareLabel : place }

    /// In octets, of what is called by a name in files and stores: resolvers, vantage points, places.
    package static let longestName = 255

    /// The beginning of the ``identity`` of simulated resolvers.
    package static let simulated = "lab:"

    /// The catalogue's entry, if the resolver was named by it.
    package var entry: CatalogueEntry? {
        guard case .catalogue(let entry) = origin else { return nil }
        return entry
    }

    /// Whether this is one of this machine's own nameservers.
    package var isNameserver: Bool {
        if case .system = origin { true } else { false }
    }

    /// Whether this is the nameserver that this machine asks first.
    package var isSystem: Bool { origin == .system(1) }

    /// Whether `text` can be a label: `[A-Za-z0-9][A-Za-z0-9._-]{0,62}`.
    package static func isLabel(_ text: some StringProtocol) -> Bool {
        guard let first = text.utf8.first, text.utf8.count <= 63 else { return false }
        return first.isAlphanumeric
            && text.utf8.allSatisfy { $0.isAlphanumeric || "._-".utf8.contains($0) }
    }

    /// The same resolver asked over `kind`: at that one's usual port where it was asked at the usual
    /// port before, and encrypted under the name that the catalogue has.
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

    /// The same resolver over each transport of `choice`.
    package func over(_ choice: TransportChoice) throws(CatalogueError) -> [Resolver] {
        let kinds: [TransportKind] =
            switch choice {
            case .all: knownTransports.filter(\.isCarried)
            case .listed(let kinds): kinds
            }
        return try kinds.map { kind throws(CatalogueError) in try over(kind) }
    }

    /// The transports that it is known to answer over and this build does not carry.
    package var uncarriedTransports: [TransportKind] { knownTransports.filter { !$0.isCarried } }

    /// Its known transports. Who writes a transport before an address means that one.
    private var knownTransports: [TransportKind] {
        if isWrittenOut { return [endpoint.transport] }
        return entry?.transports ?? [.udp, .tcp]
    }
}
