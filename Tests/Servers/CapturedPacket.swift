/// A UDP datagram or TCP segment that was seen on loopback.
package struct CapturedPacket: Hashable, Sendable {
    package enum Transport: Hashable, Sendable { case udp, tcp }

    /// Nanoseconds since 1970, by the kernel's clock.
    package let time: Int64
    package let transport: Transport
    package let source: SocketAddress
    package let destination: SocketAddress
    /// TTL over IPv4, hop limit over IPv6, which has a flow label too.
    package let hopLimit: UInt8
    package let flowLabel: UInt32
    /// What the datagram or segment carries; empty for a bare acknowledgement.
    package let payload: [UInt8]

    /// The DNS header's ID; `nil` where no header begins the payload.
    package var id: UInt16? {
        message.map { UInt16($0[$0.startIndex]) << 8 | UInt16($0[$0.startIndex + 1]) }
    }

    /// Whether the DNS header's QR bit is set.
    package var isResponse: Bool { message.map { $0[$0.startIndex + 2] & 0x80 != 0 } ?? false }

    /// The DNS message from its header on, behind the length that TCP has.
    private var message: ArraySlice<UInt8>? {
        let message = transport == .udp ? payload[...] : payload.dropFirst(2)
        return message.count >= 12 ? message : nil
    }
}
