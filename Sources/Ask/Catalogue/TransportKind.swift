/// The transport of a DNS message.
package enum TransportKind: String, Hashable, Sendable, Codable, CaseIterable {
    case udp, tcp, tls, https, quic, h3

    /// Whether the transport encrypts messages.
    package var isEncrypted: Bool { self != .udp && self != .tcp }

    /// Whether HTTP carries the messages, which then have a path.
    package var isHTTP: Bool { self == .https || self == .h3 }

    /// Whether this build supports the transport. QUIC is a trait of the package.
    package var isCarried: Bool {
        #if QUIC
        true
        #else
        self != .quic && self != .h3
        #endif
    }

    /// The transports that this build supports, in words.
    static var carried: String {
        allCases.filter(\.isCarried).map(\.rawValue).joined(separator: ", ")
    }

    /// The default port (RFC 1035, RFC 7858, RFC 8484, RFC 9250).
    package var usualPort: UInt16 {
        switch self {
        case .udp, .tcp: 53
        case .tls, .quic: 853
        case .https, .h3: 443
        }
    }

    /// An encrypted service in the notation of resolvers, without the default port and path.
    package func notation(
        of host: String,
        at address: IPAddress?,
        port: UInt16,
        path: String?
    ) -> String {
        let known = address ?? IPAddress(host)
        let place = known?.bracketed ?? host
        let port = port == usualPort ? "" : ":\(port)"
        let path = path == Resolver.usualPath ? "" : path ?? ""
        return "\(rawValue)://\(place)\(port)\(path)" + (address == nil ? "" : "#\(host)")
    }

    /// The transport that a URL's scheme names.
    init(scheme: Substring, in text: String) throws(CatalogueError) {
        guard let kind = TransportKind(rawValue: scheme.lowercased()) else {
            let advice =
                Self.meant(by: scheme).map { "did you mean '\($0.rawValue)://'?" }
                ?? "write one of \(Self.carried) before ://"
            throw .usage(
                "\(text.quoted): unknown transport \(String(scheme).quoted); \(advice)"
            )
        }
        self = kind
    }

    /// Other names of transports in documentation and other programs.
    private static let otherNames: [String: TransportKind] = [
        "dns": .udp, "do53": .udp, "plain": .udp, "dot": .tls, "ssl": .tls, "doh": .https,
        "http": .https, "h2": .https, "http2": .https, "doq": .quic, "doh3": .h3, "http3": .h3,
    ]

    /// The transport that `word` probably means, if this build supports it.
    static func meant(by word: some StringProtocol) -> TransportKind? {
        let word = word.lowercased()
        let near = NearestName.find(word, among: allCases.map(\.rawValue))
        let kind = otherNames[word] ?? near.flatMap { TransportKind(rawValue: $0) }
        return kind?.isCarried == true ? kind : nil
    }
}

/// The transports over which resolvers are queried.
package enum TransportChoice: TextValue, Hashable, Sendable {
    /// All transports that each resolver is known to support.
    case all
    /// These transports, in this order.
    case listed([TransportKind])

    /// Reads `all`, or transports separated by commas.
    package init(parsing text: String) throws(CatalogueError) {
        self = .all
        guard text != "all" else { return }
        let advice = "write \(TransportKind.carried), several as udp,tls, or all"
        var kinds: [TransportKind] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let name = String(part.trimmingSpaces)
            guard let kind = TransportKind(rawValue: name) else {
                let near = TransportKind.meant(by: name).map { "did you mean '\($0.rawValue)'?" }
                throw .usage("unknown transport \(name.quoted); \(near ?? advice)")
            }
            guard kind.isCarried else {
                throw .usage("the transport \(name.quoted): this build has no QUIC; \(advice)")
            }
            if !kinds.contains(kind) { kinds.append(kind) }
        }
        self = .listed(kinds)
    }
}

/// The choice of the connection for a query over an encrypted transport.
package enum ConnectionPolicy: String, TextValue, Hashable, Sendable, CaseIterable {
    /// A new connection with a full handshake per query.
    case fresh
    /// The connection that an earlier query opened, while it is open.
    case reuse
    /// A new connection per query, which resumes an earlier session if the server issued a ticket.
    case resume

    package init(parsing text: String) throws(CatalogueError) {
        try self.init(word: text, of: "choice of connections")
    }
}

/// The choice of the times of the queries to a resolver.
package enum Sampling: String, TextValue, Hashable, Sendable, Codable, CaseIterable {
    /// One query in each of many equal slots. Every second name goes to all resolvers at one
    /// moment.
    case periodic
    /// Queries with exponential gaps, as a Poisson process (RFC 2330 §11.1.1).
    case poisson

    package init(parsing text: String) throws(CatalogueError) {
        try self.init(word: text, of: "sampling")
    }
}

/// The version of TLS over TCP. QUIC always uses TLS 1.3 (RFC 9001 §4.2).
package enum TLSVersion: String, TextValue, Hashable, Sendable, CaseIterable {
    case v12 = "1.2"
    case v13 = "1.3"

    package init(parsing text: String) throws(CatalogueError) {
        try self.init(word: text, of: "version of TLS")
    }
}

/// The HTTP method of DNS over HTTPS (RFC 8484 §4.1).
package enum HTTPMethod: String, TextValue, Hashable, Sendable, CaseIterable {
    /// The query is the content of the request.
    case post
    /// The query is in the URL, so that caches on the path may answer.
    case get

    package init(parsing text: String) throws(CatalogueError) {
        try self.init(word: text, of: "method of HTTP")
    }
}

extension RawRepresentable where Self: CaseIterable, RawValue == String {
    /// Reads one of the words. `what` is the kind of the choice, for the error about other words.
    fileprivate init(word text: String, of what: String) throws(CatalogueError) {
        guard let choice = Self(rawValue: text) else {
            let words = Self.allCases.map(\.rawValue)
            let list = words.dropLast().joined(separator: ", ") + " or " + (words.last ?? "")
            let near = NearestName.advice(for: text, among: words)
            throw .usage("unknown \(what) \(text.quoted); \(near ?? "write \(list)")")
        }
        self = choice
    }
}
