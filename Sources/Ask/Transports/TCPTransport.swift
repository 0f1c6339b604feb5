import CSockets
package import Catalogue
package import DNSWire

/// DNS over TCP (RFC 7766). Each query opens a new connection, whose time is reported separately.
package struct TCPTransport: Transport {
    private let address: SocketAddress
    private let isAllowed: Bool

    /// A transport to `endpoint`. Outside `allowed`, every exchange is `blocked`.
    package init(to endpoint: Endpoint, allowed: AllowedNetworks) {
        address = SocketAddress(endpoint)
        isAllowed = allowed.allows(endpoint.address)
    }

    @EventLoopActor
    package func exchange(_ query: Query, timeout: Duration) async -> Exchange {
        var exchange = Exchange(within: TimeLimit(timeout), isAllowed ? .timeout : .blocked)
        guard isAllowed else { return exchange }
        do throws(SystemError) {
            let socket = try await Socket.open(.stream, family: address.family)
            exchange.begin()
            try await ask(query, on: socket, &exchange)
        } catch {
            exchange.result = error.result
            if exchange.connect == nil { exchange.fault = error.fault }
        }
        DescriptorQueue.released()
        return exchange
    }

    @EventLoopActor
    private func ask(
        _ query: Query,
        on socket: borrowing Socket,
        _ exchange: inout Exchange
    ) async throws(SystemError) {
        let watch = Stopwatch()
        exchange.stamps = Stamps(sentAt: cs_read_clocks())
        try socket.startConnecting(to: address)
        let wait = try EventLoop.shared.open(socket, within: exchange.limit, writable: true)
        defer { EventLoop.shared.close(wait) }
        switch await EventLoop.shared.next(wait) {
        case .ready: try socket.checkConnected()
        case .deadline: return exchange.fault = FailureCause(.silence, "connection")
        case .cancelled: return exchange.result = .cancelled
        }
        exchange.connect = watch.elapsed ?? socket.networkRoundTrip
        exchange.connection = .new
        socket.enableStamps()
        cs_send_at_once(socket.descriptor)
        let attempt = Attempt(query)
        exchange.stamps = Stamps(sentAt: cs_read_clocks())
        // A query is much smaller than the send buffer of a new connection, so it is sent completely.
        try attempt.sendFrame(on: socket)
        exchange.keep(attempt)
        var frames = FrameReader()
        var waiting = ExchangeWait(wait)
        while await waiting.goesOn(socket.budget, within: exchange.limit) {
            if try socket.receiveFrames(&frames, answering: attempt, &exchange) {
                if attempt.countsPackets { exchange.packets = socket.packetsSinceConnecting }
                return
            }
        }
        if waiting.isCancelled { exchange.result = .cancelled }
    }
}

extension Socket {
    /// The packets of the whole connection; `nil` if their sizes are unknown.
    fileprivate var packetsSinceConnecting: PacketCount? { segments?.count(since: PacketReading()) }

    /// The network round trip that the kernel measured while connecting; `nil` if the system does not report
    /// it.
    var networkRoundTrip: Duration? {
        let time = cs_network_round_trip(descriptor)
        return time < 0 ? nil : .microseconds(time)
    }

    /// Reads the received data. Returns `true` if it ends the exchange.
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
            guard received.count > 0 else {
                exchange.result =
                    frames.isEmpty
                    ? .unreachable("connection closed without an answer")
                    : .malformed("connection closed \(frames.progress)")
                return true
            }
            unsafe frames.append(ReceiveBuffer.received(received.count))
            if exchange.stamps?.kernelSent == nil { try takeQueued(&exchange) }
            if frames.takeAll(received.arrival, answering: attempt, &exchange) { return true }
        }
    }
}

extension FrameReader {
    /// Processes all complete messages. Returns `true` if one ends the exchange.
    @EventLoopActor
    fileprivate mutating func takeAll(
        _ arrival: Arrival,
        answering attempt: Attempt,
        _ exchange: inout Exchange
    ) -> Bool {
        do throws(ConnectionEnd) {
            while let message = try next() {
                let isEnd = unsafe message.withUnsafeBytes {
                    unsafe exchange.take($0, for: attempt, arrival)
                }
                if isEnd { return true }
            }
        } catch {
            exchange.result = error.result
            return true
        }
        guard let verdict = exchange.strays.verdict else { return false }
        exchange.result = verdict
        return true
    }
}
