import Catalogue
import Lab
import LibC

/// A blocking socket that is connected to one simulated resolver.
final class LabClient {
    private let descriptor: Int32

    /// Connects to the resolver; `nil` if the connection fails.
    init?(_ resolver: LabResolver, tcp: Bool = false) {
        let type = tcp ? SocketType.stream : SocketType.datagram
        descriptor = socket(resolver.family == .v4 ? AF_INET : AF_INET6, type, 0)
        let port = resolver.port.bigEndian
        let connected: Int32
        switch resolver.family {
        case .v4:
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port
            address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
            connected = Self.connect(descriptor, &address)
        case .v6:
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            address.sin6_port = port
            address.sin6_addr = in6addr_loopback
            connected = Self.connect(descriptor, &address)
        }
        guard connected == 0 else { return nil }
    }

    deinit { close(descriptor) }

    private static func connect<Address>(_ descriptor: Int32, _ address: inout Address) -> Int32 {
        let size = socklen_t(MemoryLayout<Address>.size)
        return unsafe withUnsafeBytes(of: &address) { bytes in
            guard let base = bytes.baseAddress else { return -1 }
            return unsafe Self.system(descriptor, base.assumingMemoryBound(to: sockaddr.self), size)
        }
    }

    private static func system(
        _ descriptor: Int32,
        _ address: UnsafePointer<sockaddr>,
        _ size: socklen_t
    ) -> Int32 {
        unsafe LibC.connect(descriptor, address, size)
    }

    /// Sends bytes. Returns whether all of them were sent.
    func send(_ octets: [UInt8]) -> Bool {
        unsafe write(descriptor, octets, octets.count) == octets.count
    }

    /// Returns the next datagram, or the bytes that a stream has received. Returns an empty array once the
    /// peer has closed the stream. Returns `nil` on an error, or after 10 s without data.
    func receive() -> [UInt8]? {
        var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard unsafe poll(&waiting, 1, 10_000) == 1 else { return nil }
        var octets = [UInt8](repeating: 0, count: 65535)
        let count = unsafe read(descriptor, &octets, octets.count)
        return count < 0 ? nil : Array(octets.prefix(count))
    }
}

/// The socket types as `Int32`. Glibc declares them as cases of an enumeration.
enum SocketType {
    #if canImport(Glibc)
    static let stream = Int32(SOCK_STREAM.rawValue)
    static let datagram = Int32(SOCK_DGRAM.rawValue)
    #else
    static let stream = SOCK_STREAM
    static let datagram = SOCK_DGRAM
    #endif
}
