/// A host name at which plain DNS is queried, as written: `HOST:PORT`, `udp://HOST[:PORT]` or
/// `tcp://HOST[:PORT]`.
struct PlainHost: Hashable {
    var transport: TransportKind
    var host: String
    var port: UInt16

    /// Reads `authority`, a part of `text`; `nil` if it is not a host name, such as an address.
    init?(
        _ transport: TransportKind,
        _ authority: Substring,
        in text: String
    ) throws(CatalogueError) {
        let (host, port) = Endpoint.split(authority)
        guard Self.isHost(host) else { return nil }
        self.transport = transport
        self.host = host.lowercased()
        self.port = try Endpoint.port(port, over: transport, in: text)
    }

    /// The default label of the resolver.
    var label: String {
        let scheme = transport == .udp ? "" : "\(transport.rawValue)://"
        return scheme + host + (port == transport.usualPort ? "" : ":\(port)")
    }

    /// Whether `text` can be a host name. Names of containers may have an underscore.
    static func isHost(_ text: Substring) -> Bool {
        guard let first = text.utf8.first, first.isAlphanumeric, IPAddress(text) == nil else {
            return false
        }
        return text.utf8.count <= 253 && text.contains(where: \.isLetter)
            && text.utf8.allSatisfy { $0.isAlphanumeric || "-._".utf8.contains($0) }
    }
}

extension ResolverNotation {
    /// The host names in `notations` at which plain DNS is queried.
    package static func plainHosts(in notations: [String]) -> Set<String> {
        Set(
            notations.compactMap { text in
                guard case .host(let place) = (try? ResolverNotation(parsing: text))?.subject else {
                    return nil
                }
                return place.host
            }
        )
    }
}
