/// Who is asked: an endpoint under a label.
///
/// Two labels may name one endpoint; they are kept apart everywhere.
package struct Resolver: Hashable, Sendable {
    /// Where a resolver was found.
    package enum Origin: Hashable, Sendable {
        /// The nameserver of this machine with this number; 1 is the one that is asked first.
        case system(Int)
        case gateway
        /// An entry of the bundled catalogue or of the user's configuration.
        case catalogue(CatalogueEntry)
        /// Given as an address.
        case address
    }

    package var label: String
    package var endpoint: Endpoint
    package var origin: Origin
    /// What its certificate has to name, where that is not its address.
    package var serverName: String?
    /// Where it is asked over HTTP, where that is not ``usualPath``.
    package var path: String?
    /// The SHA-256 of certificates' signed parts, of which its chain has to have one; empty for any.
    package var certificateHashes: Set<[UInt8]> = []
    /// Whether its transport was written before its address.
    package var isWrittenOut = false
    /// Whether its address is what another resolver says of its name: nobody has named it.
    package var isLookedUp = false

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

    /// What the catalogue knows about the resolver, if it was named by its entry.
    package var entry: CatalogueEntry? {
        guard case .catalogue(let entry) = origin else { return nil }
        return entry
    }

    /// Whether this is the nameserver that this machine asks first.
    package var isSystem: Bool { origin == .system(1) }

    /// Whether `text` can be a label: `[A-Za-z0-9][A-Za-z0-9._-]{0,62}`.
    package static func isLabel(_ text: some StringProtocol) -> Bool {
        guard let first = text.utf8.first, text.utf8.count <= 63 else { return false }
        func isAlphanumeric(_ octet: UInt8) -> Bool {
            (0x30...0x39).contains(octet) || (0x61...0x7a).contains(octet | 0x20)
        }
        return isAlphanumeric(first)
            && text.utf8.allSatisfy { isAlphanumeric($0) || "._-".utf8.contains($0) }
    }
}
