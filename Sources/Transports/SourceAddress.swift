import CSockets
package import Catalogue

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// From which of its addresses this machine would ask.
package enum SourceAddress {
    /// The address that queries to `endpoint` leave from; `nil` without a route. Nothing is sent.
    package static func toward(_ endpoint: Endpoint) -> IPAddress? {
        let destination = SocketAddress(endpoint)
        guard let socket = try? Socket(.datagram, family: destination.family),
            (try? socket.connect(to: destination)) != nil
        else { return nil }
        return socket.ownAddress
    }
}

extension Socket {
    /// The address that it is bound to.
    fileprivate var ownAddress: IPAddress? {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let descriptor = descriptor
        let octets: [UInt8]? = unsafe withUnsafeMutableBytes(of: &storage) { bytes in
            guard let start = bytes.baseAddress,
                unsafe getsockname(
                    descriptor,
                    start.assumingMemoryBound(to: sockaddr.self),
                    &length
                ) == 0
            else { return nil }
            let family = unsafe Int32(
                start.assumingMemoryBound(to: sockaddr.self).pointee.sa_family
            )
            switch family {
            case AF_INET:
                let address = unsafe start.assumingMemoryBound(to: sockaddr_in.self).pointee
                return unsafe withUnsafeBytes(of: address.sin_addr) { unsafe Array($0) }
            case AF_INET6:
                let address = unsafe start.assumingMemoryBound(to: sockaddr_in6.self).pointee
                return unsafe withUnsafeBytes(of: address.sin6_addr) { unsafe Array($0) }
            default: return nil
            }
        }
        return octets.flatMap { IPAddress(octets: $0) }
    }
}
