import Analysis
import Catalogue
import DNSWire
import Measurement
import Processes
package import Samples
import Transports

/// Measures rounds of an order: one round, the rounds of a schedule, or the rounds of a plan until
/// the verdict is certain.
final class Session: Sendable {
    let order: RunOrder
    let run: Run
    /// The detected tampering of resolvers, by label.
    let tampering: [String: String]
    /// The number of rounds of the run before the plan's first round.
    private let earlierRounds: Int
    /// The transports by the plan's index of targets.
    private let transports: [any Transport]
    private let connects: ContentConnects?
    let bundle: RunBundle?
    /// Consumers that receive each round before it is stored.
    private let consumers: [any RoundConsumer]
    private let pages: BlockPageWatch
    let distrust = DistrustLog()
    /// `nil` if no packets except the plan's queries may be sent.
    private let otherSources: OtherSourceSearch?
    /// `nil` if no packets except the plan's queries may be sent.
    private let packetSizes: PacketSizeSearch?
    let siteQueries: SiteQueryCheck
    /// The query IDs; `nil` unless the measurement is registered.
    let ids: QueryIDs?
    /// Shared by all rounds, because names stay in a cache from round to round.
    private let warmups: WarmupTracker
    /// The states of the line; `nil` without a load.
    let states: LineStates?

    init(
        _ order: RunOrder,
        run: Run,
        tampering: [String: String] = [:],
        after earlierRounds: Int = 0,
        connects: ContentConnects? = nil,
        bundle: RunBundle? = nil,
        consumers: [any RoundConsumer] = []
    ) {
        self.bundle = bundle
        self.consumers = consumers
        self.order = order
        self.run = run
        self.tampering = tampering
        self.earlierRounds = earlierRounds
        self.connects = connects
        pages = BlockPageWatch(order.plan)
        siteQueries = SiteQueryCheck(order)
        var kept: [Recording.Target: any Transport] = [:]
        transports = zip(order.plan.targets, order.targetResolvers).map { target, resolver in
            guard order.isRegistered else {
                let idle = target.series == .loaded ? target.inSeries(.cached) : target
                // A connection is not opened anew when the line becomes busy.
                let transport =
                    kept[idle] ?? order.transports.transport(to: resolver, in: target.series)
                kept[target] = transport
                return transport
            }
            return UDPTransport(
                to: resolver.endpoint,
                allowed: order.allowed,
                fixesHeader: true
            )
        }
        states = order.load.map {
            LineStates($0, at: order.endpoints, allowed: order.allowed)
        }
        otherSources =
            order.lab == nil && !order.isRegistered
            ? OtherSourceSearch(allowed: order.allowed) : nil
        packetSizes =
            order.lab == nil && !order.isRegistered
            ? PacketSizeSearch(gap: .seconds(1 / order.plan.rate)) : nil
        ids = order.isRegistered ? QueryIDs() : nil
        warmups = WarmupTracker(order.plan)
    }

    /// Measures round `number` of the run, with its warm-up first; `nil` if the task was cancelled
    /// before every query had its outcome.
    func round(
        _ number: Int,
        onSample: @escaping @Sendable (Sample, _ round: Int) -> Void = { _, _ in }
    ) async -> MeasuredRound? {
        // During the queries, one handshake per address measures the network's part of the times.
        async let roundTrips = roundTrips()
        let recording = await Task(executorPreference: EventLoop.shared) { [runner = runner()] in
            await runner.round(
                number,
                on: EventLoopClock(),
                send: { [self] probe, lateness in
                    await send(probe, lateness, from: runner.start, inRound: number)
                },
                onSample: onSample
            )
        }.cancellingValue
        guard var round = recording.map(finished) else { return nil }
        round.recording.note(await roundTrips)
        consumers.take(&round)
        return round
    }

    /// The network's round trip to each address that answers a handshake, in nanoseconds, by the
    /// plan's targets. It does not extend the round, except to the few seconds that are necessary
    /// to try all ports.
    private func roundTrips() async -> [Int: Int64] {
        guard order.options.measuresFloor else { return [:] }
        let endpoints = order.targetResolvers.map(\.endpoint)
        let distinct = endpoints.uniqued
        let pace = HandshakePace(order.plan, places: distinct.count)
        let time = max(order.plan.single(1).estimatedDuration, .seconds(4))
        let last = EventLoopClock().now.advanced(by: time)
        let found = await distinct.readings(every: pace.step) { [allowed = order.allowed] in
            await RTTProbe(of: $0, allowed: allowed)
                .measure(handshakes: 1, gap: pace.gap, until: last)?.roundTrip.nanoseconds
        }
        return endpoints.enumerated().reduce(into: [:]) { $0[$1.offset] = found[$1.element] }
    }

    /// Starts to measure the plan's rounds, until an interruption or until `choice` ends the run.
    /// The measurement does not wait for the consumers of its rounds.
    func rounds(
        choice: @escaping @Sendable (_ round: Int) -> RoundChoice,
        onSample: @escaping @Sendable (Sample, _ round: Int) -> Void
    ) -> SessionRounds {
        let rounds = RoundQueue<Recording>(gap: .milliseconds(10))
        var runner = runner()
        // The consumers keep the samples.
        runner.keepsSamples = false
        let measuring = Task { [runner] in
            let measured = await Signals.whileRunning {
                Task(executorPreference: EventLoop.shared) {
                    await runner.run(
                        on: EventLoopClock(),
                        send: { [self] probe, lateness in
                            let round = max(0, probe.round)
                            return await send(probe, lateness, from: runner.start, inRound: round)
                        },
                        choice: choice,
                        onSample: onSample,
                        onRound: { rounds.append($0) }
                    )
                }
            }.value
            rounds.finish()
            return measured
        }
        return SessionRounds(rounds, measuring) { [self] recording in
            var round = finished(recording)
            consumers.take(&round)
            return round
        }
    }

