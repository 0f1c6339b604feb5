/// The service of a DNS stamp, from its first byte (dnscrypt.info/stamps-specifications).
package enum StampProtocol: UInt8, Hashable, Sendable {
    case plain = 0x00
    case dnscrypt = 0x01
    case https = 0x02
    case tls = 0x03
    case quic = 0x04
    case obliviousTarget = 0x05
    case dnscryptRelay = 0x81
    case obliviousRelay = 0x85

    /// The service of a stamp; `nil` if it cannot be read.
    package init?(of stamp: String) {
        guard ServerStamp.isStamp(stamp), let mark = stamp.firstRange(of: "://"),
            let code = Base64URL.bytes(of: stamp[mark.upperBound...])?.first
        else { return nil }
        self.init(rawValue: code)
    }

    /// The transport of the service, if this program supports it.
    var transport: TransportKind? {
        switch self {
        case .plain: .udp
        case .https: .https
        case .tls: .tls
        case .quic: .quic
        case .dnscrypt, .obliviousTarget, .dnscryptRelay, .obliviousRelay: nil
        }
    }

    var words: String {
        switch self {
        case .plain: "plain DNS"
        case .dnscrypt: "DNSCrypt"
        case .https: "DNS over HTTPS"
        case .tls: "DNS over TLS"
        case .quic: "DNS over QUIC"
        case .obliviousTarget: "a target of Oblivious DoH"
        case .dnscryptRelay: "a relay of DNSCrypt"
        case .obliviousRelay: "a relay of Oblivious DoH"
        }
    }
}
