/// Where an encrypted transport goes, as written: `HOST[:PORT][/PATH][#NAME]`.
struct EncryptedAddress: Hashable {
    enum Place: Hashable {
        case endpoint(Endpoint)
        case host(String, port: UInt16)
    }

    var transport: TransportKind
    var place: Place
    /// Where it is asked over HTTP, where that is not ``Resolver/usualPath``.
    var path: String?
    /// What the certificate has to name, where that is not the host.
    var name: String?

    /// Reads `rest`, what stands behind `://` in `text`.
    init(_ transport: TransportKind, _ rest: Substring, in text: String) throws(CatalogueError) {
        let parts = rest.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        let authority = (parts.first ?? "").prefix { !"/?".contains($0) }
        self.transport = transport
        path = try Self.path((parts.first ?? "")[authority.endIndex...], over: transport, in: text)
        if parts.count > 1 {
            let name = parts[1]
            guard Self.isServerName(name) else {
                throw CatalogueError(
                    .usage,
                    "\(text.quoted): \(String(name).quoted) cannot be the name in a certificate;"
                        + " write a host name or an address behind #"
                )
            }
            self.name = String(name)
        }
        let (host, port) = Endpoint.split(authority)
        guard IPAddress(host) == nil, Self.isServerName(host), host.contains(where: \.isLetter)
        else {
            place = .endpoint(try Endpoint(transport: transport, authority: authority, in: text))
            return
        }
        guard let port = Endpoint.port(port, usual: transport.usualPort) else {
            throw CatalogueError(
                .usage,
                "\(text.quoted) has no usable port; write a number from 1 to 65535"
            )
        }
        place = .host(host.lowercased(), port: port)
    }

    /// The path, without the place for the query that a template ends with (RFC 8484 §3).
    private static func path(
        _ path: Substring,
        over transport: TransportKind,
        in text: String
    ) throws(CatalogueError) -> String? {
        guard !path.isEmpty else { return nil }
        guard transport.isHTTP else {
            throw CatalogueError(
                .usage,
                "\(text.quoted): DNS over \(transport == .tls ? "TLS" : "QUIC") has no path;"
                    + " write \(transport.rawValue)://ADDRESS#NAME"
            )
        }
        let bare = path.hasSuffix("{?dns}") ? path.dropLast(6) : path
        guard bare.hasPrefix("/"), Self.isPath(bare) else {
            throw CatalogueError(
                .usage,
                "\(text.quoted): \(String(path).quoted) cannot be a path;"
                    + " write one such as \(Resolver.usualPath)"
            )
        }
        return bare == Resolver.usualPath ? nil : String(bare)
    }

    /// What may stand in a path and its query (RFC 3986 §3.3, §3.4).
    private static func isPath(_ text: Substring) -> Bool {
        text.utf8.allSatisfy { octet in
            (0x30...0x39).contains(octet) || (0x61...0x7a).contains(octet | 0x20)
                || "/?%-._~!$&'()*+,;=:@".utf8.contains(octet)
        }
    }

    /// Letters, digits, dots and hyphens, or an address.
    static func isServerName(_ text: Substring) -> Bool {
        if IPAddress(text) != nil { return true }
        return (1...253).contains(text.utf8.count)
            && text.utf8.allSatisfy { octet in
                (0x30...0x39).contains(octet) || (0x61...0x7a).contains(octet | 0x20)
                    || octet == 0x2d || octet == 0x2e
            }
    }
}
