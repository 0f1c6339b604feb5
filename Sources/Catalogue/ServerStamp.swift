/// A DNS stamp: whom to ask, where and how, in one text (dnscrypt.info/stamps-specifications).
package struct ServerStamp: Hashable, Sendable {
    /// The operator's declarations about the service.
    package struct Properties: OptionSet, Hashable, Sendable {
        package var rawValue: UInt64

        package init(rawValue: UInt64) { self.rawValue = rawValue }

        /// Answers are validated.
        package static let dnssec = Properties(rawValue: 1 << 0)
        /// Queries are not kept.
        package static let noLogs = Properties(rawValue: 1 << 1)
        /// Nothing is blocked.
        package static let noFilter = Properties(rawValue: 1 << 2)
    }

    package var transport: TransportKind
    package var properties: Properties
    /// `nil` where the host name is to be looked up.
    package var address: IPAddress?
    package var port: UInt16
    /// The name that the certificate has to have; empty for plain DNS.
    package var host: String
    package var path: String?
    /// The SHA-256 of the signed part of certificates, of which the other end's chain has to have
    /// one; empty for any.
    package var hashes: Set<[UInt8]>

    /// Whether `text` is meant as a stamp.
    package static func isStamp(_ text: String) -> Bool { text.lowercased().hasPrefix("sdns://") }

    /// Reads `sdns://` and what follows.
    package init(parsing text: String) throws(CatalogueError) {
        guard let mark = text.firstRange(of: "://"),
            let octets = Base64URL.octets(of: text[mark.upperBound...])
        else { throw Self.fault(text, "is not one: copy all of it, without spaces or '='") }
        do throws(StampFault) {
            try self.init(octets)
        } catch {
            throw Self.fault(text, error.text)
        }
    }

    private init(_ octets: [UInt8]) throws(StampFault) {
        var reader = StampReader(octets)
        transport = try Self.transport(ofProtocol: reader.octet("protocol"))
        properties = Properties(rawValue: try reader.number("properties"))
        let place = try StampPlace(reader.text("address"))
        hashes = []
        host = ""
        var hostPort: UInt16?
        if transport != .udp {
            hashes = Set(try reader.list("certificate hash").filter { !$0.isEmpty })
            let named = try StampPlace(reader.text("host name"))
            host = try named.hostName
            hostPort = named.port
            if transport == .https { path = try Self.path(reader.text("path")) }
            // Whom to ask for the host's address is for the user to say.
            if !reader.isAtEnd { _ = try reader.list("bootstrap resolver") }
        }
        guard reader.isAtEnd else {
            throw StampFault("has \(reader.left) octets after its end; copy it again")
        }
        if let hash = hashes.first(where: { $0.count != 32 }) {
            throw StampFault("has a certificate hash of \(hash.count) octets where 32 belong")
        }
        address = try place.address
        if let port = place.port, let hostPort, port != hostPort {
            throw StampFault("names two ports, \(port) and \(hostPort)")
        }
        port = place.port ?? hostPort ?? transport.usualPort
        guard address != nil || transport != .udp else { throw StampFault("has no address") }
    }

    private static func transport(ofProtocol code: UInt8) throws(StampFault) -> TransportKind {
        switch code {
        case 0x00: return .udp
        case 0x02: return .https
        case 0x03: return .tls
        case 0x04: return .quic
        case 0x01: throw StampFault("is for DNSCrypt, \(notSpoken)")
        case 0x05: throw StampFault("is for a target of Oblivious DoH, \(notSpoken)")
        case 0x81: throw StampFault("is for a relay of DNSCrypt, \(notSpoken)")
        case 0x85: throw StampFault("is for a relay of Oblivious DoH, \(notSpoken)")
        default: throw StampFault("is for protocol \(code), which is unknown; copy it again")
        }
    }

    private static let notSpoken =
        "which is not spoken here; give a stamp for plain DNS, DoT, DoH or DoQ"

    private static func path(_ text: String) throws(StampFault) -> String {
        guard text.hasPrefix("/"), text.utf8.allSatisfy({ (0x21...0x7e).contains($0) }),
            !text.contains("#")
        else { throw StampFault("has the path \(text.quoted), which does not begin with '/'") }
        return text
    }

    private static func fault(_ text: String, _ words: String) -> CatalogueError {
        CatalogueError.usage("the DNS stamp \(text.quoted) \(words)")
    }

    /// The same place in the resolver notation, without hashes and properties.
    package var notation: String {
        if transport == .udp, let address {
            return Endpoint(transport: .udp, address: address, port: port).shortText
        }
        return transport.notation(of: host, at: address, port: port, path: path)
    }
}

