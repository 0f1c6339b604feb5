import CSockets
public import Catalogue
public import DNSWire

/// DNS over UDP (RFC 1035 §4.2.1): for each query a fresh connected socket, which gives it a random
/// source port, ICMP errors at once, and nothing from anyone but the resolver.
public struct UDPTransport: Transport {
    private let address: SocketAddress
    private let followUp: TCPTransport
    private let isAllowed: Bool

    /// A transport to `endpoint`; outside `allowed` every exchange is `blocked`.
    public init(to endpoint: Endpoint, allowed: AllowedNetworks) {
        address = SocketAddress(endpoint)
        followUp = TCPTransport(to: endpoint, allowed: allowed)
        isAllowed = allowed.allows(endpoint.address)
    }

    @EventLoopActor
    public func exchange(_ query: Query, timeout: Duration) async -> Exchange {
        guard isAllowed else { return Exchange(.blocked) }
        var exchange = Exchange()
        do throws(SystemError) {
            let socket = try await Socket.open(.datagram, family: address.family)
            try await ask(query, on: socket, timeout: timeout, &exchange)
        } catch {
            exchange.result = error.result
        }
        DescriptorQueue.released()
        guard case .response(let response) = exchange.result, response.truncated else {
            return exchange
        }
        return await followUp.complete(exchange, query, timeout: timeout)
    }

    @EventLoopActor
    private func ask(
        _ query: Query,
        on socket: borrowing Socket,
        timeout: Duration,
        _ exchange: inout Exchange
    ) async throws(SystemError) {
        socket.enableStamps()
        socket.enableICMPErrors(family: address.family)
        let attempt = Attempt(query)
        try socket.connect(to: address)
        exchange.stamps = Stamps(sentAt: cs_read_clocks())
        let deadline = cs_monotonic() + timeout.nanoseconds
        try attempt.send(on: socket)
        // On loopback and with most drivers the send stamp is there as soon as send returns.
        try socket.takeQueued(&exchange)
        let loop = EventLoop.shared
        let wait = try loop.open(deadline: deadline, descriptor: socket.descriptor)
        defer { loop.close(wait) }
        while true {
            switch await loop.next(wait) {
            case .ready:
                if try socket.receiveDatagrams(answering: attempt, &exchange) { return }
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
    /// Reads what has come in; `true` once that ends the exchange. What does not match the query
    /// is counted, and the wait goes on.
    @EventLoopActor
    fileprivate func receiveDatagrams(
        answering attempt: Attempt,
        _ exchange: inout Exchange
    ) throws(SystemError) -> Bool {
        while let received = try unsafe receive(into: ReceiveBuffer.bytes) {
            let clocks = cs_read_clocks()
            let datagram = unsafe ReceiveBuffer.received(received.count)
            switch unsafe attempt.read(datagram) {
            case .stray(let stray):
                exchange.strays.count(stray)
            case .malformed(let reason):
                if exchange.stamps?.kernelSent == nil { try takeQueued(&exchange) }
                exchange.end(.malformed(reason), at: received.stamp, read: clocks)
                return true
            case .response(let response):
                if exchange.stamps?.kernelSent == nil { try takeQueued(&exchange) }
                exchange.end(.response(response), at: received.stamp, read: clocks)
                return true
            }
        }
        try takeQueued(&exchange)
        return false
    }

    /// Empties the error queue: send stamps are noted, ICMP errors thrown.
    @EventLoopActor
    func takeQueued(_ exchange: inout Exchange) throws(SystemError) {
        while true {
            let entry = takeQueued()
            switch entry.kind {
            case CS_QUEUED_NOTHING: return
            case CS_QUEUED_SEND_STAMP: exchange.stamps?.kernelSent = entry.stamp
            case CS_QUEUED_ICMP_ERROR: throw SystemError("recvmsg", code: entry.error)
            default: break
            }
            // There is one query on this socket, and so one stamp.
            if entry.kind == CS_QUEUED_SEND_STAMP { return }
        }
    }
}
