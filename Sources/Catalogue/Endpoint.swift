/// How a DNS message is carried.
package enum TransportKind: String, Hashable, Sendable, CaseIterable {
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
}

/// Where queries go: an address, a port, and how the message is carried.
package struct Endpoint: Hashable, Sendable, CustomStringConvertible {
    package var transport: TransportKind
    package var address: IPAddress
    package var port: UInt16

    package init(transport: TransportKind, address: IPAddress, port: UInt16) {
        self.transport = transport
        self.address = address
        self.port = port
    }

    /// Address and port, always both: `127.0.0.1:5311`, `[::1]:53`.
    package var description: String {
        address.family == .v4 ? "\(address):\(port)" : "[\(address)]:\(port)"
    }

    /// The shortest text that names the endpoint in the resolver notation: no port where it is the
    /// transport's usual one, no transport where it is UDP.
    package var shortText: String {
        let isUsual = port == transport.usualPort
        let place = isUsual ? address.description : description
        guard transport != .udp else { return place }
        let bracketed = isUsual && address.family == .v6
        return "\(transport.rawValue)://" + (bracketed ? "[\(place)]" : place)
    }
}
