/// Where an encrypted transport goes, as written: `HOST[:PORT][#NAME]`.
struct EncryptedAddress: Hashable {
    enum Place: Hashable {
        case endpoint(Endpoint)
        case host(String, port: UInt16)
    }

    var place: Place
    /// What the certificate has to name, where that is not the host.
    var name: String?

    /// Reads `rest`, what stands behind `://` in `text`.
    init(_ transport: TransportKind, _ rest: Substring, in text: String) throws(CatalogueError) {
        let parts = rest.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        let authority = parts.first ?? ""
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
        guard !authority.contains(where: { "/?@".contains($0) }) else {
            throw CatalogueError(
                .usage,
                "\(text.quoted): DNS over TLS has no path; write tls://ADDRESS#NAME"
            )
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

    /// Letters, digits, dots and hyphens, or an address.
    private static func isServerName(_ text: Substring) -> Bool {
        if IPAddress(text) != nil { return true }
        return (1...253).contains(text.utf8.count)
            && text.utf8.allSatisfy { octet in
                (0x30...0x39).contains(octet) || (0x61...0x7a).contains(octet | 0x20)
                    || octet == 0x2d || octet == 0x2e
            }
    }
}
