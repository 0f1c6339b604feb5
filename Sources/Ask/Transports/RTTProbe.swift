import CSockets
package import Catalogue

/// Measures the network round trip to a resolver's address: the lower bound of the resolver's response time.
package struct RTTProbe: Sendable {
    private let endpoint: Endpoint
    private let ports: [UInt16]
    private let allowed: AllowedNetworks

    /// A probe of the address of `endpoint`. It uses the first port that accepts a connection: the endpoint's
    /// own port, 53, 443 and 853. On loopback only the endpoint's own port is tried, because other ports
    /// belong to other resolvers.
    package init(of endpoint: Endpoint, allowed: AllowedNetworks) {
        self.endpoint = endpoint
        let usual: [UInt16] = endpoint.address.isLoopback ? [] : [53, 443, 853]
        ports = [endpoint.port] + usual.filter { $0 != endpoint.port }
        self.allowed = allowed
    }

    /// Makes a number of handshakes, `gap` apart, each at most `timeout` long. No handshake starts after
    /// `last`. `nil` if no port accepts a connection.
    @EventLoopActor
    package func measure(
        handshakes: Int = 3,
        gap: Duration,
        timeout: Duration = .seconds(1),
        until last: EventLoopClock.Instant? = nil
    ) async -> NetworkRTT? {
        let clock = EventLoopClock()
        var next = clock.now
        for port in ports {
            var place = endpoint
            (place.transport, place.port) = (.tcp, port)
            let handshake = TCPHandshake(with: place, allowed: allowed)
            var times: [Duration] = []
            for _ in 0..<handshakes {
                if let last, next > last { break }
                do { try await clock.sleep(until: next, tolerance: nil) } catch { return nil }
                next = clock.now.advanced(by: gap)
                if case .connected(let time) = await handshake.measure(timeout: timeout) {
                    times.append(time)
                }
                if times.isEmpty { break }
            }
            if let least = times.min() {
                return NetworkRTT(roundTrip: least, port: port, handshakes: times.count)
            }
        }
        return nil
    }
}

/// Opens a TCP connection and closes it again, to measure the round trip to an address.
package struct TCPHandshake: Sendable {
    private let address: SocketAddress
    private let isAllowed: Bool

    /// A handshake with `endpoint`. Outside `allowed`, each handshake is `blocked`.
    package init(with endpoint: Endpoint, allowed: AllowedNetworks) {
        address = SocketAddress(endpoint)
        isAllowed = allowed.allows(endpoint.address)
    }

    /// Makes one handshake; `nil` if cancelled.
    @EventLoopActor
    package func measure(timeout: Duration) async -> Reach? {
        guard isAllowed else { return .blocked }
        let result: Reach?
        do throws(SystemError) {
            let socket = try await Socket.open(.stream, family: address.family)
            result = try await connect(socket, timeout: timeout)
        } catch {
            result = error.isRefusal ? .refused : .unreachable
        }
        DescriptorQueue.released()
        return result
    }

    @EventLoopActor
    private func connect(
        _ socket: borrowing Socket,
        timeout: Duration
    ) async throws(SystemError) -> Reach? {
        let limit = TimeLimit(timeout)
        try socket.startConnecting(to: address)
        let loop = EventLoop.shared
        let wait = try loop.open(socket, within: limit, writable: true)
        defer { loop.close(wait) }
        switch await loop.next(wait) {
        case .deadline: return .silent
        case .cancelled: return nil
        case .ready:
            let elapsed = limit.watch.elapsed
            try socket.checkConnected()
            let measured = socket.networkRoundTrip.flatMap { $0 > .zero ? $0 : nil }
            return (measured ?? limit.plausible(elapsed)).map { .connected($0) } ?? .silent
        }
    }
}
