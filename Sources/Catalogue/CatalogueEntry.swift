/// What is known about one public resolver, or about one that the user configured.
///
/// The properties of the service are the operator's or a list's word, not measured: `source` says
/// whose.
package struct CatalogueEntry: Hashable, Sendable {
    /// Whether the service can be asked.
    package enum Status: Hashable, Sendable {
        case active
        /// Listed somewhere, but nobody is on record as having seen it answer plain DNS lately.
        case unverified
        case dead(Obituary)
    }

    /// Why a service can no longer be asked.
    package struct Obituary: Hashable, Sendable {
        /// The year, or year and month, where it is on record.
        package var since: String?
        package var reason: String
        /// Names of this catalogue to ask instead.
        package var instead: [String]
    }

    /// Where the same service answers encrypted queries.
    package struct EncryptedHosts: Hashable, Sendable {
        package var tls: String?
        package var https: String?
        package var quic: String?
        /// Whether DNS over HTTPS is answered over HTTP/3 too.
        package var hasHTTP3 = false
    }

    package var name: String
    package var title: String
    package var provider: String?
    /// Where plain DNS is served, IPv4 first, in the operator's order.
    package var endpoints: [Endpoint]
    package var encrypted = EncryptedHosts()
    /// Addresses of the encrypted service, where there is no plain one.
    package var bootstrap: [IPAddress] = []
    /// What is blocked, as declared; `none` where nothing is.
    package var filtering = "unknown"
    /// Whether answers are validated (RFC 4035), as declared.
    package var dnssec = "unknown"
    /// Whether the client's network is sent on (RFC 7871), as declared.
    package var ecs = "unknown"
    /// Whether queries are logged, as declared.
    package var logging = "unknown"
    package var status = Status.active
    /// Whether plain DNS is refused or not served.
    package var isEncryptedOnly = false
    /// Whether a run that names no resolver asks this one.
    package var isDefault = false
    package var groups: [String] = []
    package var note: String?
    /// Who says so: the abbreviations are explained at the top of `data/resolvers.toml`.
    package var source: String?

    package init(name: String, title: String, endpoints: [Endpoint]) {
        self.name = name
        self.title = title
        self.endpoints = endpoints
    }

    /// The endpoints that `-4` and `-6` select: the first of each family that is asked for, the
    /// first at all where none is.
    func endpoints(of families: Set<IPAddress.Family>, all: Bool) -> [Endpoint] {
        guard !families.isEmpty else { return all ? endpoints : Array(endpoints.prefix(1)) }
        return IPAddress.Family.allCases.filter(families.contains).flatMap { family in
            endpoints.filter { $0.address.family == family }.prefix(all ? .max : 1)
        }
    }

    /// Whether `host`, a name or an address, belongs to the service.
    func isServed(at host: String) -> Bool {
        if let address = IPAddress(host) {
            return endpoints.contains { $0.address == address } || bootstrap.contains(address)
        }
        let page = encrypted.https?.dropFirst("https://".count).prefix { $0 != "/" }
        let hosts = [encrypted.tls, page.map { String($0) }, encrypted.quic]
        return hosts.contains(host.lowercased())
    }
}
