/// The packets of one query and their sizes, up to the moment at which its answer was read.
///
/// A size counts the content of an IP packet: the header of UDP or TCP with its options, and the data after it.
/// The header of IP (20 bytes for IPv4, 40 for IPv6) is not included.
package struct PacketCount: Hashable, Sendable {
    package var bytesOut: UInt32
    package var bytesIn: UInt32
    /// The number of datagrams or segments in both directions.
    package var packets: UInt32

    package init(bytesOut: UInt32, bytesIn: UInt32, packets: UInt32) {
        (self.bytesOut, self.bytesIn, self.packets) = (bytesOut, bytesIn, packets)
    }

    /// Creates a value from three numbers; `nil` unless all are known.
    package init?(bytesOut: UInt32?, bytesIn: UInt32?, packets: UInt32?) {
        guard let bytesOut, let bytesIn, let packets else { return nil }
        self.init(bytesOut: bytesOut, bytesIn: bytesIn, packets: packets)
    }

    package static let zero = PacketCount(bytesOut: 0, bytesIn: 0, packets: 0)

    /// The size of a UDP header in bytes (RFC 768).
    private static let headerOfUDP = 8

    /// Adds a datagram with `size` bytes of data that was sent.
    package mutating func addSent(_ size: Int) {
        bytesOut &+= UInt32(clamping: size + Self.headerOfUDP)
        packets &+= 1
    }

    /// Adds a datagram with `size` bytes of data that was received.
    package mutating func addReceived(_ size: Int) {
        bytesIn &+= UInt32(clamping: size + Self.headerOfUDP)
        packets &+= 1
    }

    package static func + (one: PacketCount, other: PacketCount) -> PacketCount {
        PacketCount(
            bytesOut: one.bytesOut &+ other.bytesOut,
            bytesIn: one.bytesIn &+ other.bytesIn,
            packets: one.packets &+ other.packets
        )
    }

    /// The packets of `later` since `earlier`.
    package static func - (later: PacketCount, earlier: PacketCount) -> PacketCount {
        PacketCount(
            bytesOut: later.bytesOut &- earlier.bytesOut,
            bytesIn: later.bytesIn &- earlier.bytesIn,
            packets: later.packets &- earlier.packets
        )
    }
}
