import CSockets
public import Catalogue
public import DNSWire

/// DNS over TCP (RFC 7766): for each query a fresh connection, whose time is given apart.
public struct TCPTransport: Transport {
    private let address: SocketAddress
    private let isAllowed: Bool

    /// A transport to `endpoint`; outside `allowed` every exchange is `blocked`.
    public init(to endpoint: Endpoint, allowed: AllowedNetworks) {
        address = SocketAddress(endpoint)
        isAllowed = allowed.allows(endpoint.address)
    }

    @EventLoopActor
    public func exchange(_ query: Query, timeout: Duration) async -> Exchange {
        guard isAllowed else { return Exchange(.blocked) }
        var exchange = Exchange()
        do throws(SystemError) {
            let socket = try await Socket.open(.stream, family: address.family)
            try await ask(query, on: socket, timeout: timeout, &exchange)
        } catch {
            exchange.result = error.result
        }
        DescriptorQueue.released()
        return exchange
    }

    /// Asks again what was truncated over UDP (RFC 7766 §5), in what is left of `timeout`. The
    /// round trip then runs from the first query to the full answer.
    @EventLoopActor
    func complete(_ first: Exchange, _ query: Query, timeout: Duration) async -> Exchange {
        guard let sent = first.stamps else { return first }
        let spent = Duration.nanoseconds(cs_monotonic() - sent.atSend.monotonic)
        var full = await exchange(query, timeout: timeout - spent)
        full.truncated = first.roundTrip
        full.strays.add(first.strays)
        full.clockStep = full.clockStep ?? first.clockStep
        if let roundTrip = full.roundTrip, let again = full.stamps {
            full.roundTrip = roundTrip + .nanoseconds(again.sentMonotonic - sent.sentMonotonic)
            if first.clock != .kernel { full.clock = first.clock }
        }
        full.stamps = sent
        return full
    }

    @EventLoopActor
    private func ask(
        _ query: Query,
        on socket: borrowing Socket,
        timeout: Duration,
        _ exchange: inout Exchange
    ) async throws(SystemError) {
        let start = cs_read_clocks()
        exchange.stamps = Stamps(sentAt: start)
        try socket.startConnecting(to: address)
        let loop = EventLoop.shared
        let wait = try loop.open(
            deadline: start.monotonic + timeout.nanoseconds,
            descriptor: socket.descriptor,
            writable: true
        )
        defer { loop.close(wait) }
        guard try await established(socket, wait, &exchange) else { return }
        exchange.connect = .nanoseconds(cs_monotonic() - start.monotonic)
        exchange.connection = .new
        let floor = cs_network_round_trip(socket.descriptor)
        exchange.networkRoundTrip = floor < 0 ? nil : .microseconds(floor)
        socket.enableStamps()
        _ = cs_send_at_once(socket.descriptor)
        let attempt = Attempt(query)
        exchange.stamps = Stamps(sentAt: cs_read_clocks())
        // A query is far smaller than the send buffer of a fresh connection: it goes whole.
        try attempt.send(on: socket, framed: true)
        try await receive(answering: attempt, socket, wait, &exchange)
    }

    /// Waits until the connection stands; `false` where the exchange ended before.
    @EventLoopActor
    private func established(
        _ socket: borrowing Socket,
        _ wait: WaitToken,
        _ exchange: inout Exchange
    ) async throws(SystemError) -> Bool {
        switch await EventLoop.shared.next(wait) {
        case .deadline:
            return false
        case .cancelled:
            exchange.result = .cancelled
            return false
        case .ready:
            let error = cs_pending_error(socket.descriptor)
            guard error == 0 else { throw SystemError("connection", code: error) }
            return true
        }
    }

    @EventLoopActor
    private func receive(
        answering attempt: Attempt,
        _ socket: borrowing Socket,
        _ wait: WaitToken,
        _ exchange: inout Exchange
    ) async throws(SystemError) {
        var frames = FrameReader()
        while true {
            switch await EventLoop.shared.next(wait) {
            case .ready:
                if try socket.receiveFrames(&frames, answering: attempt, &exchange) { return }
            case .deadline:
                return
            case .cancelled:
                exchange.result = .cancelled
                return
            }
        }
    }
}

extension Socket {
    /// Reads what has come in; `true` once that ends the exchange.
    @EventLoopActor
    fileprivate func receiveFrames(
        _ frames: inout FrameReader,
        answering attempt: Attempt,
        _ exchange: inout Exchange
    ) throws(SystemError) -> Bool {
        try takeQueued(&exchange)
        while true {
            let received: Received?
            do throws(SystemError) {
                received = try unsafe receive(into: ReceiveBuffer.bytes)
            } catch {
                guard !frames.isEmpty else { throw error }
                exchange.result = .malformed("\(error.reason) \(frames.progress)")
                return true
            }
            guard let received else { return false }
            let clocks = cs_read_clocks()
            guard received.count > 0 else {
                exchange.result =
                    frames.isEmpty
                    ? .unreachable("connection closed without an answer")
                    : .malformed("connection closed \(frames.progress)")
                return true
            }
            unsafe frames.append(ReceiveBuffer.received(received.count))
            while let message = frames.next() {
                if exchange.stamps?.kernelSent == nil { try takeQueued(&exchange) }
                switch unsafe message.withUnsafeBytes({ unsafe attempt.read($0) }) {
                case .stray(let stray):
                    exchange.strays.count(stray)
                case .malformed(let reason):
                    exchange.end(.malformed(reason), at: received.stamp, read: clocks)
                    return true
                case .response(let response):
                    exchange.end(.response(response), at: received.stamp, read: clocks)
                    return true
                }
            }
        }
    }
}
