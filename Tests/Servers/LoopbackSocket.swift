import Foundation

/// The sole owner of one non-blocking socket on loopback.
struct LoopbackSocket: ~Copyable {
    enum Kind { case udp, tcp, icmp }

    let descriptor: Int32

    /// Creates a socket that is bound to `address`. With port 0, the system chooses the port.
    static func bound(
        _ kind: Kind,
        to address: SocketAddress
    ) throws(ServerError) -> LoopbackSocket {
        let socket = try LoopbackSocket(kind, family: address.family)
        var yes: Int32 = 1
        if kind == .tcp {
            let size = socklen_t(MemoryLayout<Int32>.size)
            unsafe setsockopt(socket.descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, size)
        }
        let code = unsafe try address.withSystemAddress { address, length in
            unsafe Foundation.bind(socket.descriptor, address, length)
        }
        if code != 0 { throw .system("binding \(address)", SystemError.last) }
        return socket
    }

    /// Creates an unbound socket of an address family.
    init(_ kind: Kind, family: Int32) throws(ServerError) {
        let type =
            switch kind {
            case .udp: SOCK_DGRAM
            case .tcp: SOCK_STREAM
            case .icmp: SOCK_RAW
            }
        #if os(Linux)
        let flags = Int32(type.rawValue | SOCK_CLOEXEC.rawValue)
        #else
        let flags = type
        #endif
        let echo = family == AF_INET6 ? Int32(IPPROTO_ICMPV6) : Int32(IPPROTO_ICMP)
        let descriptor = socket(family, flags, kind == .icmp ? echo : 0)
        if descriptor < 0 { throw .system("socket", SystemError.last) }
        self.init(owning: descriptor)
    }

    /// Takes ownership of `descriptor` and makes it non-blocking.
    init(owning descriptor: Int32) {
        self.descriptor = descriptor
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
        #if canImport(Darwin)
        var yes: Int32 = 1
        let size = socklen_t(MemoryLayout<Int32>.size)
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &yes, size)
        #endif
    }

    deinit {
        close(descriptor)
    }

    /// The address to which the socket is bound, with the port that the system chose.
    var address: SocketAddress {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        unsafe withUnsafeMutableBytes(of: &storage) { bytes in
            guard let base = bytes.baseAddress else { return }
            let address = unsafe base.assumingMemoryBound(to: sockaddr.self)
            _ = unsafe getsockname(descriptor, address, &length)
        }
        return SocketAddress(storage)
    }

    func listen() throws(ServerError) {
        if Foundation.listen(descriptor, 128) != 0 { throw .system("listen", SystemError.last) }
    }

    /// Connects to `address` and returns whether the connection is established. On loopback the result is
    /// known at once.
    func connect(to address: SocketAddress) throws(ServerError) -> Bool {
        let code = unsafe try address.withSystemAddress { address, length in
            unsafe Foundation.connect(descriptor, address, length)
        }
        if code == 0 { return true }
        guard SystemError.last == EINPROGRESS else { return false }
        var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        var failure: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        guard unsafe poll(&waiting, 1, 100) == 1,
            unsafe getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &failure, &size) == 0
        else { return false }
        return failure == 0
    }

    /// Returns the next waiting connection; `nil` if no connection is waiting.
    func accept() -> (descriptor: Int32, peer: SocketAddress)? {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let accepted = unsafe withUnsafeMutableBytes(of: &storage) { bytes -> Int32 in
            guard let base = bytes.baseAddress else { return -1 }
            let address = unsafe base.assumingMemoryBound(to: sockaddr.self)
            return unsafe Foundation.accept(descriptor, address, &length)
        }
        return accepted < 0 ? nil : (accepted, SocketAddress(storage))
    }

    /// Returns the next bytes and their sender. Returns `nil` if no bytes are waiting, and an empty array if
    /// the peer has closed the connection.
    func receive() -> (bytes: [UInt8], peer: SocketAddress)? {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        var bytes = [UInt8](repeating: 0, count: 65_535)
        let count = unsafe withUnsafeMutableBytes(of: &storage) { raw -> Int in
            guard let base = raw.baseAddress else { return -1 }
            let address = unsafe base.assumingMemoryBound(to: sockaddr.self)
            return unsafe recvfrom(descriptor, &bytes, bytes.count, 0, address, &length)
        }
        return count < 0 ? nil : (Array(bytes.prefix(count)), SocketAddress(storage))
    }

    /// Sends to the connected peer. Returns the number of sent bytes, or -1 on an error.
    @discardableResult
    func send(_ bytes: [UInt8]) -> Int {
        #if os(Linux)
        let flags = Int32(MSG_NOSIGNAL)
        #else
        let flags: Int32 = 0
        #endif
        return unsafe Foundation.send(descriptor, bytes, bytes.count, flags)
    }

    /// Sends one datagram to `peer`.
    func send(_ bytes: [UInt8], to peer: SocketAddress) throws(ServerError) {
        let sent = unsafe try peer.withSystemAddress { address, length in
            unsafe sendto(descriptor, bytes, bytes.count, 0, address, length)
        }
        if sent < 0 { throw .system("sending to \(peer)", SystemError.last) }
    }

    /// Sends the bytes of every later `send` at once, in their own segment.
    func sendAtOnce() {
        var yes: Int32 = 1
        let size = socklen_t(MemoryLayout<Int32>.size)
        unsafe setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, size)
    }

    /// Makes the later close send a reset instead of an orderly end.
    func resetOnClose() {
        var option = linger(l_onoff: 1, l_linger: 0)
        let size = socklen_t(MemoryLayout<linger>.size)
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, size)
    }
}
