import CSockets

/// A socket on a loopback address that one simulated resolver is asked through.
final class BoundSocket {
    let descriptor: Descriptor
    let resolver: Int
    let carrier: SimulatedResolver.Carrier

    init(
        resolver: Int,
        carrier: SimulatedResolver.Carrier,
        family: LabResolver.Family,
        port: UInt16
    ) throws(SystemError) {
        self.resolver = resolver
        self.carrier = carrier
        let v6: Int32 = family == .v6 ? 1 : 0
        descriptor = try Descriptor(owning: cs_lab_open(v6, carrier == .tcp ? 1 : 0, port))
    }

    /// The port that it is bound to.
    var port: UInt16 {
        get throws(SystemError) {
            let port = cs_lab_port(descriptor.number)
            guard port >= 0 else { throw SystemError(code: -port) }
            return UInt16(truncatingIfNeeded: port)
        }
    }

    /// UDP and TCP in every family on one port; with port 0 one that all have free is looked for.
    static func group(
        resolver: Int,
        families: [LabResolver.Family],
        port: UInt16
    ) throws(SystemError) -> (port: UInt16, sockets: [BoundSocket]) {
        for _ in 0..<(port == 0 ? 64 : 0) {
            // The kernel's choice is free for UDP in one family; the others may be taken.
            if let group = try? bindAll(resolver, families, port: 0) { return group }
        }
        return try bindAll(resolver, families, port: port)
    }

    private static func bindAll(
        _ resolver: Int,
        _ families: [LabResolver.Family],
        port: UInt16
    ) throws(SystemError) -> (port: UInt16, sockets: [BoundSocket]) {
        var port = port
        var sockets: [BoundSocket] = []
        for family in families {
            for carrier in [SimulatedResolver.Carrier.udp, .tcp] {
                sockets.append(
                    try BoundSocket(
                        resolver: resolver,
                        carrier: carrier,
                        family: family,
                        port: port
                    )
                )
                if port == 0, let socket = sockets.last { port = try socket.port }
            }
        }
        return (port, sockets)
    }
}
