/// The text that names a resolver, taken apart but not yet looked up.
struct ResolverNotation: Hashable {
    enum Subject: Hashable {
        case name(String)
        case everyAddress(ofName: String)
        case system(Int)
        case gateway
        case endpoint(Endpoint)
        case encrypted(EncryptedAddress)
        /// A URL of a transport that this build does not carry, and its host.
        case uncarried(host: String)
    }

    /// As written, without the label.
    var text: String
    /// The user's own label.
    var label: String?
    var subject: Subject
    /// Of a stamp: the SHA-256 of certificates' signed parts, of which a chain has to have one.
    var hashes: Set<[UInt8]> = []

    /// A stamp becomes the address that it stands for.
    init(parsing whole: String) throws(CatalogueError) {
        guard !whole.isEmpty else {
            throw CatalogueError(.usage, "a resolver is empty; give a name or an address")
        }
        text = whole
        if let sign = whole.firstIndex(of: "="), !whole[..<sign].contains("://") {
            let name = whole[..<sign]
            guard Resolver.isLabel(name) else {
                throw CatalogueError(
                    .usage,
                    "\(String(name).quoted) cannot be a label: use letters, digits, '.', '_'"
                        + " and '-', at most 63, beginning with a letter or digit"
                )
            }
            label = String(name)
            text = String(whole[whole.index(after: sign)...])
            guard !text.isEmpty else {
                throw CatalogueError(
                    .usage,
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
            guard transport.isEncrypted else { return .endpoint(try Endpoint(parsing: text)) }
            if transport.isCarried {
                let rest = text[mark.upperBound...]
                return .encrypted(try EncryptedAddress(transport, rest, in: text))
            }
            let authority = text[mark.upperBound...].prefix { !"/#?".contains($0) }
            return .uncarried(host: String(Endpoint.split(authority).host))
        }
        if text.hasSuffix("/all") { return .everyAddress(ofName: String(text.dropLast(4))) }
        if text == "gateway" { return .gateway }
        if let index = systemIndex(text) { return .system(index) }
        return looksLikeAddress(text) ? .endpoint(try Endpoint(parsing: text)) : .name(text)
    }

    /// 1 for `system`, N for `system-N` with N from 2.
    static func systemIndex(_ text: String) -> Int? {
        guard text != "system" else { return 1 }
        guard text.hasPrefix("system-"), let index = Int(text.dropFirst(7)), index >= 2,
            text == "system-\(index)"
        else { return nil }
        return index
    }

    private static func looksLikeAddress(_ text: String) -> Bool {
        text.contains { ":[%".contains($0) }
            || text.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2e || $0 == 0x2f }
    }
}