/// The fault of a stamp, as the rest of a sentence.
struct StampFault: Error {
    var text: String

    init(_ text: String) { self.text = text }
}

/// Takes the fields of a stamp one after the other; a field that is cut short is a fault.
struct StampReader {
    private let octets: [UInt8]
    private var position = 0

    init(_ octets: [UInt8]) { self.octets = octets }

    var left: Int { octets.count - position }
    var isAtEnd: Bool { left == 0 }

    mutating func octet(_ field: String) throws(StampFault) -> UInt8 { try take(1, field)[0] }

    /// Eight octets, the least first.
    mutating func number(_ field: String) throws(StampFault) -> UInt64 {
        try take(8, field).reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    mutating func text(_ field: String) throws(StampFault) -> String {
        let octets = try take(Int(octet(field)), field)
        guard let text = String(validating: octets, as: UTF8.self) else {
            throw StampFault("has \(field.withArticle) that is no text; copy it again")
        }
        return text
    }

    /// Entries behind their counts; the highest bit of a count says that another entry follows.
    mutating func list(_ field: String) throws(StampFault) -> [[UInt8]] {
        var entries: [[UInt8]] = []
        var hasMore = true
        while hasMore {
            let count = try octet(field)
            hasMore = count & 0x80 != 0
            entries.append(try take(Int(count & 0x7f), field))
        }
        return entries
    }

    private mutating func take(_ count: Int, _ field: String) throws(StampFault) -> [UInt8] {
        guard count <= left else { throw StampFault("ends inside its \(field); copy all of it") }
        defer { position += count }
        return Array(octets[position..<position + count])
    }
}

extension String {
    fileprivate var withArticle: String { (hasPrefix("a") ? "an " : "a ") + self }
}

/// A place in a stamp: a host, a port behind a colon, or both; either may be left out.
struct StampPlace {
    private let text: String
    private let hostText: Substring
    let port: UInt16?

    init(_ text: String) throws(StampFault) {
        self.text = text
        let (host, portText) = Endpoint.split(text[...])
        hostText = host
        port = portText.flatMap(Endpoint.port)
        guard portText == nil || port != nil else {
            throw StampFault("has no usable port in \(text.quoted)")
        }
    }

    /// `nil` where it is left out.
    var address: IPAddress? {
        get throws(StampFault) {
            guard !hostText.isEmpty else { return nil }
            guard let address = IPAddress(hostText)?.unmapped else {
                throw StampFault("has \(text.quoted) for an address")
            }
            return address
        }
    }

    /// In small letters.
    var hostName: String {
        get throws(StampFault) {
            guard EncryptedAddress.isServerName(hostText) else {
                throw StampFault("has \(text.quoted) for a host name")
            }
            return hostText.lowercased()
        }
    }
}

/// Octets as letters, digits, `-` and `_` (RFC 4648 §5), without padding.
package enum Base64URL {
    private static let alphabet = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8
    )

    package static func text(of octets: [UInt8]) -> String {
        var text: [UInt8] = []
        for start in stride(from: 0, to: octets.count, by: 3) {
            let group = octets[start..<min(start + 3, octets.count)]
            let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
            for digit in 0...group.count { text.append(alphabet[bits >> (18 - 6 * digit) & 63]) }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// The octets that `text` stands for; `nil` where it stands for none.
    static func octets(of text: some StringProtocol) -> [UInt8]? {
        guard text.utf8.count % 4 != 1 else { return nil }
        var octets: [UInt8] = []
        var bits: UInt32 = 0
        var count = 0
        for character in text.utf8 {
            guard let value = alphabet.firstIndex(of: character) else { return nil }
            bits = bits << 6 | UInt32(value)
            count += 6
            guard count >= 8 else { continue }
            count -= 8
            octets.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
        }
        // What is left over of the last character says nothing.
        guard bits & ((1 << UInt32(count)) - 1) == 0 else { return nil }
        return octets
    }
}
