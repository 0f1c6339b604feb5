/// Takes the fields of a stamp one after the other; a field that is cut short is a fault.
struct StampReader {
    private let octets: [UInt8]
    private var position = 0

    init(_ octets: [UInt8]) { self.octets = octets }

    var left: Int { octets.count - position }
    var isAtEnd: Bool { left == 0 }

    mutating func octet(_ field: String) throws(StampFault) -> UInt8 {
        try take(1, field)[0]
    }

    /// Eight octets, the least first.
    mutating func number(_ field: String) throws(StampFault) -> UInt64 {
        try take(8, field).reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Octets behind their count.
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
        guard count <= left else {
            throw StampFault("ends inside its \(field); copy all of it")
        }
        defer { position += count }
        return Array(octets[position..<position + count])
    }
}

extension String {
    fileprivate var withArticle: String { (hasPrefix("a") ? "an " : "a ") + self }
}

/// What a stamp says of a place: a host, a port behind a colon, or both; either may be left out.
struct StampPlace {
    private let text: String
    private let hostText: Substring
    let port: UInt16?

    init(_ text: String) throws(StampFault) {
        self.text = text
        let (host, portText) = Endpoint.split(text[...])
        hostText = host
        guard let portText else {
            port = nil
            return
        }
        guard let port = Endpoint.port(portText, usual: 0) else {
            throw StampFault("has no usable port in \(text.quoted)")
        }
        self.port = port
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
