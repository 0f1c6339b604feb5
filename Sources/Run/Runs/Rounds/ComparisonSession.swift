import CMemory
package import Evidence
package import Measurement
package import Samples
package import Statistics
package import Store
import Synchronization

/// A comparison in progress. It measures the rounds of a plan until every candidate has its
/// verdict, and stores each round when it ends. The live view shows the progress.
package struct ComparisonSession: Sendable {
    package let order: RunOrder
    let watcher: (any RunWatcher)?
    /// The connections to the servers in answers; `nil` unless requested.
    let connects: ContentConnects?
    let store: Store?
    package let findings: PreflightFindings
    package let earlier: EarlierRun?
    /// The folder of the evidence; `nil` unless requested.
    let evidence: EvidenceFolder?

    package init(
        _ order: RunOrder,
        _ findings: PreflightFindings,
        after earlier: EarlierRun?,
        watcher: (any RunWatcher)?,
        connects: ContentConnects?,
        store: Store?,
        evidence: EvidenceFolder?
    ) {
        self.order = order
        self.findings = findings
        self.earlier = earlier
        self.watcher = watcher
        self.connects = connects
        self.store = store
        self.evidence = evidence
    }

    /// Half a minute has enough readings for a 99th percentile. Runs of many hours, whose rounds
    /// are far apart, need fewer.
    private static let checkInterval = Duration.milliseconds(200)

    /// Measures until every candidate has its verdict, the plan ends, or the user presses Ctrl-C.
    package func measure() async throws -> ComparedRun {
        // Returns the memory of the preparation, and then of the run, to the system.
        cmemory_give_back()
        defer { cmemory_give_back() }
        let time = StepMeter({ .now }, ContinuousClock())
        let evidence = RunEvidence(
            order.plan,
            baseline: order.baseline,
            margin: order.margin,
            tampering: findings.candidates.tampering,
            earlier: earlier?.recording,
            connects: connects
        )
        let progress = watcher.map { _ in RunProgress(of: order.plan) }
        if let earlier { progress?.take(earlier: CountedSamples(of: earlier.recording)) }
        let network = NetworkWatch(order)
        let marking: [(any RoundConsumer)?] = [
            network, evidence,
            progress.map { SettledProgress(progress: $0, earlierRounds: earlier?.lastRound ?? 0) },
        ]
        let session = try await session(from: time.start, marking.compactMap(\.self))
        let (kept, storing) = (KeptRounds(), store.map { RoundStoring($0) })
        let keeping: [(any RoundConsumer)?] = [kept, storing]
        let checking = Task { await instrument() }
        var measured = await watched(progress, evidence) {
            await rounds(of: session, evidence, progress, keeping.compactMap(\.self))
        }
        await session.states?.finish()
        if measured.wholeRounds == 0, let obstacle = session.states?.obstacle {
            checking.cancel()
            throw obstacle
        }
        checking.cancel()
        // The end from the elapsed time, whatever the wall clock shows.
        let finished = time.now
        let clockStep = time.step
        network?.look(end: true)
        if let earlier { measured.recording = earlier.recording }
        measured.recording.merge(kept.recording)
        return ComparedRun(
            run: measured,
            span: session.run.started...finished,
            registered: earlier == nil ? session.registered(measured) : nil,
            distances: connects?.distances,
            networkChanges: network?.changes,
            clockStep: clockStep,
            instrumentDuring: await checking.value,
            storing: storing,
            bundle: session.bundle,
            load: session.states?.summary
        )
    }

    /// The session of the run, which continues an earlier run or begins at `start`.
    private func session(
        from start: Timestamp,
        _ consumers: [any RoundConsumer]
    ) async throws -> Session {
        let interval = order.plan.interval
        let run =
            earlier?.run
            ?? Run(
                order,
                origin: .compare,
                started: start,
                interval: interval > .zero ? interval : nil,
                margin: order.margin
            )
        let tampering = findings.candidates.tampering
        let bundle = try await evidence?.bundle(
            RecordedPlan(
                order,
                run: run,
                tampering: tampering,
                followsAnswers: connects != nil
            )
        )
        return Session(
            order,
            run: run,
            tampering: tampering,
            after: earlier?.lastRound ?? 0,
            connects: connects,
            bundle: bundle,
            consumers: consumers
        )
    }

    /// Measures the instrument until the task is cancelled.
    private func instrument() async -> InstrumentCheck? {
        await InstrumentCheck.measured(
            queries: .max,
            every: order.plan.interval > .seconds(10) ? .seconds(1) : Self.checkInterval,
            allowed: order.allowed
        )
    }

    /// Runs `measure`, with the watcher showing the progress, if there is a watcher.
    private func watched(
        _ progress: RunProgress?,
        _ evidence: RunEvidence,
        _ measure: () async -> MeasuredRun
    ) async -> MeasuredRun {
        guard let watcher, let progress else { return await measure() }
        let watching = Task { [inUse = order.baselineInUse] in
            await watcher.follow(progress, inUse: inUse) { evidence.progress }
        }
        let measured = await measure()
        watching.cancel()
        await watching.value
        return measured
    }

    /// Measures the rounds, and passes each round to `consumers` when it is complete. With
    /// `--connect`, that is after the connections to the answered addresses.
    private func rounds(
        of session: Session,
        _ evidence: RunEvidence,
        _ progress: RunProgress?,
        _ consumers: [any RoundConsumer]
    ) async -> MeasuredRun {
        let complete = RoundQueue<MeasuredRound>()
        let handing = Task {
            for await rounds in complete {
                for var round in rounds { consumers.take(&round) }
            }
        }
        let rounds = session.rounds(
            choice: { evidence.choice(ofRound: $0) },
            onSample: { progress?.note($0, inRound: $1) }
        )
        for await ended in rounds {
            for round in ended {
                let place = complete.open()
                let number = Int(round.round.number) - (earlier?.lastRound ?? 0)
                let isFollowed = evidence.follow(round.recording, number: number) {
                    var round = round
                    round.recording = $0
                    complete.close(place, with: round)
                }
                if !isFollowed { complete.close(place, with: round) }
            }
        }
        await connects?.finish()
        complete.finish()
        await handing.value
        return await rounds.run
    }
}

