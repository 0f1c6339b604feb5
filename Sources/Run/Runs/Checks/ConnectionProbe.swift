import Catalogue
import DNSWire
import Integrity
import Samples
import Statistics
import Transports

/// Observes the connections of one resolver over one transport.
struct ConnectionProbe: Sendable {
    let resolver: Resolver
    let open: ConnectionHolder
    let turns: CheckTurns<ContinuousClock>
    /// A query for a name that caches contain.
    let query: Query
    /// Queries for names that no cache contains; `nil` without a zone.
    let slow: UncachedQuery?
    let timeout: Duration
    let upTo: Duration
    let handshakes: Int

    /// The maximum number of pairs of queries that show the order of answers.
    static let mostOrderAttempts = 5
    /// The maximum wait for a ticket after an answer.
    private static let ticketWait = Duration.seconds(1)

    @EventLoopActor
    func reading() async -> ConnectionReading {
        var reading = ConnectionReading(resolver.target(in: .cached), upTo: upTo.inSeconds)
        if await measureOpenings(&reading) { await searchIdle(&reading) }
        reading.isInterrupted = Task.isCancelled
        return reading
    }

    /// A new connection with its first answer; `nil` if there is no answer.
    @EventLoopActor
    private func opened(
        resuming earlier: HeldConnection? = nil,
        _ reading: inout ConnectionReading
    ) async -> HeldConnection? {
        await turns.wait(for: resolver.endpoint)
        guard !Task.isCancelled, let connection = open(earlier) else { return nil }
        let exchange = await ask(query, on: connection, &reading)
        guard exchange.result.response != nil, let use = exchange.connection else {
            if exchange.result != .cancelled {
                reading.failure = Detail(Reply(exchange.result).description)
            }
            return nil
        }
        reading.openings[use, default: []].append(exchange.opening.milliseconds)
        if let stated = exchange.result.response?.keepalive {
            reading.statedTimeout = Double(stated) / 1000
        } else if let stated = connection.statedIdle {
            reading.statedTimeout = stated.inSeconds
        }
        return connection
    }

    @EventLoopActor
    private func ask(
        _ query: Query,
        on connection: HeldConnection,
        _ reading: inout ConnectionReading
    ) async -> Exchange {
        let exchange = await connection.ask(query, timeout: timeout)
        reading.count(exchange)
        if let use = exchange.connection, use != .reused { reading.connections += 1 }
        return exchange
    }

    // MARK: Opening

    /// Opens new and resumed connections. Returns `false` if there is no answer on any.
    @EventLoopActor
    private func measureOpenings(_ reading: inout ConnectionReading) async -> Bool {
        var last: HeldConnection?
        for _ in 0..<handshakes {
            guard let connection = await opened(&reading) else { return false }
            last?.close()
            last = connection
        }
        guard let last else { return false }
        reading.order = await order(on: last, &reading)
        if resolver.endpoint.transport.isEncrypted {
            await last.awaitTicket(within: Self.ticketWait)
            reading.givesTickets = last.hasTicket
        }
        await resume(last, &reading)
        return true
    }

    /// Opens connections that resume the session of the connection before.
    @EventLoopActor
    private func resume(_ first: HeldConnection, _ reading: inout ConnectionReading) async {
        var last = first
        for _ in 0..<handshakes where last.hasTicket {
            guard let connection = await opened(resuming: last, &reading) else { break }
            last.close()
            last = connection
            await last.awaitTicket(within: Self.ticketWait)
        }
        last.close()
        if reading.openings[.early] != nil || reading.openings[.resumed] != nil {
            reading.acceptsEarlyData = reading.openings[.early] != nil
        }
    }

    // MARK: Order of answers

    /// Sends a slow and a fast query at one moment, in this order, until the order of the answers shows.
    @EventLoopActor
    private func order(
        on connection: HeldConnection,
        _ reading: inout ConnectionReading
    ) async -> ConnectionReading.AnswerOrder {
        guard let slow else { return .notShown }
        await turns.wait(for: resolver.endpoint)
        let usual = await ask(query, on: connection, &reading).roundTrip
        var waits = 0
        for _ in 0..<Self.mostOrderAttempts {
            for _ in 0..<2 { await turns.wait(for: resolver.endpoint) }
            guard !Task.isCancelled else { break }
            let pair = await connection.ask(slow.next(), then: query, timeout: timeout)
            reading.count(pair.first)
            reading.count(pair.second)
            guard let sent = pair.first.sentMonotonic, let fast = pair.second.end else { continue }
            guard let end = pair.first.end else { return .outOfOrder }
            // Over QUIC, one datagram may have both answers in any order.
            if pair.isOvertaken, fast < end { return .outOfOrder }
            // The fast query waited only if its usual time is much shorter.
            let isWait = usual.map { .nanoseconds(end - sent) > $0 * 2 + .milliseconds(5) } ?? false
            waits += isWait ? 1 : 0
            if waits > 1 { return .inOrder }
        }
        return .notShown
    }

    // MARK: Idle timeout

    @EventLoopActor
    private func searchIdle(_ reading: inout ConnectionReading) async {
        while let gap = reading.idle.next, !Task.isCancelled {
            guard let connection = await opened(&reading) else { return }
            switch await connection.watch(for: .seconds(gap)) {
            case .ended(let signal?, let time):
                reading.idle.note(endAfter: time.inSeconds, isSilent: signal == .idle)
                reading.signal = signal
            case .ended(nil, let time):
                reading.idle.note(openFor: time.inSeconds)
                reading.failure = Detail("the client ended the connection because of an error")
                return
            case .cancelled(let time): return reading.idle.note(openFor: time.inSeconds)
            case .open:
                let idle = connection.idle.inSeconds
                let exchange = await ask(query, on: connection, &reading)
                guard exchange.result != .cancelled else {
                    return reading.idle.note(openFor: idle)
                }
                let isKept = exchange.result.response != nil
                reading.idle.note(gap: idle, isKept: isKept)
                if !isKept { reading.signal = connection.signal ?? .silence }
            }
            connection.close()
        }
    }
}

extension ConnectionReading {
    /// Counts a query that was sent: its connection was opened.
    fileprivate mutating func count(_ exchange: Exchange) {
        if exchange.connection != nil, exchange.sent != nil { queries += 1 }
    }
}

extension Exchange {
    /// The time of the answer, in nanoseconds of CLOCK_MONOTONIC; `nil` without an answer.
    fileprivate var end: Int64? {
        guard let sentMonotonic, let roundTrip, result.response != nil else { return nil }
        return sentMonotonic + roundTrip.nanoseconds
    }
}
