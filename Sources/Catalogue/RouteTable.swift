/// The default route in the kernel's tables (proc_net(5)): the lowest metric wins.
enum RouteTable {
    private static let upWithGateway: UInt32 = 0x3

    /// The IPv4 gateway: interface, destination, gateway, flags, two counters, metric and mask.
    static func gateway(inRoutes lines: [Substring]) -> IPAddress? {
        let routes = lines.compactMap { line -> (metric: UInt32, gateway: UInt32)? in
            let fields = line.split { $0 == "\t" || $0 == " " }
            guard fields.count >= 8, hex(fields[1]) == 0, hex(fields[7]) == 0,
                let flags = hex(fields[3]), flags & upWithGateway == upWithGateway,
                let gateway = hex(fields[2]), gateway != 0, let metric = UInt32(fields[6])
            else { return nil }
            return (metric, UInt32(bigEndian: gateway))
        }
        guard let best = routes.min(by: { $0.metric < $1.metric })?.gateway else { return nil }
        return IPAddress(octets: [24, 16, 8, 0].map { UInt8(best >> $0 & 0xff) })
    }

    /// The IPv6 gateway: destination and length, source and length, next hop, metric, two counters,
    /// flags and interface, all numbers hexadecimal.
    static func gateway(inRoutes6 lines: [Substring]) -> IPAddress? {
        let routes = lines.compactMap { line -> (metric: UInt32, gateway: IPAddress)? in
            let fields = line.split { $0 == "\t" || $0 == " " }
            guard fields.count >= 10, fields[0].allSatisfy({ $0 == "0" }), hex(fields[1]) == 0,
                let flags = hex(fields[8]), flags & upWithGateway == upWithGateway,
                let metric = hex(fields[5]), let octets = octets(fields[4]),
                octets.contains(where: { $0 != 0 })
            else { return nil }
            let isLinkLocal = octets[0] == 0xfe && octets[1] & 0xc0 == 0x80
            let zone = isLinkLocal ? String(fields[9]) : nil
            return IPAddress(octets: octets, zone: zone).map { (metric, $0) }
        }
        return routes.min { $0.metric < $1.metric }?.gateway
    }

    private static func hex(_ text: Substring) -> UInt32? { UInt32(text, radix: 16) }

    /// Sixteen octets from 32 hexadecimal digits.
    private static func octets(_ text: Substring) -> [UInt8]? {
        let digits = text.compactMap { $0.hexDigitValue.map { UInt8($0) } }
        guard digits.count == 32, text.count == 32 else { return nil }
        return stride(from: 0, to: 32, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }
}
