/// How a DNS message is carried.
package enum TransportKind: String, Hashable, Sendable, Codable, CaseIterable {
    case udp, tcp, tls, https, quic, h3

    /// Whether messages are encrypted on the way.
    package var isEncrypted: Bool { self != .udp && self != .tcp }

    /// Whether messages are carried in HTTP, and so have a path.
    package var isHTTP: Bool { self == .https || self == .h3 }

    /// Whether this build carries messages so: QUIC is a trait of the package.
    package var isCarried: Bool {
        #if QUIC
        true
        #else
        self != .quic && self != .h3
        #endif
    }

    /// Those that this build carries, in words.
    static var carried: String {
        allCases.filter(\.isCarried).map(\.rawValue).joined(separator: ", ")
    }

    /// The port that it has where none is named (RFC 1035, RFC 7858, RFC 8484, RFC 9250).
    package var usualPort: UInt16 {
        switch self {
        case .udp, .tcp: 53
        case .tls, .quic: 853
        case .https, .h3: 443
        }
    }

    /// An encrypted service in the notation of resolvers, without its usual port and path.
    package func notation(
        of host: String,
        at address: IPAddress?,
        port: UInt16,
        path: String?
    ) -> String {
        let known = address ?? IPAddress(host)
        let place = known.map { $0.family == .v6 ? "[\($0)]" : $0.description } ?? host
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

    /// Other names of transports, as documentation and other programs have them.
    private static let otherNames: [String: TransportKind] = [
        "dns": .udp, "do53": .udp, "plain": .udp, "dot": .tls, "ssl": .tls, "doh": .https,
        "http": .https, "h2": .https, "http2": .https, "doq": .quic, "doh3": .h3, "http3": .h3,
    ]

    /// The transport that `word` was probably meant to name, where this build carries it.
    static func meant(by word: some StringProtocol) -> TransportKind? {
        let word = word.lowercased()
        let near = NearestName.find(word, among: allCases.map(\.rawValue))
        let kind = otherNames[word] ?? near.flatMap { TransportKind(rawValue: $0) }
        return kind?.isCarried == true ? kind : nil
    }
}

/// Over what resolvers are asked.
package enum TransportChoice: TextValue, Hashable, Sendable {
    /// All that each is known to answer over.
    case all
    /// These, in this order.
    case listed([TransportKind])

    /// Reads `all`, or transports joined by commas.
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

/// Which connection carries a query over an encrypted transport.
package enum ConnectionPolicy: String, TextValue, Hashable, Sendable, CaseIterable {
    /// One of its own, with a full handshake.
    case fresh
    /// The one that an earlier query opened, as long as it stands.
    case reuse
    /// One of its own, that goes on with an earlier session where the other end has given a ticket.
    case resume

    package init(parsing text: String) throws(CatalogueError) {
        try self.init(word: text, of: "choice of connections")
    }
}

/// How the times of the queries to a resolver are chosen.
package enum Sampling: String, TextValue, Hashable, Sendable, Codable, CaseIterable {
    /// One in each of many equal slots, every second name at one moment to all.
    case periodic
    /// With exponential gaps, as a Poisson process (RFC 2330 §11.1.1).
    case poisson

    package init(parsing text: String) throws(CatalogueError) {
        try self.init(word: text, of: "sampling")
    }
}

/// How DNS over HTTPS asks (RFC 8484 §4.1).
package enum HTTPMethod: String, TextValue, Hashable, Sendable, CaseIterable {
    /// With the query as the request's content.
    case post
    /// With the query in the URL, so that caches on the way may answer.
    case get

    package init(parsing text: String) throws(CatalogueError) {
        try self.init(word: text, of: "method of HTTP")
    }
}

extension RawRepresentable where Self: CaseIterable, RawValue == String {
    /// Reads one of the words; `what` they are a choice of is said of any other.
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
