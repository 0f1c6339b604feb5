/// The parsed text that names a resolver. Its name is not looked up yet.
package struct ResolverNotation: Hashable {
    enum Subject: Hashable {
        /// An entry's first address, or all its addresses.
        case name(String, all: Bool)
        case system(Int)
        case gateway
        case endpoint(Endpoint)
        case host(PlainHost)
        case encrypted(EncryptedAddress)
        /// A URL of a transport that this build does not support, and its host.
        case uncarried(host: String)
    }

    /// The text as written, without the label.
    var text: String
    var label: String?
    var subject: Subject
    /// SHA-256 hashes of certificates' signed parts in a stamp. A chain must contain one of them.
    var hashes: Set<[UInt8]> = []

    /// Reads a notation. A stamp becomes the address in it.
    init(parsing whole: String) throws(CatalogueError) {
        guard !whole.isEmpty else { throw .usage("a resolver is empty; give a name or an address") }
        text = whole
        if let sign = whole.firstIndex(of: "="), !whole[..<sign].contains("://") {
            let name = whole[..<sign]
            guard Resolver.isLabel(name) else {
                throw .usage(
                    "\(String(name).quoted) cannot be a label: use letters, digits, '.', '_'"
                        + " and '-', at most 63, beginning with a letter or digit"
                )
            }
            label = String(name)
            text = String(whole[whole.index(after: sign)...])
            guard !text.isEmpty else {
                throw .usage(
                    "the label \(String(name).quoted) stands alone;"
                        + " write \(name)=ADDRESS or \(name)=NAME"
                )
            }
        }
        if ServerStamp.isStamp(text) {
            let stamp = try ServerStamp(parsing: text)
            text = stamp.notation
            hashes = stamp.hashes
        }
        subject = try Self.subject(text)
    }

    private static func subject(_ text: String) throws(CatalogueError) -> Subject {
        if let mark = text.firstRange(of: "://") {
            let transport = try TransportKind(scheme: text[..<mark.lowerBound], in: text)
            guard transport.isEncrypted else {
                let rest = text[mark.upperBound...]
                if let host = try PlainHost(transport, rest, in: text) { return .host(host) }
                return .endpoint(try Endpoint(parsing: text))
            }
            if transport.isCarried {
                let rest = text[mark.upperBound...]
                return .encrypted(try EncryptedAddress(transport, rest, in: text))
            }
            let authority = text[mark.upperBound...].prefix { !"/#?".contains($0) }
            return .uncarried(host: String(Endpoint.split(authority).host))
        }
        if text.hasSuffix("/all") { return .name(String(text.dropLast(4)), all: true) }
        if text == "gateway" { return .gateway }
        if let index = systemIndex(text) { return .system(index) }
        if let meant = url(meantBy: text) {
            throw .usage("\(text.quoted) is not an address; did you mean '\(meant)'?")
        }
        if looksLikeAddress(text) {
            if let host = try PlainHost(.udp, text[...], in: text) { return .host(host) }
            return .endpoint(try Endpoint(parsing: text))
        }
        return .name(text, all: false)
    }

    /// The default label of a resolver that is written as `text`. The label of an address is its
    /// canonical form.
    package static func usualLabel(of text: String) -> String {
        guard let notation = try? ResolverNotation(parsing: text), notation.label == nil else {
            return text
        }
        switch notation.subject {
        case .endpoint(let endpoint): return endpoint.withNamedZone.shortText
        case .host(let place): return place.label
        default: return text
        }
    }

    /// 1 for `system`, N for `system-N` with N from 2; `nil` for other texts.
    static func systemIndex(_ text: String) -> Int? {
        guard text != "system" else { return 1 }
        guard text.hasPrefix("system-"), let index = Int(text.dropFirst(7)), index >= 2,
            text == "system-\(index)"
        else { return nil }
        return index
    }

    /// Whether `name` always means one of this machine's own resolvers.
    package static func isOfMachine(_ name: String) -> Bool {
        systemIndex(name) != nil || name == "gateway"
    }

    /// The URL that `text` means without one or both slashes, such as `tls:127.0.0.1`. `nil` for
    /// any other text, such as a host with a port.
    private static func url(meantBy text: String) -> String? {
        guard let colon = text.firstIndex(of: ":") else { return nil }
        let (scheme, rest) = (text[..<colon], text[text.index(after: colon)...].drop { $0 == "/" })
        guard !rest.isEmpty, Endpoint.port(rest) == nil, scheme.contains(where: { !$0.isHexDigit }),
            let kind = TransportKind.meant(by: scheme)
        else { return nil }
        return "\(kind.rawValue)://\(rest)"
    }

    private static func looksLikeAddress(_ text: String) -> Bool {
        text.contains { ":[%".contains($0) }
            || text.utf8.allSatisfy { $0.isDigit || $0 == 0x2e || $0 == 0x2f }
    }
}

/// The destination of an encrypted transport, as written: `HOST[:PORT][/PATH][#NAME]`.
struct EncryptedAddress: Hashable {
    enum Place: Hashable {
        case endpoint(Endpoint)
        case host(String, port: UInt16)
    }

    var transport: TransportKind
    var place: Place
    /// The path for DNS over HTTP, if it is not ``Resolver/usualPath``.
    var path: String?
    /// The name that the certificate must have, if it is not the host.
    var name: String?

    /// Reads `rest`, the part of `text` after `://`.
    init(_ transport: TransportKind, _ rest: Substring, in text: String) throws(CatalogueError) {
        let parts = rest.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        let authority = (parts.first ?? "").prefix { !"/?".contains($0) }
        self.transport = transport
        path = try Self.path((parts.first ?? "")[authority.endIndex...], over: transport, in: text)
        if parts.count > 1 {
            let name = parts[1]
            guard Self.isServerName(name) else {
                throw .usage(
                    "\(text.quoted): \(String(name).quoted) is not a valid name in a certificate;"
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
        place = .host(host.lowercased(), port: try Endpoint.port(port, over: transport, in: text))
    }

    /// The path, without the variable for the query at the end of a template (RFC 8484 §3).
    private static func path(
        _ path: Substring,
        over transport: TransportKind,
        in text: String
    ) throws(CatalogueError) -> String? {
        guard !path.isEmpty else { return nil }
        guard transport.isHTTP else {
            throw .usage(
                "\(text.quoted): DNS over \(transport == .tls ? "TLS" : "QUIC") has no path;"
                    + " write \(transport.rawValue)://ADDRESS#NAME"
            )
        }
        let bare = path.hasSuffix("{?dns}") ? path.dropLast(6) : path
        guard bare.hasPrefix("/"), Self.isPath(bare) else {
            throw .usage(
                "\(text.quoted): \(String(path).quoted) cannot be a path;"
                    + " write one such as \(Resolver.usualPath)"
            )
        }
        return bare == Resolver.usualPath ? nil : String(bare)
    }

    private static func isPath(_ text: Substring) -> Bool {
        text.utf8.allSatisfy { byte in
            byte.isAlphanumeric || "/?%-._~!$&'()*+,;=:@".utf8.contains(byte)
        }
    }

    static func isServerName(_ text: Substring) -> Bool {
        if IPAddress(text) != nil { return true }
        return (1...253).contains(text.utf8.count)
            && text.utf8.allSatisfy { $0.isAlphanumeric || $0 == 0x2d || $0 == 0x2e }
    }
}