    /// Sends one query of a round, `lateness` after its time since `start`; `nil` if it was
    /// cancelled before its end. Among queries that are due at one moment, the last ones wait for
    /// their turn, which is also lateness.
    private func send(
        _ probe: Probe,
        _ lateness: Duration,
        from start: Timestamp,
        inRound round: Int
    ) async -> Observation? {
        let asked = EventLoopClock().now.nanoseconds
        return await observation(of: probe, inRound: round, askedAt: asked) {
            exchange,
            observation in
            bundle?.note(
                exchange,
                observation,
                of: probe,
                inRound: round,
                scheduled: start.advanced(by: probe.offset),
                lateness: lateness
            )
        }
    }

    @EventLoopActor
    private func observation(
        of probe: Probe,
        inRound round: Int,
        askedAt start: Int64,
        note: (Exchange, Observation?) -> Void
    ) async -> Observation? {
        let resolver = order.targetResolvers[probe.target]
        var query = siteQueries.query(order.queries[probe.question](), to: resolver)
        query.keepsMessages = bundle?.keepsMessages == true
        query.countsPackets = order.options[.wire] == true
        let (transport, timeout) = (transports[probe.target], order.plan.timeout)
        let series = order.plan.targets[probe.target].series
        var exchange =
            if let states, probe.round >= 1 {
                await states.exchange(query, over: transport, in: series, timeout: timeout)
            } else {
                await transport.exchange(query, timeout: timeout)
            }
        if case .timeout = exchange.result, exchange.truncated == nil,
            let cause = await otherSources?.cause(
                of: query,
                to: resolver.endpoint,
                timeout: order.plan.timeout
            )
        {
            exchange.fault = cause
        }
        if let cause = await causeOnPath(of: exchange, to: resolver) { exchange.fault = cause }
        // A query without an answer at the end of the run shows nothing. This decision is made
        // once, for the sample and for the evidence.
        if Task.isCancelled, !Outcome(exchange.result).isResponse { exchange.result = .cancelled }
        if case .untrusted(let reason) = exchange.result {
            distrust.note(reason, of: resolver)
        }
        ids?.note(exchange, of: probe)
        let addresses = order.plan.cachedAddresses(of: exchange, to: probe)
        if let addresses { connects?.note(addresses, of: probe) }
        pages.note(addresses ?? [], of: probe, inRound: round)
        let observation = Observation(
            of: exchange,
            to: probe,
            of: order.plan,
            expecting: order.expectations,
            askedAt: start
        )
        note(exchange, observation)
        return observation
    }

    /// The reason on the path why an encrypted resolver was silent; `nil` if none was found.
    @EventLoopActor
    private func causeOnPath(of exchange: Exchange, to resolver: Resolver) async -> FailureCause? {
        guard exchange.fault?.kind == .silence, let packetSizes,
            let encrypted = order.transports.encrypted(to: resolver)
        else { return nil }
        return await packetSizes.cause(
            of: exchange.fault,
            over: encrypted,
            timeout: order.plan.timeout
        )
    }

    private func runner() -> Runner {
        var runner = Runner(plan: order.plan, run: run, start: .now)
        if let states { runner.prepare = { await states.prepare($0, for: $1) } }
        runner.warmups = warmups
        runner.launch = { EventLoop.start(in: &$0, $1) }
        return runner
    }

    /// The round with the facts about its samples that are known at its end.
    private func finished(_ recording: Recording) -> MeasuredRound {
        var recording = recording
        pages.leaveOut(of: &recording, number: Int(recording.rounds[0].number))
        recording.rounds[0].number += Int32(clamping: earlierRounds)
        recording.mark(tampering)
        return MeasuredRound(recording: recording, endpoints: order.endpoints)
    }
}

extension Plan {
    /// The addresses in the answer to a query of the cached series; `nil` without addresses.
    func cachedAddresses(of exchange: Exchange, to probe: Probe) -> [[UInt8]]? {
        guard let addresses = exchange.response?.addresses, !addresses.isEmpty,
            series(ofQuestion: probe.question) == .cached
        else { return nil }
        return addresses
    }
}

extension Run {
    /// A run of `order` that begins now. Several rounds are `interval` apart.
    init(
        _ order: RunOrder,
        origin: Origin,
        started: Timestamp = .now,
        interval: Duration? = nil,
        schedule: String? = nil,
        margin: Duration? = nil
    ) {
        self.init(
            id: Run.id(at: started, random: .random(in: 0...UInt32.max)),
            vantage: order.vantage,
            timeout: order.plan.timeout,
            origin: origin,
            started: started,
            interval: interval,
            seed: order.plan.seed,
            schedule: schedule,
            margin: margin
        )
        baseline = order.baseline
        isBaselineInUse = order.baselineInUse != nil
    }
}

/// A measured round, before it is stored, shown and evaluated.
package struct MeasuredRound: Sendable {
    package var recording: Recording
    /// The endpoint of each of its targets.
    let endpoints: [Endpoint]
    /// The number of missed slots of the schedule before the round.
    package var missed = 0

    package var round: Round { recording.rounds[0] }

    var run: Run { recording.runs[0] }

    package var counts: OutcomeCounts {
        var counts = OutcomeCounts()
        for sample in recording.samples { counts.count(sample.observation) }
        return counts
    }

    /// The time when its first query was sent, or was due.
    package var start: Timestamp { recording.samples.map(\.moment).min() ?? round.started }
}
