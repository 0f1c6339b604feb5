import CSockets
import Catalogue
import LibC

struct SystemError: Error, Hashable, CustomStringConvertible {
    let code: Int32

    var description: String { reasonOfSystem(code) }
    var isTransient: Bool { code == EAGAIN || code == EWOULDBLOCK || code == EINTR }
}

/// The sole owner of one file descriptor. `deinit` closes it.
struct Descriptor: ~Copyable, Sendable {
    let number: Int32

    /// Takes ownership of a system call's result, or throws its errno.
    init(owning result: Int32) throws(SystemError) {
        guard result >= 0 else { throw SystemError(code: -result) }
        number = result
    }

    deinit { close(number) }

    /// Receives at most `buffer.count` bytes. Returns their count, the peer, and the kernel's
    /// receive stamp in CLOCK_MONOTONIC nanoseconds.
    func receive(
        into buffer: inout [UInt8]
    ) throws(SystemError) -> (count: Int, peer: cs_lab_peer, arrival: Int64) {
        var peer = cs_lab_peer()
        var arrival: Int64 = 0
        let capacity = buffer.count
        let count = unsafe cs_lab_receive(number, &buffer, capacity, &peer, &arrival)
        guard count >= 0 else { throw SystemError(code: Int32(-count)) }
        return (count, peer, arrival)
    }

    func send(_ bytes: [UInt8], to peer: cs_lab_peer) throws(SystemError) {
        let count = unsafe withUnsafePointer(to: peer) {
            unsafe cs_lab_send(number, bytes, bytes.count, $0)
        }
        guard count >= 0 else { throw SystemError(code: Int32(-count)) }
    }

    /// Sends as many bytes over the connection as fit, and returns their count.
    func send(_ bytes: ArraySlice<UInt8>) throws(SystemError) -> Int {
        let count = unsafe bytes.withUnsafeBytes {
            unsafe cs_lab_send(number, $0.baseAddress, $0.count, nil)
        }
        guard count >= 0 else { throw SystemError(code: Int32(-count)) }
        return count
    }
}

/// A socket on a loopback address that receives the queries to one simulated resolver.
final class BoundSocket {
    let descriptor: Descriptor
    let resolver: Int
    let carrier: SimulatedResolver.Carrier

    private init(
        _ resolver: Int,
        _ carrier: SimulatedResolver.Carrier,
        _ family: IPAddress.Family,
        port: UInt16
    ) throws(SystemError) {
        self.resolver = resolver
        self.carrier = carrier
        let v6: Int32 = family == .v6 ? 1 : 0
        descriptor = try Descriptor(owning: cs_lab_open(v6, carrier == .tcp ? 1 : 0, port))
    }

    var port: UInt16 {
        get throws(SystemError) {
            let port = cs_lab_port(descriptor.number)
            guard port >= 0 else { throw SystemError(code: -port) }
            return UInt16(truncatingIfNeeded: port)
        }
    }

    /// Binds UDP and TCP in every family to one port. Port 0 searches for a port that is free in
    /// all.
    static func group(
        resolver: Int,
        families: [IPAddress.Family],
        port: UInt16
    ) throws(SystemError) -> (port: UInt16, sockets: [BoundSocket]) {
        for _ in 0..<(port == 0 ? 64 : 0) {
            // The kernel's choice is free for UDP in one family. It may be in use in the others.
            if let group = try? bindAll(resolver, families, port: 0) { return group }
        }
        return try bindAll(resolver, families, port: port)
    }

    private static func bindAll(
        _ resolver: Int,
        _ families: [IPAddress.Family],
        port: UInt16
    ) throws(SystemError) -> (port: UInt16, sockets: [BoundSocket]) {
        var port = port
        var sockets: [BoundSocket] = []
        for family in families {
            for carrier in [SimulatedResolver.Carrier.udp, .tcp] {
                let socket = try BoundSocket(resolver, carrier, family, port: port)
                sockets.append(socket)
                if port == 0 { port = try socket.port }
            }
        }
        return (port, sockets)
    }
}
