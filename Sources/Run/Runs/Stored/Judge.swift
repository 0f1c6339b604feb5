package import Analysis
package import Failures
package import Samples
package import Statistics
package import Store

/// A recipient of notices about resolvers.
package protocol NoticeReceiver: Sendable {
    /// Delivers the notices of a place, or leaves them in the store. An error contains the reason why they
    /// were not accepted.
    func tell(
        _ notices: [Notice],
        from vantage: String,
        now: Timestamp,
        on clock: LocalClock,
        in store: Store
    ) async throws(Failure)

    /// Delivers the notices that wait in the store.
    func deliver(_ attempt: RoundFollower.Attempt) async throws
}

extension NoticeReceiver {
    package func deliver(_ attempt: RoundFollower.Attempt) async throws {}
}

/// Evaluates the store after each stored round. It stores the causes of changes, starts traces to
/// resolvers with problems, sends notices, and stores the sent notices.
///
/// A failure is one line on standard error, because the round is already stored.
package struct Judge: RoundTarget {
    private let recipients: [any NoticeReceiver]
    private let objective: ServiceObjective?
    let tracing: Tracing?

    /// The maximum time for the notices of one attempt. A program has its own limit.
    package static let limit = Duration.seconds(60)

    /// Creates the judge. Without recipients no notice is sent.
    package init(
        telling recipients: [any NoticeReceiver] = [],
        objective: ServiceObjective? = nil,
        tracing: Tracing? = nil
    ) {
        self.recipients = recipients
        self.objective = objective
        self.tracing = tracing
    }

    package func work(_ attempt: RoundFollower.Attempt) async throws -> Bool {
        // Each round is evaluated separately, so that notices do not depend on the time of the
        // evaluation.
        for round in attempt.rounds where !Task.isCancelled && .now < attempt.deadline {
            try await judge(round, attempt)
        }
        for recipient in recipients where !Task.isCancelled {
            try await recipient.deliver(attempt)
        }
        return false
    }

    /// Evaluates a round as if it were the last.
    private func judge(_ round: RoundOfRun, _ attempt: RoundFollower.Attempt) async throws {
        let (store, vantage, now) = (attempt.store, attempt.round.run.vantage, Timestamp.now)
        let log = try store.noticeLog(from: vantage)
        let hour = now.startOfHour
        let clock = LocalClock.system(from: now.advanced(by: .zero - Changes.lead), to: now)
        let rules = NoticeRules(past: log.sent, now: now)
        let changes =
            log.judged == hour
            ? nil : try changes(in: store, from: vantage, until: hour, clock)
        let rounds =
            recipients.isEmpty && tracing == nil
            ? [] : try store.latestResponses(from: vantage, count: Self.rounds, upTo: round)
        try await tracing?.roundStored(
            attempt.round,
            rounds,
            changes: changes,
            judged: log.judged,
            now: now,
            in: store
        )
        if !recipients.isEmpty {
            var notices = rules.reachability(rounds)
            if let since = notices.filter({ $0.kind == .unreachable }).map(\.since).min() {
                notices = rules.reachability(
                    rounds,
                    outcomes: try outcomes(in: store, from: vantage, since: since)
                )
            }
            notices += changes.map { rules.changes(in: $0, judged: log.judged) } ?? []
            if let objective {
                notices += try burning(objective, in: store, from: vantage, rounds, rules)
            }
            try await tell(notices, attempt, from: vantage, now, clock)
        }
        if log.judged != hour { try store.noteJudged(until: hour, from: vantage) }
    }

    /// The outcomes of the queries since a time, by resolver, with their causes.
    private func outcomes(
        in store: Store,
        from vantage: String,
        since: Timestamp
    ) throws -> [Recording.Target: OutcomeCounts] {
        let window = Store.Window(since: since, origins: [.sample, .watch], tellsAnswers: false)
        return try CountedSamples(of: store.recording(window)).outcomes(from: vantage)
    }

    private func tell(
        _ notices: [Notice],
        _ attempt: RoundFollower.Attempt,
        from vantage: String,
        _ now: Timestamp,
        _ clock: LocalClock
    ) async throws {
        guard !notices.isEmpty else { return }
        let traced = notices.map { tracing?.adding(to: $0, now: now) ?? $0 }
        var isDelivered = false
        for recipient in recipients {
            do throws(Failure) {
                try await recipient.tell(
                    traced,
                    from: vantage,
                    now: now,
                    on: clock,
                    in: attempt.store
                )
                isDelivered = true
            } catch {
                // The notice is not recorded as sent, so that the next run sends it.
                try Task.checkCancellation()
                attempt.warn("--notify: \(error.description)")
            }
        }
        try attempt.store.note(
            notices.map { notice in
                SentNotice(
                    target: notice.target,
                    kind: notice.kind.rawValue,
                    since: notice.since,
                    sent: now,
                    isDelivered: isDelivered
                )
            },
            from: vantage
        )
    }

    /// The resolvers that use up their error budget too fast, in the rounds before the last one.
    private func burning(
        _ objective: ServiceObjective,
        in store: Store,
        from vantage: String,
        _ rounds: [RoundResponses],
        _ rules: NoticeRules
    ) throws -> [Notice] {
        let starts = rounds.map(\.started)
        guard let last = rounds.last?.started, let interval = starts.usualGap else { return [] }
        let windows = BurnRule.rules(interval: interval)
        func counts(_ seconds: Double) throws -> [Recording.Target: [ObjectiveRound]] {
            let window = Store.Window(
                since: last.advanced(by: .seconds(-seconds)),
                origins: [.sample, .watch],
                tellsAnswers: false
            )
            return try CountedSamples(of: store.recording(window))
                .rounds(within: objective, from: vantage)
                .mapValues { $0.filter { $0.start <= last.nanoseconds } }
        }
        // The long window has many rounds and is rarely needed.
        let suspects = try counts(windows.map(\.short).max() ?? 0).filter { _, rounds in
            windows.contains { $0.mayBurn(objective, in: rounds) }
        }
        guard !suspects.isEmpty else { return [] }
        let counts = try counts(windows.map(\.long).max() ?? 0).filter { target, _ in
            suspects[target] != nil
        }
        return rules.burning(objective, counts, by: windows)
    }

    /// The number of rounds of each resolver that show the start of an outage.
    private static let rounds = 8

    /// Changes in the complete hours of a place, with their causes. New changes are stored.
    private func changes(
        in store: Store,
        from vantage: String,
        until end: Timestamp,
        _ clock: LocalClock
    ) throws -> Changes {
        let hours = try hours(of: store, from: vantage, until: end, clock)
        var changes = Changes(judging: hours, until: end)
        guard !changes.findings.isEmpty else { return changes }
        let window = window(from: end.advanced(by: .zero - Changes.lead), to: end)
        let known = try store.causes(window)
        try changes.explain(with: store.sites(window), known: known) { span in
            var hours = CauseHours(clock: clock)
            _ = try StoreGroup([store]).read(
                self.window(from: span.lowerBound, to: min(span.upperBound, end)),
                exact: true,
                samples: { hours.add(CountedSamples(of: $0)) },
                rollup: { _ in }
            )
            return hours
        }
        try store.note(changes.establishedCauses(besides: known))
        return changes
    }

    /// The complete hours of a place. The first hour stays the same for a whole day, so that
    /// findings do not move with it.
    private func hours(
        of store: Store,
        from vantage: String,
        until end: Timestamp,
        _ clock: LocalClock
    ) throws -> HistoryHours {
        var hours = HistoryHours(clock: clock)
        let start = end.advanced(by: .zero - Changes.lead).startOfDay
        try store.forEachRollup(window(from: start, to: end)) { rollup in
            guard rollup.vantage == vantage, let sum = CountedSum(of: rollup) else { return }
            hours.add(sum)
        }
        return hours
    }

    private func window(from start: Timestamp, to end: Timestamp) -> Store.Window {
        Store.Window(since: start, until: end, origins: [.sample, .watch])
    }
}

extension Timestamp {
    /// The start of the day in UTC.
    package var startOfDay: Timestamp {
        Timestamp(hoursSinceEpoch: hoursSinceEpoch.dividedDown(by: 24) * 24)
    }
}
