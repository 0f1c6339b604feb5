#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A DNS stamp: a resolver's transport, address and name in one text
/// (dnscrypt.info/stamps-specifications).
package struct ServerStamp: Hashable, Sendable {
    /// The operator's declarations about the service.
    package struct Properties: OptionSet, Hashable, Sendable {
        package var rawValue: UInt64

        package init(rawValue: UInt64) { self.rawValue = rawValue }

        /// The resolver validates answers.
        package static let dnssec = Properties(rawValue: 1 << 0)
        /// The resolver keeps no queries.
        package static let noLogs = Properties(rawValue: 1 << 1)
        /// The resolver blocks no names.
        package static let noFilter = Properties(rawValue: 1 << 2)
    }

    package var transport: TransportKind
    package var properties: Properties
    /// The address; `nil` if the host name has to be looked up.
    package var address: IPAddress?
    package var port: UInt16
    /// The name that the certificate must have; empty for plain DNS.
    package var host: String
    package var path: String?
    /// SHA-256 hashes of certificates' signed parts. A chain must contain one of them. Empty for no
    /// restriction.
    package var hashes: Set<[UInt8]>

    /// Whether `text` begins like a stamp.
    package static func isStamp(_ text: String) -> Bool { text.lowercased().hasPrefix("sdns://") }

    /// Reads `sdns://` and the encoded fields.
    package init(parsing text: String) throws(CatalogueError) {
        var reader = try StampReader(text)
        transport = try reader.transport()
        properties = Properties(rawValue: try reader.number("properties"))
        let place = try reader.place("address")
        hashes = []
        host = ""
        var hostPort: UInt16?
        if transport != .udp {
            hashes = Set(try reader.list("certificate hash").filter { !$0.isEmpty })
            let named = try reader.place("host name")
            guard EncryptedAddress.isServerName(named.host) else {
                throw reader.fault("has \(named.text.quoted) for a host name")
            }
            host = named.host.lowercased()
            hostPort = named.port
            if transport == .https { path = try reader.path() }
            // The user chooses the resolver for the host's address, so that this list is ignored.
            if reader.left > 0 { _ = try reader.list("bootstrap resolver") }
        }
        guard reader.left == 0 else {
            throw reader.fault("has \(reader.left) bytes after its end; copy it again")
        }
        if let hash = hashes.first(where: { $0.count != 32 }) {
            throw reader.fault("has a certificate hash of \(hash.count) bytes instead of 32")
        }
        address = IPAddress(place.host)?.unmapped
        guard address != nil || place.host.isEmpty else {
            throw reader.fault("has \(place.text.quoted) for an address")
        }
        if let port = place.port, let hostPort, port != hostPort {
            throw reader.fault("names two ports, \(port) and \(hostPort)")
        }
        port = place.port ?? hostPort ?? transport.usualPort
        guard address != nil || transport != .udp else { throw reader.fault("has no address") }
    }

    /// The same resolver in the resolver notation, without hashes and properties.
    package var notation: String {
        if transport == .udp, let address {
            return Endpoint(transport: .udp, address: address, port: port).shortText
        }
        return transport.notation(of: host, at: address, port: port, path: path)
    }
}

/// Reads the fields of a stamp one after the other. A truncated field is an error.
private struct StampReader {
    private let stamp: String
    private var rest: ArraySlice<UInt8>

    init(_ stamp: String) throws(CatalogueError) {
        self.stamp = stamp
        rest = []
        guard let mark = stamp.firstRange(of: "://"),
            let data = Base64URL.bytes(of: stamp[mark.upperBound...])
        else { throw fault("is not valid: copy all of it, without spaces or '='") }
        rest = data[...]
    }

    var left: Int { rest.count }

    func fault(_ words: String) -> CatalogueError {
        .usage("the DNS stamp \(stamp.quoted) \(words)")
    }

    mutating func transport() throws(CatalogueError) -> TransportKind {
        let code = try byte("protocol")
        guard let service = StampProtocol(rawValue: code) else {
            throw fault("is for protocol \(code), which is unknown; copy it again")
        }
        guard let transport = service.transport else {
            throw fault(
                "is for \(service.words), which is not supported; give a stamp for plain DNS, DoT,"
                    + " DoH or DoQ"
            )
        }
        return transport
    }

    /// A number of eight bytes, the least significant first.
    mutating func number(_ field: String) throws(CatalogueError) -> UInt64 {
        try take(8, field).reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    private mutating func text(_ field: String) throws(CatalogueError) -> String {
        let data = try take(Int(byte(field)), field)
        guard let text = String(validating: data, as: UTF8.self) else {
            let article = field.hasPrefix("a") ? "an" : "a"
            throw fault("has \(article) \(field) that is no text; copy it again")
        }
        return text
    }

    /// A host, a port after a colon, or both; each may be absent.
    mutating func place(
        _ field: String
    ) throws(CatalogueError) -> (text: String, host: Substring, port: UInt16?) {
        let text = try text(field)
        let (host, digits) = Endpoint.split(text[...])
        let port = digits.flatMap(Endpoint.port)
        guard digits == nil || port != nil else {
            throw fault("has no usable port in \(text.quoted)")
        }
        return (text, host, port)
    }

    mutating func path() throws(CatalogueError) -> String {
        let text = try text("path")
        guard text.hasPrefix("/"), text.utf8.allSatisfy({ (0x21...0x7e).contains($0) }),
            !text.contains("#")
        else { throw fault("has the path \(text.quoted), which does not begin with '/'") }
        return text
    }

    /// Entries with their lengths. The highest bit of a length marks that another entry follows.
    mutating func list(_ field: String) throws(CatalogueError) -> [[UInt8]] {
        var entries: [[UInt8]] = []
        var hasMore = true
        while hasMore {
            let count = try byte(field)
            hasMore = count & 0x80 != 0
            entries.append(try take(Int(count & 0x7f), field))
        }
        return entries
    }

    private mutating func byte(_ field: String) throws(CatalogueError) -> UInt8 {
        try take(1, field)[0]
    }

    private mutating func take(_ count: Int, _ field: String) throws(CatalogueError) -> [UInt8] {
        guard count <= left else { throw fault("ends inside its \(field); copy all of it") }
        defer { rest = rest.dropFirst(count) }
        return Array(rest.prefix(count))
    }
}

/// Bytes as letters, digits, `-` and `_` (RFC 4648 §5), without padding.
package enum Base64URL {
    package static func text(of bytes: [UInt8]) -> String {
        let digits = Data(bytes).base64EncodedData().prefix { $0 != UInt8(ascii: "=") }.map {
            switch $0 {
            case UInt8(ascii: "+"): UInt8(ascii: "-")
            case UInt8(ascii: "/"): UInt8(ascii: "_")
            default: $0
            }
        }
        return String(decoding: digits, as: UTF8.self)
    }

    /// The bytes that `text` encodes; `nil` if the text is not valid.
    static func bytes(of text: some StringProtocol) -> [UInt8]? {
        let padding = String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
        let usual = String(text.map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 }) + padding
        guard let data = Data(base64Encoded: usual).map(Array.init) else { return nil }
        // Each byte sequence has one text only: the unused bits of the last character are zero.
        return Self.text(of: data) == text ? data : nil
    }
}
