import Measurement
import Reports
import Samples
import Store

/// A run of the store that another goes on with, from its first round on.
struct EarlierRun {
    let run: Run
    /// Its samples, as of the targets and questions of the plan that goes on.
    let recording: Recording
    let lastRound: Int

    /// The last of `settings.vantage` that compared the same resolvers by the same questions, with
    /// the same timeout and margin; `nil` where there is none.
    init?(in store: Store, of settings: Settings) throws {
        let rounds = try store.rounds(Store.Window(origins: [.compare]))
        let runs = Dictionary(grouping: rounds, by: \.run).filter { run, _ in
            run.vantage == settings.vantage
                && run.timeout == settings.plan.timeout
                && run.margin == settings.margin
        }
        for (run, rounds) in runs.sorted(by: { $0.key.started > $1.key.started }) {
            let recording = try store.recording(Self.window(of: rounds))
                .taken(run, for: settings.plan, isLab: settings.lab != nil)
            guard let recording else { continue }
            self.run = run
            self.recording = recording
            lastRound = rounds.map { Int($0.round.number) }.max() ?? 0
            return
        }
        return nil
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

    /// `plan` for the rounds that follow: in another order, and without uncached names beyond what a
    /// resolver is asked in a run.
    func continued(_ plan: Plan) throws -> Plan {
        var plan = plan
        if let seed = run.seed { plan.seed = seed &+ UInt64(lastRound) }
        guard plan.zoneCount > 0, plan.uncachedRounds < .max else { return plan }
        plan.uncachedRounds = max(0, plan.uncachedRounds - lastRound)
        if !plan.targets.contains(where: { $0.series.asksCachedNames }) {
            plan.rounds = min(plan.rounds, plan.uncachedRounds)
        }
        guard plan.rounds > 0 else {
            throw Failure.usage(
                "--resume: the last run asked each resolver as many uncached names as a run may; "
                    + "leave out --resume"
            )
        }
        return plan
    }
}

extension EarlierRun? {
    func note(in path: String) -> String {
        guard let earlier = self else {
            return "--resume: '\(path)' has no such run to go on with; this one begins anew"
        }
        return "begins with \(earlier.lastRound.counted("round")) of \(earlier.run.id)"
    }
}

extension Recording {
    /// The rounds of `run` with the targets and questions of `plan`, where they are the same; those
    /// of a lab have other ports each time.
    fileprivate func taken(_ run: Run, for plan: Plan, isLab: Bool) -> Recording? {
        func key(_ target: Target) -> Target {
            var target = target
            if isLab { target.endpoint = "" }
            return target
        }
        let targetPlaces = Self.places(of: plan.targets.map(key))
        let questionPlaces = Self.places(of: plan.questions)
        var taken = Recording(runs: [run], targets: plan.targets, questions: plan.questions)
        var roundPlaces: [Int32: Int32] = [:]
        for (index, var round) in rounds.enumerated() where runs[Int(round.run)] == run {
            roundPlaces[Int32(clamping: index)] = Int32(clamping: taken.rounds.count)
            round.run = 0
            taken.rounds.append(round)
        }
        var seenTargets: Set<Int32> = []
        var seenQuestions: Set<Int32> = []
        for var sample in samples {
            guard let round = roundPlaces[sample.round] else { continue }
            guard let target = targetPlaces[key(targets[Int(sample.target)])],
                let question = questionPlaces[questions[Int(sample.question)]]
            else { return nil }
            (sample.round, sample.target, sample.question) = (round, target, question)
            seenTargets.insert(target)
            seenQuestions.insert(question)
            taken.samples.append(sample)
        }
        let isSame =
            seenTargets.count == plan.targets.count && seenQuestions.count == plan.questions.count
        return isSame && !taken.samples.isEmpty ? taken : nil
    }

    private static func places<Text: Hashable>(of texts: [Text]) -> [Text: Int32] {
        Dictionary(zip(texts, Int32(0)...)) { first, _ in first }
    }
}

extension Store {
    /// Runs of compare made today, by the reader's clock, from the place of `own`, with these.
    func runsToday(with own: [Run], now: Timestamp = .now) throws -> Int {
        let day = Duration.seconds(86_400)
        let clock = LocalClock.system(from: now.advanced(by: .zero - day), to: now)
        let midnight = LocalTime(date: clock.time(at: now).date)
        let rounds = try rounds(Window(since: clock.moment(of: midnight), origins: [.compare]))
        let runs = rounds.map(\.run).filter { $0.vantage == own.first?.vantage }
        return Set(runs).union(own).count
    }
}
