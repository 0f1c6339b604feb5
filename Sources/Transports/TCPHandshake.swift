import CSockets
package import Catalogue

/// Opens a TCP connection and closes it again, to see how far away an address is.
package struct TCPHandshake: Sendable {
    package enum Result: Hashable, Sendable {
        /// The round trip of SYN and SYN-ACK as the kernel measured it (`tcpi_rtt`), or, where it
        /// says nothing, the time to connect by this process's clock.
        case connected(Duration)
        case refused
        /// No answer in time.
        case silent
        /// ICMP or the system said that there is no way; why, in words.
        case unreachable(String)
        /// The address lies outside the allowed networks; nothing was sent.
        case blocked
        case cancelled
    }

    private let address: SocketAddress
    private let isAllowed: Bool

    /// A handshake with `port` of `address`; outside `allowed` each is `blocked`.
    package init(with address: IPAddress, port: UInt16, allowed: AllowedNetworks) {
        self.address = SocketAddress(Endpoint(transport: .tcp, address: address, port: port))
        isAllowed = allowed.allows(address)
    }

    /// Tries once, for `timeout` at most.
    @EventLoopActor
    package func measure(timeout: Duration) async -> Result {
        guard isAllowed else { return .blocked }
        let result: Result
        do throws(SystemError) {
            let socket = try await Socket.open(.stream, family: address.family)
            result = try await connect(socket, timeout: timeout)
        } catch {
            result = error.isRefusal ? .refused : .unreachable(error.reason)
        }
        DescriptorQueue.released()
        return result
    }

    @EventLoopActor
    private func connect(
        _ socket: borrowing Socket,
        timeout: Duration
    ) async throws(SystemError) -> Result {
        let limit = TimeLimit(timeout)
        try socket.startConnecting(to: address)
        let loop = EventLoop.shared
        let wait = try loop.open(socket, within: limit, writable: true)
        defer { loop.close(wait) }
        switch await loop.next(wait) {
        case .deadline: return .silent
        case .cancelled: return .cancelled
        case .ready:
            let elapsed = limit.watch.elapsed
            let error = cs_pending_error(socket.descriptor)
            guard error == 0 else { throw SystemError("connection", code: error) }
            let measured = socket.networkRoundTrip.flatMap { $0 > .zero ? $0 : nil }
            return (measured ?? limit.plausible(elapsed)).map { .connected($0) } ?? .silent
        }
    }
}
