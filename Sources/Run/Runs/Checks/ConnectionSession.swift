package import Catalogue
import DNSWire
import Failures
import Integrity
import Measurement
import Processes
package import Samples
import Statistics
import Transports

/// Observes how long each resolver keeps an idle connection, and what opening one costs.
package struct ConnectionSession {
    /// The resolvers, each over each transport that has connections.
    package let resolvers: [Resolver]
    private let order: RunOrder
    private let upTo: Duration
    private let handshakes: Int
    private let slow: UncachedQuery?

    /// Prepares the observation of gaps up to `upTo`. It opens `handshakes` connections of each kind. Throws
    /// if no resolver is queried over a transport with connections.
    package init(_ order: RunOrder, upTo: Duration, handshakes: Int) throws {
        (self.order, self.upTo, self.handshakes) = (order, upTo, handshakes)
        resolvers = order.resolvers.filter { $0.endpoint.transport != .udp }
        guard !resolvers.isEmpty else {
            throw Failure.usage("UDP has no connections: give --transport tcp, tls or all")
        }
        slow = try ZoneChoice(order.options).zones.first.map {
            try UncachedQuery(under: $0, type: .a)
        }
    }

    /// The time that a run takes if each server signals the end of a connection, or keeps it.
    package var usualTime: Duration { opening + upTo + order.plan.timeout }

    /// The longest time of a run. It is taken by a server that drops idle connections silently.
    package var longestTime: Duration {
        let gaps = IdleSearch.longestTotal(upTo: upTo.inSeconds)
        return opening + .seconds(gaps) + order.plan.timeout * IdleSearch.mostGaps
    }

    /// The time of the connections that are not held, at the pace of the run.
    private var opening: Duration {
        // Each kind of connection carries one query. The attempts of the order follow, with two each.
        let own = 2 * handshakes + 2 * ConnectionProbe.mostOrderAttempts
        let pace = order.plan.pace
        let all = Double(own * resolvers.count)
        return .seconds(max(Double(own) / pace.rate, all / pace.totalRate))
    }

    /// Returns the readings in the order of the resolvers. After an interruption, they contain what is known
    /// so far.
    package func readings(
        onEnd: @escaping @Sendable (Resolver) -> Void
    ) async -> (readings: [ConnectionReading], interrupted: Bool) {
        let turns = CheckTurns(order.plan.pace, on: ContinuousClock())
        let observing = await Signals.whileRunning {
            Task {
                await resolvers.concurrentMap { resolver in
                    let reading = await probe(resolver, turns)?.reading()
                    onEnd(resolver)
                    return reading
                }
            }
        }
        return (await observing.value.compactMap(\.self), observing.isCancelled)
    }

    private func probe(
        _ resolver: Resolver,
        _ turns: CheckTurns<ContinuousClock>
    ) -> ConnectionProbe? {
        guard var query = order.queries.first?() else { return nil }
        let transport = resolver.endpoint.transport
        if transport == .tcp || transport == .tls, query.options.bufferSize > 0 {
            var options = query.options
            options.keepalive = true
            query = (try? Query(query.question, options: options)) ?? query
        }
        return ConnectionProbe(
            resolver: resolver,
            // The client must not end a connection over QUIC before the server does.
            open: order.transports.holder(to: resolver, offeredIdle: upTo + .seconds(60)),
            turns: turns,
            query: query,
            slow: slow,
            timeout: order.plan.timeout,
            upTo: upTo,
            handshakes: handshakes
        )
    }
}
