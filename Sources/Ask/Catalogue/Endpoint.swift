/// The destination of queries (address, port and transport) and their source.
package struct Endpoint: TextValue, Hashable, Sendable, Codable, CustomStringConvertible {
    package var transport: TransportKind
    package var address: IPAddress
    package var port: UInt16
    /// The source of the queries, if the system does not choose it. No text of the endpoint
    /// contains it.
    package var source: QuerySource?
    /// The mark of the queries, if they have one. No text of the endpoint contains it.
    package var mark: DSCP?

    package init(
        transport: TransportKind,
        address: IPAddress,
        port: UInt16,
        source: QuerySource? = nil
    ) {
        self.transport = transport
        self.address = address
        self.port = port
        self.source = source
    }

    /// Address and port, always both, such as `127.0.0.1:5311` or `[::1]:53`.
    package var description: String { "\(address.bracketed):\(port)" }

    /// The shortest text that names the endpoint in the resolver notation. It omits the transport's
    /// default port, and the transport if it is UDP.
    package var shortText: String {
        let isUsual = port == transport.usualPort
        let place = isUsual ? address.description : description
        guard transport != .udp else { return place }
        return "\(transport.rawValue)://" + (isUsual ? address.bracketed : place)
    }

    /// Reads `ADDRESS[:PORT]`, or the same after `udp://` or `tcp://`. The default port is 53. An
    /// IPv6 address with a port needs brackets. Host names are rejected, because this does not look
    /// names up.
    package init(parsing text: String) throws(CatalogueError) {
        guard let mark = text.firstRange(of: "://") else {
            try self.init(transport: .udp, authority: text[...], in: text)
            return
        }
        let transport = try TransportKind(scheme: text[..<mark.lowerBound], in: text)
        guard !transport.isEncrypted else {
            throw .usage(
                "\(text.quoted): only plain DNS is allowed here;"
                    + " give an address, udp:// or tcp://"
            )
        }
        let authority = text[mark.upperBound...]
        guard let surplus = authority.firstIndex(where: { "/#?@".contains($0) }) else {
            try self.init(transport: transport, authority: authority, in: text)
            return
        }
        throw .usage(
            "\(text.quoted): plain DNS has neither path nor certificate;"
                + " leave out \(String(authority[surplus...]).quoted)"
        )
    }

    /// Reads `ADDRESS[:PORT]`, a part of `text`.
    init(transport: TransportKind, authority: Substring, in text: String) throws(CatalogueError) {
        let (host, port) = Self.split(authority)
        guard let address = IPAddress(host)?.unmapped else {
            throw Self.notAnAddress(String(host), in: text)
        }
        guard address.isUnicast else {
            throw .usage(
                "\(text.quoted): no resolver can have the address \(address);"
                    + " give the address of one machine"
            )
        }
        let number = try Self.port(port, over: transport, in: text)
        self.init(transport: transport, address: address, port: number)
    }

    /// The host without brackets, and the text after the colon that begins a port.
    package static func split(_ authority: Substring) -> (host: Substring, port: Substring?) {
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

    /// The port in `digits`, a part of `text`; without digits, the transport's default port.
    static func port(
        _ digits: Substring?,
        over transport: TransportKind,
        in text: String
    ) throws(CatalogueError) -> UInt16 {
        guard let digits else { return transport.usualPort }
        guard let port = port(digits) else {
            throw .usage("\(text.quoted) has no usable port; write a number from 1 to 65535")
        }
        return port
    }

    /// A port from 1 to 65535; `nil` for any other text.
    package static func port(_ digits: Substring) -> UInt16? {
        guard digits.utf8.allSatisfy(\.isDigit), let port = UInt16(digits), port > 0 else {
            return nil
        }
        return port
    }

    private static func notAnAddress(_ host: String, in text: String) -> CatalogueError {
        let place = host == text ? host.quoted : "\(host.quoted) in \(text.quoted)"
        if host.utf8.allSatisfy({ $0.isDigit || $0 == 0x2e }) {
            return .usage("\(place) is not an IPv4 address; write four numbers from 0 to 255")
        }
        if host.contains(":") || host.contains("[") || host.contains("%") {
            return .usage(
                "\(place) is not an IPv6 address; write one such as 2001:db8::1,"
                    + " with a port [2001:db8::1]:53"
            )
        }
        return .usage("\(place) is a host name, and no name is looked up here; give an address")
    }
}