/// A viewer of a comparison in progress.
package protocol RunWatcher: Sendable {
    /// Shows the progress of the run until the task is cancelled. `inUse` is the label of the
    /// resolver that this machine uses. `evidence` returns the progress of the candidates towards
    /// their verdicts.
    func follow(
        _ progress: RunProgress,
        inUse: String?,
        evidence: @Sendable () -> [Int: EvidenceProgress]
    ) async
}

/// A completed comparison, with the facts that a report needs in addition to the samples.
package struct ComparedRun: Sendable {
    /// The measured run. After an interruption, it ends there.
    package let run: MeasuredRun
    package let span: ClosedRange<Timestamp>
    /// `nil` if the run is not a registered measurement.
    package let registered: RegisteredSampling?
    package let distances: AnswerDistances?
    /// The number of times that this machine moved to another network; `nil` in the lab.
    package let networkChanges: Int?
    package let clockStep: Duration?
    package let instrumentDuring: InstrumentCheck?
    /// The work on storing the last rounds.
    package let storing: RoundStoring?
    /// The evidence, which is completed with the report.
    package let bundle: RunBundle?
    /// The load of the line; `nil` for none.
    package let load: LoadSummary?
}

/// Collects the rounds of a run for its report.
private final class KeptRounds: RoundConsumer {
    private let rounds = Mutex(Recording())

    func take(_ round: inout MeasuredRound, in store: Store?) {
        rounds.withLock { [round] in $0.merge(round.recording) }
    }

    var recording: Recording { rounds.withLock(\.self) }
}

/// Stores the whole rounds of a run when they end, while the measurement continues without waiting.
/// If the run is killed, only the last rounds are lost.
package struct RoundStoring: RoundConsumer {
    private let rounds = RoundQueue<Recording>()
    private let storing: Task<Void, any Error>

    init(_ store: Store) {
        storing = Task { [rounds] in
            // Rounds that arrive during a transaction are stored together in the next one.
            for await next in rounds {
                var recording = Recording()
                for round in next { recording.merge(round) }
                try store.append(recording)
            }
        }
    }

    /// An incomplete round is not stored.
    package func take(_ round: inout MeasuredRound, in store: Store?) {
        if round.round.isWhole { rounds.append(round.recording) }
    }

    /// Waits until all rounds are stored. Throws ``StoreError`` if a round could not be stored.
    package func finish() async throws {
        rounds.finish()
        try await storing.value
    }
}
