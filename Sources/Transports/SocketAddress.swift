import CSockets
internal import Catalogue

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// An address and a port in the form that the system's calls take.
@safe
struct SocketAddress: Sendable {
    private var storage = sockaddr_storage()
    private let length: socklen_t

    /// `AF_INET` or `AF_INET6`.
    let family: Int32

    init(_ endpoint: Endpoint) {
        let octets = endpoint.address.octets
        let port = endpoint.port.bigEndian
        switch endpoint.address.family {
        case .v4:
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port
            unsafe withUnsafeMutableBytes(of: &address.sin_addr) {
                unsafe $0.copyBytes(from: octets)
            }
            family = AF_INET
            length = socklen_t(MemoryLayout<sockaddr_in>.size)
            unsafe copy(&address)
        case .v6:
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            address.sin6_port = port
            unsafe withUnsafeMutableBytes(of: &address.sin6_addr) {
                unsafe $0.copyBytes(from: octets)
            }
            // An interface that is not there is 0; connecting then says that there is no route.
            address.sin6_scope_id = endpoint.address.zone.map { unsafe if_nametoindex($0) } ?? 0
            family = AF_INET6
            length = socklen_t(MemoryLayout<sockaddr_in6>.size)
            unsafe copy(&address)
        }
    }

    private mutating func copy<Address>(_ address: UnsafeMutablePointer<Address>) {
        let bytes = unsafe UnsafeRawBufferPointer(
            start: address,
            count: MemoryLayout<Address>.size
        )
        unsafe withUnsafeMutableBytes(of: &storage) { unsafe $0.copyMemory(from: bytes) }
    }

    /// Connects a socket; for a datagram socket that only sets where it sends and hears from.
    func connect(_ descriptor: Int32) -> Int32 {
        unsafe withUnsafeBytes(of: storage) { bytes in
            guard let start = bytes.baseAddress else { return -1 }
            #if os(Linux)
            return unsafe Glibc.connect(
                descriptor,
                start.assumingMemoryBound(to: sockaddr.self),
                length
            )
            #else
            return unsafe Darwin.connect(
                descriptor,
                start.assumingMemoryBound(to: sockaddr.self),
                length
            )
            #endif
        }
    }
}
