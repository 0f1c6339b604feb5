import Analysis
import Catalogue
import DNSWire
import Measurement
import Processes
package import Samples
import Transports

/// Measures rounds of an order: one, those of a schedule, or those of a plan until
/// it is certain.
final class Session: Sendable {
    let order: RunOrder
    let run: Run
    /// By label, how resolvers were found not to tell the truth.
    let tampering: [String: String]
    /// Rounds of the run that were before the plan's first.
    private let earlierRounds: Int
    /// By the plan's index of targets.
    private let transports: [any Transport]
    private let connects: ContentConnects?
    let bundle: RunBundle?
    /// Consumers that receive each round before it is stored.
    private let consumers: [any RoundConsumer]
    private let pages: BlockPageWatch
    let distrust = DistrustLog()
    /// `nil` where nothing may be sent beside the plan's queries.
    private let otherSources: OtherSourceSearch?
    let siteQueries: SiteQueryCheck
    /// Where the measurement is a registered one.
    let ids: QueryIDs?
    /// One for all rounds: what is in a cache stays there from round to round.
    private let warmups: WarmupTracker

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
        transports = zip(order.plan.targets, order.targetResolvers).map { target, resolver in
            guard order.isRegistered else {
                return order.transports.transport(to: resolver, in: target.series)
            }
            return UDPTransport(
                to: resolver.endpoint,
                allowed: order.allowed,
                fixesHeader: true
            )
        }
        otherSources =
            order.lab == nil && !order.isRegistered
            ? OtherSourceSearch(allowed: order.allowed) : nil
        ids = order.isRegistered ? QueryIDs() : nil
        warmups = WarmupTracker(order.plan)
    }

    /// Measures round `number` of the run, warm-up first; `nil` where the task was cancelled before
    /// every query had its outcome.
    func round(
        _ number: Int,
        onSample: @escaping @Sendable (Sample, _ round: Int) -> Void = { _, _ in }
    ) async -> MeasuredRound? {
        // Beside the queries: a handshake each says which part of the times is the way.
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
    /// plan's targets. The round does not last longer for it, but for the few seconds in which all
    /// ports can be tried.
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

    /// Starts to measure the plan's rounds, until an interruption or until `choice` ends the run. The
    /// measurement does not wait for the consumers of its rounds.
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

    /// Sends one query of a round of the run, `lateness` after its time since `start`; `nil` where it was
    /// cancelled before its end. Of those that are due at one moment the last waits for its turn, which is
    /// lateness too.
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
        query.keepsMessages = bundle != nil
        var exchange = await transports[probe.target].exchange(
            query,
            timeout: order.plan.timeout
        )
        if case .timeout = exchange.result, exchange.truncated == nil,
            let cause = await otherSources?.cause(
                of: query,
                to: resolver.endpoint,
                timeout: order.plan.timeout
            )
        {
            exchange.fault = cause
        }
        // That a query had no answer by the end of the run says nothing. It is decided once, for the sample
        // and for the evidence.
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

    private func runner() -> Runner {
        var runner = Runner(plan: order.plan, run: run, start: .now)
        runner.warmups = warmups
        runner.launch = { EventLoop.start(in: &$0, $1) }
        return runner
    }

    /// The round with what is known of its samples once it is over.
    private func finished(_ recording: Recording) -> MeasuredRound {
        var recording = recording
        pages.leaveOut(of: &recording, number: Int(recording.rounds[0].number))
        recording.rounds[0].number += Int32(clamping: earlierRounds)
        recording.mark(tampering)
        return MeasuredRound(recording: recording, endpoints: order.endpoints)
    }
}

/// The rounds of a session, in the order of their start. Each element contains the rounds that became complete
/// at the same time.
struct SessionRounds: AsyncSequence, Sendable {
    struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var rounds: RoundQueue<Recording>.AsyncIterator
        fileprivate let finish: @Sendable (Recording) -> MeasuredRound

        mutating func next() async -> [MeasuredRound]? { await rounds.next()?.map(finish) }
    }

    private let rounds: RoundQueue<Recording>
    private let measuring: Task<MeasuredRun, Never>
    private let finish: @Sendable (Recording) -> MeasuredRound

    fileprivate init(
        _ rounds: RoundQueue<Recording>,
        _ measuring: Task<MeasuredRun, Never>,
        finish: @escaping @Sendable (Recording) -> MeasuredRound
    ) {
        (self.rounds, self.measuring, self.finish) = (rounds, measuring, finish)
    }

    func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(rounds: rounds.makeAsyncIterator(), finish: finish)
    }

    /// The result of the measurement, without its samples.
    var run: MeasuredRun { get async { await measuring.value } }
}

extension Plan {
    /// The addresses that a query of the cached series was answered; `nil` without any.
    func cachedAddresses(of exchange: Exchange, to probe: Probe) -> [[UInt8]]? {
        guard let addresses = exchange.response?.addresses, !addresses.isEmpty,
            series(ofQuestion: probe.question) == .cached
        else { return nil }
        return addresses
    }
}

extension Run {
    /// A run of `order` from now on, whose rounds are `interval` apart if there are several.
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

/// A round that was measured, on its way to whoever stores, shows or judges it.
package struct MeasuredRound: Sendable {
    package var recording: Recording
    /// Where each of its targets was asked.
    let endpoints: [Endpoint]
    /// Slots of the schedule before it that had no round.
    package var missed = 0

    package var round: Round { recording.rounds[0] }

    var run: Run { recording.runs[0] }

    package var counts: OutcomeCounts {
        var counts = OutcomeCounts()
        for sample in recording.samples { counts.count(sample.observation) }
        return counts
    }

    /// When its first query left, or should have.
    package var start: Timestamp { recording.samples.map(\.moment).min() ?? round.started }
}
