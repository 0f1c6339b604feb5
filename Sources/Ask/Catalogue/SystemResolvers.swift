/// This machine's own nameservers and its gateway, found without sending a packet.
package struct SystemResolvers: Hashable, Sendable {
    /// A nameserver, and the file that names it.
    package struct Nameserver: Hashable, Sendable {
        package var address: IPAddress
        package var source: String
    }

    /// The files of the system that are read here.
    package struct Files: Hashable, Sendable {
        package var resolverConfiguration = "/etc/resolv.conf"
        /// The upstream servers of systemd-resolved. Its own stub is at 127.0.0.53.
        package var stubUpstreams: String?
        package var routes: String?
        package var routes6: String?

        package init() {
            #if os(Linux)
            stubUpstreams = "/run/systemd/resolve/resolv.conf"
            routes = "/proc/net/route"
            routes6 = "/proc/net/ipv6_route"
            #endif
        }
    }

    /// The nameservers `system`, `system-2` and so on, in the order in which the C library queries
    /// them. Empty if it can query no nameserver in the file.
    package let nameservers: [Nameserver]
    /// Sentences about lines with a nameserver that the C library does not query.
    package let remarks: [String]
    /// The router of the default route, if the system reports it.
    package let gateway: IPAddress?
    /// The servers that systemd-resolved queries; empty if the machine does not use it.
    package let stubUpstreams: [IPAddress]
    /// The program or file that sets this machine's nameservers.
    package let mechanism: ResolverSetup.Mechanism
    /// Whether IPv6 has a route beyond this network, as far as the system reports it.
    package let hasDefaultRoute6: Bool

    /// Reads the files. A missing or unreadable file counts as empty, as it does in libc.
    /// `hasInterface` returns whether this machine has the interface of a zone.
    package init(
        files: Files = Files(),
        hasInterface: (String) -> Bool = { NetworkInterface.number(ofZone: $0) != nil }
    ) {
        let path = files.resolverConfiguration
        let lines = NameserverLines(ofFile: path, limit: NameserverLines.most, hasInterface)
        var found = lines.nameservers
        if lines.count == 0, let loopback = IPAddress(bytes: [127, 0, 0, 1]) {
            let reason = lines.isRead ? "default, \(path) has none" : "default without \(path)"
            found = [Nameserver(address: loopback, source: reason)]
        }
        var upstreams: [Nameserver] = []
        let usesStub = found.contains(where: \.address.isResolvedStub)
        if let path = files.stubUpstreams, usesStub {
            upstreams = NameserverLines(ofFile: path, limit: nil, hasInterface).nameservers
        }
        found += upstreams
        stubUpstreams = upstreams.map(\.address).filter { !$0.isLoopback }
        mechanism = .init(ofFile: path, usesStub: usesStub)
        (nameservers, remarks) = (found, lines.remarks)
        let routes6 = files.routes6.map { Self.lines(ofFile: $0) } ?? []
        gateway =
            files.routes.flatMap { RouteTable.gateway(inRoutes: Self.lines(ofFile: $0)) }
            ?? RouteTable.gateway(inRoutes6: routes6)
        hasDefaultRoute6 = RouteTable.hasDefault(inRoutes6: routes6)
    }

    /// The resolver `system` for 1, `system-N` for N from 2. `label` replaces this default label.
    func resolver(_ index: Int, label: String?) throws(CatalogueError) -> Resolver {
        let name = index == 1 ? "system" : "system-\(index)"
        guard nameservers.indices.contains(index - 1) else {
            if nameservers.isEmpty, let remark = remarks.first {
                throw .usage("there is no '\(name)': \(remark)")
            }
            let count =
                nameservers.count == 1 ? "one nameserver" : "\(nameservers.count) nameservers"
            throw .usage(
                "there is no '\(name)': this machine has \(count); see 'dnstempo resolvers detect'"
            )
        }
        let endpoint = Self.endpoint(nameservers[index - 1].address)
        return Resolver(label: label ?? name, endpoint: endpoint, origin: .system(index))
    }

    func gatewayResolver(label: String?) throws(CatalogueError) -> Resolver {
        guard let gateway else {
            throw .usage("no gateway is known on this machine; give the router's address")
        }
        let endpoint = Self.endpoint(gateway)
        return Resolver(label: label ?? "gateway", endpoint: endpoint, origin: .gateway)
    }

    private static func endpoint(_ address: IPAddress) -> Endpoint {
        Endpoint(transport: .udp, address: address, port: 53)
    }

    private static func lines(ofFile path: String) -> [Substring] {
        (try? NamedText(repairing: path).lines) ?? []
    }
}

/// The default route in the kernel's tables (proc_net(5)). The route with the lowest metric
/// applies.
enum RouteTable {
    private static let upWithGateway: UInt32 = 0x3

    /// The IPv4 gateway. The fields are interface, destination, gateway, flags, two counters,
    /// metric and mask.
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
        return IPAddress(bytes: [24, 16, 8, 0].map { UInt8(best >> $0 & 0xff) })
    }

    /// The IPv6 gateway. The fields are destination and length, source and length, next hop,
    /// metric, two counters, flags and interface. All numbers are hexadecimal.
    static func gateway(inRoutes6 lines: [Substring]) -> IPAddress? {
        let routes = lines.compactMap { line -> (metric: UInt32, gateway: IPAddress)? in
            let fields = line.split { $0 == "\t" || $0 == " " }
            guard fields.count >= 10, fields[0].allSatisfy({ $0 == "0" }), hex(fields[1]) == 0,
                let flags = hex(fields[8]), flags & upWithGateway == upWithGateway,
                let metric = hex(fields[5]), let bytes = bytes(fields[4]),
                bytes.contains(where: { $0 != 0 })
            else { return nil }
            guard let address = IPAddress(bytes: bytes), address.isLinkLocal6 else {
                return IPAddress(bytes: bytes).map { (metric, $0) }
            }
            return IPAddress(bytes: bytes, zone: String(fields[9])).map { (metric, $0) }
        }
        return routes.min { $0.metric < $1.metric }?.gateway
    }

    /// Whether a default route for IPv6 leaves this machine, with or without a gateway.
    static func hasDefault(inRoutes6 lines: [Substring]) -> Bool {
        let (up, reject): (UInt32, UInt32) = (0x1, 0x200)
        return lines.contains { line in
            let fields = line.split { $0 == "\t" || $0 == " " }
            guard fields.count >= 10, fields[0].allSatisfy({ $0 == "0" }), hex(fields[1]) == 0,
                let flags = hex(fields[8])
            else { return false }
            return flags & (up | reject) == up && fields[9] != "lo"
        }
    }

    private static func hex(_ text: Substring) -> UInt32? { UInt32(text, radix: 16) }

    /// 16 bytes from 32 hexadecimal digits.
    private static func bytes(_ text: Substring) -> [UInt8]? {
        let digits = text.compactMap { $0.hexDigitValue.map { UInt8($0) } }
        guard digits.count == 32, text.count == 32 else { return nil }
        return stride(from: 0, to: 32, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }
}
