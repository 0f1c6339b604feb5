import Foundation

/// An ICMP error about a datagram that a client sent (RFC 792, RFC 4443). Any machine can send such an error.
package struct ICMPError: Hashable, Sendable {
    package enum Kind: CaseIterable, Sendable {
        case portUnreachable, hostUnreachable, prohibited, timeExceeded, tooBig, parameterProblem
    }

    let kind: Kind
    /// The quoted bytes of the datagram, after its IP and UDP headers.
    let quoted: [UInt8]
    /// The source address of the error; `nil` for the server's own address.
    let sender: String?

    package init(
        _ kind: Kind = .portUnreachable,
        quoting quoted: [UInt8],
        from sender: String? = nil
    ) {
        (self.kind, self.quoted, self.sender) = (kind, quoted, sender)
    }

    /// Whether this process can send ICMP errors, which requires root.
    package static let isPermitted: Bool = (try? LoopbackSocket(.icmp, family: AF_INET)) != nil

    /// Sends the error to `client`, about a datagram from `client` to `server`.
    func send(to client: SocketAddress, about server: SocketAddress) throws(ServerError) {
        let source = SocketAddress(sender ?? server.address, port: 0)
        let socket = try LoopbackSocket.bound(.icmp, to: source)
        try socket.send(
            message(from: client, to: server),
            to: SocketAddress(client.address, port: 0)
        )
    }

    /// Returns the ICMP message without an IP header of its own.
    private func message(
        from client: SocketAddress,
        to server: SocketAddress
    ) throws(ServerError) -> [UInt8] {
        let isV6 = client.family == AF_INET6
        let length = 8 + quoted.count
        let ends = try client.octets() + server.octets()
        let header: [UInt8] =
            isV6
            ? [0x60, 0, 0, 0] + Self.number(length) + [UInt8(IPPROTO_UDP), 64]
            : [0x45, 0] + Self.number(20 + length) + [0, 1, 0, 0, 64, UInt8(IPPROTO_UDP), 0, 0]
        let ports = Self.number(Int(client.port)) + Self.number(Int(server.port))
        let rest: [UInt8] =
            kind == .tooBig ? [0, 0] + Self.number(isV6 ? 1_280 : 576) : [0, 0, 0, 0]
        let (type, code) = isV6 ? kind.v6 : kind.v4
        let begun: [UInt8] = [type, code, 0, 0] + rest
        var message = begun + header + ends + ports + Self.number(length) + [0, 0] + quoted
        // Over IPv6 the kernel writes the checksum, because it includes the addresses of the IP header.
        if !isV6 { message.replaceSubrange(2..<4, with: Self.number(Self.checksum(message))) }
        return message
    }

    private static func number(_ value: Int) -> [UInt8] {
        [UInt8(truncatingIfNeeded: value >> 8), UInt8(truncatingIfNeeded: value)]
    }

    /// Returns the Internet checksum (RFC 1071).
    private static func checksum(_ octets: [UInt8]) -> Int {
        var sum = 0
        for (index, octet) in octets.enumerated() { sum += Int(octet) << (index % 2 == 0 ? 8 : 0) }
        while sum > 0xffff { sum = sum >> 16 + sum & 0xffff }
        return 0xffff - sum
    }
}

extension ICMPError.Kind {
    /// The type and code in ICMP.
    fileprivate var v4: (UInt8, UInt8) {
        switch self {
        case .portUnreachable: (3, 3)
        case .hostUnreachable: (3, 1)
        case .prohibited: (3, 13)
        case .timeExceeded: (11, 0)
        case .tooBig: (3, 4)
        case .parameterProblem: (12, 0)
        }
    }

    /// The type and code in ICMPv6.
    fileprivate var v6: (UInt8, UInt8) {
        switch self {
        case .portUnreachable: (1, 4)
        case .hostUnreachable: (1, 3)
        case .prohibited: (1, 1)
        case .timeExceeded: (3, 0)
        case .tooBig: (2, 0)
        case .parameterProblem: (4, 0)
        }
    }
}

extension SocketAddress {
    /// Returns the 4 or 16 bytes of the address.
    fileprivate func octets() throws(ServerError) -> [UInt8] {
        var octets = [UInt8](repeating: 0, count: family == AF_INET6 ? 16 : 4)
        guard unsafe inet_pton(family, address, &octets) == 1 else {
            throw ServerError("'\(address)' is not a numeric address")
        }
        return octets
    }
}
