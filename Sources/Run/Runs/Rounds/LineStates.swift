import Catalogue
import DNSWire
import Failures
import Load
import Samples
import Statistics
import Synchronization
import Transports

/// Brings the line into the state for each block of a run under load, and measures the network round trip in
/// each state.
final class LineStates: Sendable {
    private struct State {
        /// The place whose handshakes measure the round trip; `nil` if no place accepts a connection.
        var place: Endpoint?
        var hasLooked = false
        /// The round trips while the line was idle and while it was loaded.
        var idle: [Duration] = []
        var loaded: [Duration] = []
        /// The blocks before which the queue did not drain in time.
        var undrained = 0
        var failure: Failure?
        var watching: Task<Void, Never>?
    }

    private let load: LineLoad
    private let places: [Endpoint]
    private let allowed: AllowedNetworks
    private let clock = EventLoopClock()
    private let state = Mutex(State())

    /// The longest wait for a queue to drain.
    private static let patience = Duration.seconds(10)
    /// The wait for a queue to fill or to drain, if no round trip can be measured.
    private static let blindWait = Duration.seconds(3)
    private static let gap = Duration.milliseconds(100)
    /// The time without growth of the round trip after which a queue is full.
    private static let growth = Duration.seconds(1)
    private static let slack = Duration.milliseconds(1)
    /// While the line is loaded, a handshake in this interval measures the round trip.
    private static let loadedGap = Duration.milliseconds(250)
    private static let idleHandshakes = 5
    /// The longest queue that is measured.
    private static let longestHandshake = Duration.seconds(3)

    /// The states of a line with `load`. The first of `places` that accepts a connection measures the round
    /// trips.
    init(_ load: LineLoad, at places: [Endpoint], allowed: AllowedNetworks) {
        (self.load, self.places, self.allowed) = (load, places.uniqued, allowed)
    }

    /// Returns once the line is in the state for the queries of `series`. Returns `false` if it cannot be
    /// brought into this state, which ends the run.
    func prepare(_ series: Series, for length: Duration) async -> Bool {
        if !state.withLock(\.hasLooked) { await measureIdle() }
        state.withLock { state in
            state.watching?.cancel()
            state.watching = nil
        }
        if !series.isLoaded {
            await endLoad()
            await drain()
            return !Task.isCancelled
        }
        let wasLoaded = load.isLoaded
        do throws(Failure) {
            guard try await load.begin(for: length) else { return false }
        } catch {
            state.withLock { $0.failure = error }
            return false
        }
        if !wasLoaded { await fill() }
        guard load.isLoaded, !Task.isCancelled else { return false }
        let watching = Task { await watch() }
        state.withLock { $0.watching = watching }
        return true
    }

    /// Sends a query. Its outcome is `cancelled` if the line was not in the state of `series` to the end.
    @EventLoopActor
    func exchange(
        _ query: Query,
        over transport: any Transport,
        in series: Series,
        timeout: Duration
    ) async -> Exchange {
        var exchange = await transport.exchange(query, timeout: timeout)
        // The bottleneck of the line may be this machine's own device, as a modem is.
        exchange.addOwnQueue()
        if series.isLoaded, !load.isLoaded { exchange.result = .cancelled }
        return exchange
    }

    /// Ends the load after the last block.
    func finish() async {
        state.withLock { $0.watching?.cancel() }
        await endLoad()
    }

    private func endLoad() async {
        await load.end(roundTrip: state.withLock { $0.loaded.last ?? .zero })
    }

    /// The facts about the load and its end.
    var summary: LoadSummary {
        let (idle, loaded, undrained, failure) = state.withLock {
            ($0.idle, $0.loaded, $0.undrained, $0.failure)
        }
        return LoadSummary(
            places: load.sources.map(\.address.place).uniqued,
            limit: load.limit.bytes,
            bytes: load.bytes,
            streams: load.streams,
            download: load.throughput(.download),
            upload: load.throughput(.upload),
            idleRoundTrip: idle.map { $0 / .milliseconds(1) }.lowerMedian,
            loadedRoundTrip: loaded.map { $0 / .milliseconds(1) }.lowerMedian,
            undrained: undrained,
            isLimitReached: load.isExhausted,
            failure: failure?.description
        )
    }

    /// The reason why the load allowed no whole round.
    var obstacle: Failure? {
        if let failure = state.withLock(\.failure) { return failure }
        guard load.isExhausted else { return nil }
        return Failure(
            .unavailable,
            "--load-limit: \(load.limit) is too little for one round on this line; raise it, or name "
                + "fewer domains"
        )
    }

    /// Finds the first place that accepts a connection, and measures its round trip.
    private func measureIdle() async {
        state.withLock { $0.hasLooked = true }
        for place in places {
            let found = await RTTProbe(of: place, allowed: allowed)
                .measure(handshakes: Self.idleHandshakes, gap: Self.gap)
            guard let found else { continue }
            return state.withLock { state in
                state.place = Endpoint(
                    transport: .tcp,
                    address: place.address,
                    port: found.port,
                    source: place.source
                )
                state.idle = [found.roundTrip]
            }
        }
    }

    /// Waits until the round trip is back at its idle level.
    private func drain() async {
        guard let level = state.withLock({ $0.idle.min() }) else {
            return (try? await clock.sleep(for: Self.blindWait)) ?? ()
        }
        let most = level + level / 4 + Self.slack
        let end = clock.now.advanced(by: Self.patience)
        // A single short round trip may have passed between two bursts.
        var low = 0
        while !Task.isCancelled {
            if let time = await roundTrip() {
                low = time <= most ? low + 1 : 0
                if low == 2 { return state.withLock { $0.idle.append(time) } }
            }
            guard clock.now < end else { return state.withLock { $0.undrained += 1 } }
            do { try await clock.sleep(for: Self.gap) } catch { return }
        }
    }

    /// Waits until the queue is full: until the round trip has not grown for a second. The throughput is
    /// stable before that.
    private func fill() async {
        guard state.withLock({ $0.place != nil }) else {
            return (try? await clock.sleep(for: Self.blindWait)) ?? ()
        }
        let end = clock.now.advanced(by: Self.patience)
        var (highest, last) = (Duration.zero, clock.now)
        while load.isLoaded, clock.now < end, last.duration(to: clock.now) < Self.growth {
            if let time = await roundTrip(), time > highest + highest / 20 {
                (highest, last) = (time, clock.now)
            }
            do { try await clock.sleep(for: Self.gap) } catch { return }
        }
    }

    /// Measures round trips until the task is cancelled.
    private func watch() async {
        while !Task.isCancelled {
            if let time = await roundTrip(), load.isLoaded, !Task.isCancelled {
                state.withLock { $0.loaded.append(time) }
            }
            do { try await clock.sleep(for: Self.loadedGap) } catch { return }
        }
    }

    /// The round trip of a handshake; `nil` if no place accepts a connection, or if this handshake failed.
    private func roundTrip() async -> Duration? {
        guard let place = state.withLock(\.place) else { return nil }
        let handshake = TCPHandshake(with: place, allowed: allowed)
        guard case .connected(let time) = await handshake.measure(timeout: Self.longestHandshake)
        else { return nil }
        return time
    }
}
