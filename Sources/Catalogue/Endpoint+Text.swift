extension Endpoint {
    /// Reads `ADDRESS[:PORT]` or a `udp://` or `tcp://` URL of one; without a port it is 53.
    ///
    /// An IPv6 address with a port is written in brackets. A host name is refused: nothing is
    /// looked up.
    package init(parsing text: String) throws(CatalogueError) {
        guard let mark = text.firstRange(of: "://") else {
            try self.init(transport: .udp, authority: text[...], in: text)
            return
        }
        let transport = try TransportKind(scheme: text[..<mark.lowerBound], in: text)
        guard !transport.isEncrypted else {
            throw CatalogueError(
                .usage,
                "\(text.quoted): plain DNS alone can be given here;"
                    + " give an address, udp:// or tcp://"
            )
        }
        let authority = text[mark.upperBound...]
        guard let surplus = authority.firstIndex(where: { "/#?@".contains($0) }) else {
            try self.init(transport: transport, authority: authority, in: text)
            return
        }
        throw CatalogueError(
            .usage,
            "\(text.quoted): plain DNS has neither path nor certificate;"
                + " leave out \(String(authority[surplus...]).quoted)"
        )
    }

    /// Reads `ADDRESS[:PORT]` out of `text`.
    init(
        transport: TransportKind,
        authority: Substring,
        in text: String
    ) throws(CatalogueError) {
        let (host, port) = Self.split(authority)
        guard let address = IPAddress(host)?.unmapped else {
            throw Self.notAnAddress(String(host), in: text)
        }
        guard address.isUnicast else {
            throw CatalogueError(
                .usage,
                "\(text.quoted): no resolver can have the address \(address);"
                    + " give the address of one machine"
            )
        }
        guard let port = Self.port(port, usual: transport.usualPort) else {
            throw CatalogueError(
                .usage,
                "\(text.quoted) has no usable port; write a number from 1 to 65535"
            )
        }
        self.init(transport: transport, address: address, port: port)
    }

    /// The host without brackets, and the text after the colon that begins a port.
    static func split(_ authority: Substring) -> (host: Substring, port: Substring?) {
        if authority.hasPrefix("["), let end = authority.firstIndex(of: "]") {
            let host = authority[authority.index(after: authority.startIndex)..<end]
            let rest = authority[authority.index(after: end)...]
            if rest.isEmpty { return (host, nil) }
            return rest.hasPrefix(":") ? (host, rest.dropFirst()) : (authority, nil)
        }
        guard let colon = authority.firstIndex(of: ":"), authority.lastIndex(of: ":") == colon
        else { return (authority, nil) }
        return (authority[..<colon], authority[authority.index(after: colon)...])
    }

    static func port(_ text: Substring?, usual: UInt16) -> UInt16? {
        guard let text else { return usual }
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let port = UInt16(text),
            port > 0
        else { return nil }
        return port
    }

    private static func notAnAddress(_ host: String, in text: String) -> CatalogueError {
        let place = host == text ? host.quoted : "\(host.quoted) in \(text.quoted)"
        if host.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2e }) {
            return CatalogueError(
                .usage,
                "\(place) is not an IPv4 address; write four numbers from 0 to 255"
            )
        }
        if host.contains(":") || host.contains("[") || host.contains("%") {
            return CatalogueError(
                .usage,
                "\(place) is not an IPv6 address; write one such as 2001:db8::1,"
                    + " with a port [2001:db8::1]:53"
            )
        }
        return CatalogueError(
            .usage,
            "\(place) is a host name, and no name is looked up here; give an address"
        )
    }
}

extension TransportKind {
    /// The transport that a URL's scheme names.
    init(scheme: Substring, in text: String) throws(CatalogueError) {
        guard let kind = TransportKind(rawValue: scheme.lowercased()) else {
            throw CatalogueError(
                .usage,
                "\(text.quoted): unknown transport \(String(scheme).quoted);"
                    + " write one of \(Self.carried) before ://"
            )
        }
        self = kind
    }

    /// Reads `udp`, `tls`, `https` or several joined by commas, in the order given.
    package static func list(parsing text: String) throws(CatalogueError) -> [TransportKind] {
        var kinds: [TransportKind] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let name = String(part.trimmingSpaces)
            guard let kind = TransportKind(rawValue: name) else {
                throw CatalogueError(
                    .usage,
                    "unknown transport \(name.quoted);"
                        + " write \(carried), several as udp,tls, or all"
                )
            }
            guard kind.isCarried else {
                throw CatalogueError(
                    .usage,
                    "the transport \(name.quoted): this build has no QUIC;"
                        + " write \(carried), several as udp,tls, or all"
                )
            }
            if !kinds.contains(kind) { kinds.append(kind) }
        }
        return kinds
    }
}

extension StringProtocol {
    /// Without spaces, tabs and carriage returns at both ends.
    var trimmingSpaces: SubSequence {
        let isSpace: (Character) -> Bool = { $0 == " " || $0 == "\t" || $0 == "\r" }
        guard let first = firstIndex(where: { !isSpace($0) }),
            let last = lastIndex(where: { !isSpace($0) })
        else { return self[startIndex..<startIndex] }
        return self[first...last]
    }
}
