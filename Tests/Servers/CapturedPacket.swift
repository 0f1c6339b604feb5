/// A UDP datagram or TCP segment that was captured on loopback.
package struct CapturedPacket: Hashable, Sendable {
    package enum Transport: Hashable, Sendable { case udp, tcp }

    /// The time of capture in nanoseconds since 1970, by the kernel's clock.
    package let time: Int64
    package let transport: Transport
    package let source: SocketAddress
    package let destination: SocketAddress
    /// The TTL of IPv4, or the hop limit of IPv6.
    package let hopLimit: UInt8
    /// The DSCP and the ECN field, which are the upper six and the lower two bits (RFC 2474).
    package let trafficClass: UInt8
    /// The flow label of IPv6; 0 for IPv4.
    package let flowLabel: UInt32
    /// The number of bytes in the IP packet after its header: the header of UDP or TCP, and the payload.
    package let size: Int
    /// The payload of the datagram or segment; empty for a bare acknowledgement.
    package let payload: [UInt8]

    /// The ID of the DNS header; `nil` if the payload is shorter than a DNS header.
    package var id: UInt16? {
        message.map { UInt16($0[$0.startIndex]) << 8 | UInt16($0[$0.startIndex + 1]) }
    }

    /// Whether the DNS header's QR bit is set.
    package var isResponse: Bool { message.map { $0[$0.startIndex + 2] & 0x80 != 0 } ?? false }

    /// The DNS message without the length field of TCP; `nil` if it is shorter than a DNS header.
    private var message: ArraySlice<UInt8>? {
        let message = transport == .udp ? payload[...] : payload.dropFirst(2)
        return message.count >= 12 ? message : nil
    }
}
