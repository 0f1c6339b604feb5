package import Catalogue

/// How far a query to an endpoint goes: an answer from nearby does not tell that the connection
/// to what lies further away works.
package enum EndpointDistance: Int, Comparable, Sendable {
    /// To this machine.
    case machine
    /// To the network that it is in, or to its provider's (RFC 1918, 3927, 4193, 4291, 6598).
    case network
    case internet

    /// Of an address with a port, such as `127.0.0.1:5311` or `127.0.0.1:443/dns-query#NAME`; what
    /// is no address is far.
    package init(endpoint: String) {
        guard let address = IPAddress(endpoint: endpoint) else {
            self = .internet
            return
        }
        if address.isLoopback {
            self = .machine
        } else {
            self = Self.isLocal(address.octets) ? .network : .internet
        }
    }

    private static func isLocal(_ octets: [UInt8]) -> Bool {
        guard octets.count == 4 else {
            return octets[0] & 0xfe == 0xfc || octets[0] == 0xfe && octets[1] & 0xc0 == 0x80
        }
        return switch (octets[0], octets[1]) {
        case (10, _), (172, 16...31), (192, 168), (169, 254), (100, 64...127): true
        default: false
        }
    }

    package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

extension IPAddress {
    /// The address of an endpoint such as `127.0.0.1:5311` or `[::1]:53`, an IPv4-mapped one as the
    /// IPv4 address that it leads to.
    package init?(endpoint: String) {
        let place = endpoint.prefix { $0 != "/" && $0 != "#" }
        let host = place.prefix(upTo: place.lastIndex(of: ":") ?? place.endIndex)
        let text = host.hasPrefix("[") ? host.dropFirst().dropLast() : host
        guard let parsed = IPAddress(text)?.unmapped else { return nil }
        self = parsed
    }
}
