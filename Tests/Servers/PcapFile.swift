/// Reads the file that `tcpdump -w` writes
/// ([the format](https://www.ietf.org/archive/id/draft-gharris-opsawg-pcap-01.html)).
struct PcapFile {
    private enum LinkType: UInt32 {
        case null = 0
        case ethernet = 1
        case raw = 101
        case linuxCooked = 113
        case linuxCooked2 = 276

        /// The length of the header before the IP packet, in bytes.
        var headerLength: Int {
            switch self {
            case .null: 4
            case .ethernet: 14
            case .raw: 0
            case .linuxCooked: 16
            case .linuxCooked2: 20
            }
        }
    }

    /// The UDP and TCP packets. An incomplete last record is ignored.
    let packets: [CapturedPacket]

    init(_ bytes: [UInt8]) throws(ServerError) {
        guard bytes.count >= 24 else { throw ServerError("the capture has no pcap header") }
        let header = PcapBytes(bytes[...], isLittleEndian: bytes[0] == 0x4d || bytes[0] == 0xd4)
        let unit: Int64
        switch header.uint32(0) {
        case 0xa1b2_3c4d: unit = 1
        case 0xa1b2_c3d4: unit = 1_000
        default: throw ServerError("the capture is not a pcap file")
        }
        let number = header.uint32(20) & 0xffff
        guard let link = LinkType(rawValue: number) else {
            throw ServerError("the capture has link type \(number), which is not known here")
        }

        var packets: [CapturedPacket] = []
        var rest = bytes[24...]
        while rest.count >= 16 {
            let record = PcapBytes(rest, isLittleEndian: header.isLittleEndian)
            let length = Int(record.uint32(8))
            guard rest.count >= 16 + length else { break }
            let time = Int64(record.uint32(0)) * 1_000_000_000 + Int64(record.uint32(4)) * unit
            let frame = rest.dropFirst(16).prefix(length).dropFirst(link.headerLength)
            if let packet = PcapFile.packet(frame, time: time) { packets.append(packet) }
            rest = rest.dropFirst(16 + length)
        }
        self.packets = packets
    }

    /// Reads an IP packet. Returns `nil` if it is neither UDP nor TCP, or if it is a later fragment.
    private static func packet(_ frame: ArraySlice<UInt8>, time: Int64) -> CapturedPacket? {
        let ip = PcapBytes(frame, isLittleEndian: false)
        guard let version = frame.first.map({ $0 >> 4 }) else { return nil }
        let body: ArraySlice<UInt8>
        let transport: UInt8
        let addresses: [String]
        let (hopLimit, trafficClass, flowLabel): (UInt8, UInt8, UInt32)
        let size: Int
        switch version {
        case 4:
            guard frame.count >= 20, ip.uint16(6) & 0x1fff == 0 else { return nil }
            body = frame.prefix(Int(ip.uint16(2))).dropFirst(Int(ip.uint8(0) & 15) * 4)
            size = Int(ip.uint16(2)) - Int(ip.uint8(0) & 15) * 4
            transport = ip.uint8(9)
            (hopLimit, trafficClass, flowLabel) = (ip.uint8(8), ip.uint8(1), 0)
            addresses = [12, 16].map { ip.ipv4(at: $0) }
        case 6:
            guard frame.count >= 40 else { return nil }
            body = frame.dropFirst(40).prefix(Int(ip.uint16(4)))
            size = Int(ip.uint16(4))
            transport = ip.uint8(6)
            let first = ip.uint32(0)
            trafficClass = UInt8(truncatingIfNeeded: first >> 20)
            (hopLimit, flowLabel) = (ip.uint8(7), first & 0xf_ffff)
            addresses = [8, 24].map { ip.ipv6(at: $0) }
        default: return nil
        }
        let segment = PcapBytes(body, isLittleEndian: false)
        let headerLength: Int
        switch transport {
        case 17: headerLength = 8
        case 6 where body.count >= 20: headerLength = Int(segment.uint8(12) >> 4) * 4
        default: return nil
        }
        guard body.count >= headerLength else { return nil }
        return CapturedPacket(
            time: time,
            transport: transport == 17 ? .udp : .tcp,
            source: SocketAddress(addresses[0], port: segment.uint16(0)),
            destination: SocketAddress(addresses[1], port: segment.uint16(2)),
            hopLimit: hopLimit,
            trafficClass: trafficClass,
            flowLabel: flowLabel,
            size: size,
            payload: Array(body.dropFirst(headerLength))
        )
    }
}

/// Reads numbers at offsets of a byte array. The caller checks that the array is long enough.
private struct PcapBytes {
    let bytes: ArraySlice<UInt8>
    let isLittleEndian: Bool

    init(_ bytes: ArraySlice<UInt8>, isLittleEndian: Bool) {
        self.bytes = bytes
        self.isLittleEndian = isLittleEndian
    }

    func uint8(_ offset: Int) -> UInt8 { bytes[bytes.startIndex + offset] }

    func uint16(_ offset: Int) -> UInt16 { UInt16(truncatingIfNeeded: number(offset, 2)) }

    func uint32(_ offset: Int) -> UInt32 { number(offset, 4) }

    func ipv4(at offset: Int) -> String {
        (0..<4).map { String(uint8(offset + $0)) }.joined(separator: ".")
    }

    /// Returns an IPv6 address in the notation of `inet_ntop`.
    func ipv6(at offset: Int) -> String {
        SocketAddress(ipv6: (0..<16).map { uint8(offset + $0) }).address
    }

    private func number(_ offset: Int, _ count: Int) -> UInt32 {
        let part = bytes.dropFirst(offset).prefix(count)
        let ordered = isLittleEndian ? Array(part.reversed()) : Array(part)
        return ordered.reduce(0) { $0 << 8 | UInt32($1) }
    }
}
