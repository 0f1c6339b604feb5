import CSockets
package import Catalogue
package import DNSWire

/// DNS over UDP (RFC 1035 §4.2.1). Each query has a socket that is connected for it alone. The query gets a
/// random source port and ICMP errors. It receives datagrams from the resolver's address only.
package struct UDPTransport: Transport {
    private let address: SocketAddress
    private let followUp: TCPTransport
    private let isAllowed: Bool
    private let fixesHeader: Bool

    /// A transport to `endpoint`. Outside `allowed`, every exchange is `blocked`. With `fixesHeader`, queries
    /// have the IP header that the registry of performance metrics specifies (RFC 8912 §6.2.2). Otherwise
    /// they have the system's header.
    package init(to endpoint: Endpoint, allowed: AllowedNetworks, fixesHeader: Bool = false) {
        self.fixesHeader = fixesHeader
        address = SocketAddress(endpoint)
        followUp = TCPTransport(to: endpoint, allowed: allowed)
        isAllowed = allowed.allows(endpoint.address)
    }

    @EventLoopActor
    package func exchange(_ query: Query, timeout: Duration) async -> Exchange {
        var exchange = Exchange(within: TimeLimit(timeout), isAllowed ? .timeout : .blocked)
        guard isAllowed else { return exchange }
        do throws(SystemError) {
            let isPlain = address.isPlain && !fixesHeader
            let datagrams = try await DatagramSocket.open(family: address.family, isPlain: isPlain)
            do throws(SystemError) {
                try await ask(query, on: datagrams, &exchange)
            } catch {
                datagrams.close()
                throw error
            }
            datagrams.close(keeping: isPlain && exchange.leavesNothing)
        } catch {
            exchange.result = error.result
        }
        DescriptorQueue.released()
        guard case .response(let response) = exchange.result, response.truncated else {
            return exchange
        }
        // Repeats the query over TCP (RFC 7766 §5) within the remaining time.
        var full = await followUp.exchange(query, timeout: exchange.limit.left)
        full.follow(exchange)
        return full
    }

    @EventLoopActor
    private func ask(
        _ query: Query,
        on datagrams: DatagramSocket,
        _ exchange: inout Exchange
    ) async throws(SystemError) {
        if fixesHeader { datagrams.socket.fixHeader(family: address.family) }
        let attempt = Attempt(query)
        exchange.id = attempt.id
        try datagrams.socket.connect(to: address)
        exchange.begin()
        exchange.stamps = Stamps(sentAt: cs_read_clocks())
        let number = try datagrams.send(attempt)
        exchange.keep(attempt)
        if attempt.countsPackets {
            exchange.packets = .zero
            exchange.packets?.addSent(attempt.size)
        }
        // On loopback and with most drivers, the send stamp is available as soon as send returns.
        try datagrams.socket.takeQueued(&exchange, of: number, about: attempt)
        var wait = datagrams.wait(within: exchange.limit)
        while await wait.goesOn(datagrams.socket.budget, within: exchange.limit) {
            if try datagrams.socket.receiveDatagrams(answering: attempt, number, &exchange) {
                return
            }
        }
        exchange.endUnanswered(isCancelled: wait.isCancelled)
    }
}

extension Exchange {
    /// Whether no more data can arrive that the socket's next exchange would read. The query has its stamp
    /// and its answer, and nothing else arrived.
    fileprivate var leavesNothing: Bool {
        guard case .response = result else { return false }
        return stamps?.kernelSent != nil && strays.count == 0 && !hasReports
    }
}

extension Socket {
    /// Reads the received data. Returns `true` if it ends the exchange. A datagram that does not match the
    /// query is counted, and the wait continues. Forged packets must not end a query. The turn's budget and
    /// the time limit bound their cost.
    @EventLoopActor
    fileprivate func receiveDatagrams(
        answering attempt: Attempt,
        _ number: UInt32?,
        _ exchange: inout Exchange
    ) throws(SystemError) -> Bool {
        while true {
            let received: Received?
            do throws(SystemError) {
                received = try unsafe receive(into: ReceiveBuffer.bytes)
            } catch {
                try exchange.take(fromReceiving: error)
                continue
            }
            guard let received else { break }
            exchange.packets?.addReceived(received.count)
            let datagram = unsafe ReceiveBuffer.received(received.count)
            if exchange.stamps?.kernelSent == nil {
                try takeQueued(&exchange, of: number, about: attempt)
            }
            if unsafe exchange.take(datagram, for: attempt, received.arrival) { return true }
        }
        try takeQueued(&exchange, of: number, about: attempt)
        return false
    }

    /// Reads the error queue: the send stamp of the query, and ICMP errors about `attempt`. `number` is the
    /// query's number on the socket; `nil` takes the first stamp.
    @EventLoopActor
    func takeQueued(
        _ exchange: inout Exchange,
        of number: UInt32? = nil,
        about attempt: Attempt? = nil
    ) throws(SystemError) {
        while true {
            let entry = unsafe takeQueued(Quotation.buffer)
            switch entry.kind {
            case CS_QUEUED_NOTHING: return
            case CS_QUEUED_ICMP_ERROR:
                if let attempt { try exchange.take(entry, about: attempt, from: self) }
            case CS_QUEUED_SEND_STAMP where number == nil || number == entry.identifier:
                // TCP retransmissions are stamped again, and two drivers may stamp one datagram.
                guard exchange.stamps?.kernelSent == nil else { continue }
                exchange.stamps?.kernelSent = entry.stamp
                return
            default: continue
            }
        }
    }
}
