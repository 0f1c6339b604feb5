import Catalogue
import Failures
package import Measurement
package import Samples
package import Store

/// A run in the store that a new run continues, from its first round on.
package struct EarlierRun: Sendable {
    package let run: Run
    /// The run's samples, with the targets and questions of the continuing plan.
    package let recording: Recording
    package let lastRound: Int

    /// The last run with the resolvers and questions of `order`; `nil` if the store has no such
    /// run.
    package static func last(in store: Store, of order: RunOrder) throws -> EarlierRun? {
        for (run, rounds) in try candidates(in: store, of: order) {
            if let found = try EarlierRun(run, rounds, in: store, of: order) { return found }
        }
        return nil
    }

    /// The number of such runs today, by the reader's clock.
    package static func countToday(in store: Store, of order: RunOrder) throws -> Int {
        let now = Timestamp.now
        let clock = LocalClock.system(from: now.advanced(by: .zero - .seconds(86_400)), to: now)
        let midnight = clock.moment(of: LocalTime(date: clock.time(at: now).date))
        return try candidates(in: store, of: order, since: midnight).count { run, rounds in
            try EarlierRun(run, rounds, in: store, of: order) != nil
        }
    }

    /// The runs of `order.vantage` with the same timeout and margin, the latest first.
    private static func candidates(
        in store: Store,
        of order: RunOrder,
        since: Timestamp? = nil
    ) throws -> [(run: Run, rounds: [StoredRound])] {
        let rounds = try store.rounds(Store.Window(since: since, origins: [.compare]))
        return Dictionary(grouping: rounds, by: \.run)
            .filter { run, _ in
                run.vantage == order.vantage
                    && run.timeout == order.plan.timeout
                    && run.margin == order.margin
            }
            .sorted { $0.key.started > $1.key.started }.map { ($0.key, $0.value) }
    }

    /// `nil` if the run compared other resolvers or questions.
    private init?(
        _ run: Run,
        _ rounds: [StoredRound],
        in store: Store,
        of order: RunOrder
    ) throws {
        let recording = try store.recording(Self.window(of: rounds))
            .taken(run, for: order.plan)
        guard let recording else { return nil }
        self.run = run
        self.recording = recording
        lastRound = rounds.map { Int($0.round.number) }.max() ?? 0
    }

    private static func window(of rounds: [StoredRound]) -> Store.Window {
        let last = rounds.map(\.stop).max()
        return Store.Window(
            since: rounds.map(\.round.started).min(),
            until: last?.advanced(by: .nanoseconds(1)),
            origins: [.compare],
            includesMarked: true
        )
    }

    /// `plan` for the following rounds: in another order, and with the uncached queries that are
    /// left for a resolver in a run.
    package func continued(_ plan: Plan) throws -> Plan {
        var plan = plan
        if let seed = run.seed { plan.seed = seed &+ UInt64(lastRound) }
        guard plan.zoneCount > 0, plan.uncachedRounds < .max else { return plan }
        plan.uncachedRounds = max(0, plan.uncachedRounds - lastRound)
        if !plan.targets.contains(where: { $0.series.asksCachedNames }) {
            plan.rounds = min(plan.rounds, plan.uncachedRounds)
        }
        guard plan.rounds > 0 else {
            throw Failure.usage(
                "--resume: the last run used up its uncached names; leave out --resume"
            )
        }
        return plan
    }
}

extension EarlierRun? {
    package func note(in path: String) -> String {
        guard let earlier = self else {
            return "--resume: '\(path)' has no such run to resume; starting a new one"
        }
        return "resuming run \(earlier.run.id) (\(earlier.lastRound.counted("round")))"
    }
}

extension Recording {
    /// The rounds of `run` with the targets and questions of `plan`; `nil` if they differ.
    fileprivate func taken(_ run: Run, for plan: Plan) -> Recording? {
        let targetPlaces = Self.places(of: plan.targets)
        let questionPlaces = Self.places(of: plan.questions)
        var taken = rounds(of: run)
        (taken.targets, taken.questions) = (plan.targets, plan.questions)
        var seenTargets: Set<Int32> = []
        var seenQuestions: Set<Int32> = []
        for (index, sample) in taken.samples.enumerated() {
            guard let target = targetPlaces[targets[Int(sample.target)]],
                let question = questionPlaces[questions[Int(sample.question)]]
            else { return nil }
            (taken.samples[index].target, taken.samples[index].question) = (target, question)
            seenTargets.insert(target)
            seenQuestions.insert(question)
        }
        let isSame =
            seenTargets.count == plan.targets.count && seenQuestions.count == plan.questions.count
        return isSame && !taken.samples.isEmpty ? taken : nil
    }

    private static func places<Text: Hashable>(of texts: [Text]) -> [Text: Int32] {
        Dictionary(zip(texts, Int32(0)...)) { first, _ in first }
    }
}
