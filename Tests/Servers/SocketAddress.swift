import Foundation

/// A numeric address and a port, as text and number: `127.0.0.1` and 5311.
package struct SocketAddress: Hashable, Sendable, CustomStringConvertible {
    package let address: String
    package let port: UInt16

    package init(_ address: String, port: UInt16) {
        self.address = address
        self.port = port
    }

    /// The form that dnstempo accepts: `127.0.0.1:5311` or `[::1]:5311`.
    package var description: String {
        address.contains(":") ? "[\(address)]:\(port)" : "\(address):\(port)"
    }

    var family: Int32 { address.contains(":") ? AF_INET6 : AF_INET }

    /// Calls `body` with the address in the form of system calls.
    func withSystemAddress<Result>(
        _ body: (UnsafePointer<sockaddr>, socklen_t) throws(ServerError) -> Result
    ) throws(ServerError) -> Result {
        var storage = sockaddr_storage()
        let length = try fill(&storage)
        return unsafe try withUnsafePointer(to: &storage) { pointer throws(ServerError) in
            let address = unsafe UnsafeRawPointer(pointer).assumingMemoryBound(to: sockaddr.self)
            return unsafe try body(address, length)
        }
    }

    private func fill(_ storage: inout sockaddr_storage) throws(ServerError) -> socklen_t {
        let parsed = unsafe withUnsafeMutableBytes(of: &storage) { bytes -> Int32 in
            guard let base = bytes.baseAddress else { return 0 }
            if family == AF_INET6 {
                let address = unsafe base.assumingMemoryBound(to: sockaddr_in6.self)
                unsafe address.pointee.sin6_family = sa_family_t(AF_INET6)
                unsafe address.pointee.sin6_port = port.bigEndian
                return unsafe inet_pton(AF_INET6, self.address, &address.pointee.sin6_addr)
            }
            let address = unsafe base.assumingMemoryBound(to: sockaddr_in.self)
            unsafe address.pointee.sin_family = sa_family_t(AF_INET)
            unsafe address.pointee.sin_port = port.bigEndian
            return unsafe inet_pton(AF_INET, self.address, &address.pointee.sin_addr)
        }
        if parsed != 1 { throw ServerError("'\(address)' is not a numeric address") }
        let size =
            family == AF_INET6
            ? MemoryLayout<sockaddr_in6>.size : MemoryLayout<sockaddr_in>.size
        return socklen_t(size)
    }

    /// Reads the address that `recvfrom`, `accept` or `getsockname` has written.
    init(_ storage: sockaddr_storage) {
        var storage = storage
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        var number: UInt16 = 0
        unsafe withUnsafeMutableBytes(of: &storage) { bytes in
            guard let base = bytes.baseAddress else { return }
            let limit = socklen_t(text.count)
            let family = unsafe base.assumingMemoryBound(to: sockaddr.self).pointee.sa_family
            if family == sa_family_t(AF_INET6) {
                let address = unsafe base.assumingMemoryBound(to: sockaddr_in6.self)
                unsafe inet_ntop(AF_INET6, &address.pointee.sin6_addr, &text, limit)
                number = unsafe address.pointee.sin6_port.bigEndian
            } else {
                let address = unsafe base.assumingMemoryBound(to: sockaddr_in.self)
                unsafe inet_ntop(AF_INET, &address.pointee.sin_addr, &text, limit)
                number = unsafe address.pointee.sin_port.bigEndian
            }
        }
        let bytes = text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        self.init(String(decoding: bytes, as: UTF8.self), port: number)
    }

    /// Creates an address from the 16 bytes of an IPv6 address, with port 0.
    init(ipv6 octets: [UInt8]) {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        unsafe inet_ntop(AF_INET6, octets, &text, socklen_t(text.count))
        let bytes = text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        self.init(String(decoding: bytes, as: UTF8.self), port: 0)
    }
}
