import DNSWire
import GRDB
package import Samples

/// Takes the rounds of a run, a file or another store, and leaves out what is there already; goes
/// on over many transactions.
struct RoundIntake {
    /// What tells one sample of a round from another.
    private struct SampleKey: Hashable {
        var probe: Int64
        var scheduled: Timestamp
        var sent: Timestamp?
    }

    /// What is known of a round that more may come for.
    private struct OpenRound {
        /// The last answer in each rollup, in milliseconds.
        var previous: [RollupPlace: Double] = [:]
        /// How often each sample was there before.
        var known: [SampleKey: Int] = [:]
    }

    private(set) var intake = Intake()
    private var open: [Int64: OpenRound] = [:]
    /// Hours whose rollups have everything that is still to come.
    private var covered: Set<Int64> = []

    /// Of so many rounds is remembered what was there; of others it is read again.
    private static let mostOpen = 1000

    /// Adds a piece; its samples refer to what `texts` has.
    mutating func add(_ piece: RoundPiece, with texts: inout IntakeTexts) throws {
        guard let span = piece.span else { return }
        let run = try texts.run(piece.run)
        let place = try RoundRow.find(run: run.id, number: piece.round.number, texts.database)
        guard var row = place else {
            var row = try RoundRow.insert(piece, run: run.id, span: span, texts.database)
            var state = OpenRound()
            try add(piece.samples, to: &row, of: run, &state, &texts)
            intake.rounds += 1
            if piece.isOpen { remember(state, of: row.id) }
            return
        }
        guard !row.isPruned else {
            intake.known += piece.samples.count
            intake.knownRounds += 1
            return
        }
        let isFurther = open[row.id] != nil
        var state = try open[row.id] ?? read(row, of: run, &texts)
        let fresh = try piece.samples.filter { sample in
            let key = SampleKey(
                probe: try texts.probe(sample),
                scheduled: sample.scheduled,
                sent: sample.observation.sent
            )
            guard let times = state.known[key] else { return true }
            state.known[key] = times > 1 ? times - 1 : nil
            return false
        }
        intake.known += piece.samples.count - fresh.count
        if !isFurther, fresh.count < piece.samples.count { intake.knownRounds += 1 }
        if !fresh.isEmpty {
            row.extend(over: span)
            try add(fresh, to: &row, of: run, &state, &texts)
        }
        remember(state, of: row.id)
    }

    /// Takes note of hours whose rollups were taken over whole.
    mutating func cover(_ hours: Set<Int64>) { covered = hours }

    /// Adds a round of which only rollups are left.
    mutating func addPruned(
        _ round: StoredPiece,
        registry: inout Registry,
        _ database: Database
    ) throws {
        var texts = try IntakeTexts(targets: [], questions: [], registry, database)
        let run = try texts.run(round.entry.run)
        try round.row.insertPruned(run: run.id, number: round.number, database)
        registry = texts.registry
        intake.rounds += 1
    }

    private mutating func remember(_ state: OpenRound, of round: Int64) {
        if open.count >= Self.mostOpen { open.removeAll() }
        open[round] = state
    }

    private mutating func add(
        _ samples: [Sample],
        to row: inout RoundRow,
        of run: IntakeTexts.KnownRun,
        _ state: inout OpenRound,
        _ texts: inout IntakeTexts
    ) throws {
        for sample in samples {
            let probe = try texts.probe(sample)
            try texts.add(sample, probe: probe, to: row)
            row.samples += 1
            row.checksum.add(sample.observation, probe: probe, scheduled: sample.scheduled)
            guard row.marks.areCounted else { continue }
            let time = sample.moment
            guard !covered.contains(time.hourNumber) else { continue }
            let key = try texts.rollupKey(sample, of: run)
            let place = RollupPlace(hour: time.hourNumber, key: key)
            let answer = texts.rollups.add(
                sample.observation,
                in: texts.series(of: sample),
                after: state.previous[place],
                to: place
            )
            if let answer { state.previous[place] = answer }
        }
        try row.update(texts.database)
        intake.samples += samples.count
    }

    /// What is stored of a round.
    private func read(
        _ row: RoundRow,
        of run: IntakeTexts.KnownRun,
        _ texts: inout IntakeTexts
    ) throws -> OpenRound {
        var state = OpenRound()
        var cursor = try SampleCursor(texts.database)
        var rows: [SampleCursor.Row] = []
        try cursor.read(round: row.id, base: row.base) { rows.append($0) }
        for sample in rows {
            let key = SampleKey(
                probe: sample.probe,
                scheduled: sample.scheduled,
                sent: sample.observation.sent
            )
            state.known[key, default: 0] += 1
            guard sample.observation.outcome == .answered,
                let time = sample.observation.time(in: try texts.series(ofProbe: sample.probe))
            else { continue }
            let rollup = try texts.rollupKey(probe: sample.probe, of: run)
            let place = RollupPlace(hour: sample.time.hourNumber, key: rollup)
            state.previous[place] = Double(time) * 1e-6
        }
        return state
    }
}

/// Samples of one round on their way into a store; a round of a file may come in several pieces.
struct RoundPiece {
    var run: Run
    var round: Round
    /// They refer to the texts that come along.
    var samples: [Sample]
    /// More of this round follows soon.
    var isOpen = false

    /// When its first sample left, or should have, and its last.
    var span: ClosedRange<Timestamp>? {
        let times = samples.lazy.map(\.moment)
        guard let first = times.min(), let last = times.max() else { return nil }
        return first...last
    }
}

/// What an addition to a store did.
package struct Intake: Hashable, Sendable {
    /// Rounds that are new, and samples.
    package var rounds = 0
    package var samples = 0
    /// Samples that were there already.
    package var known = 0
    /// Rounds that they are of.
    package var knownRounds = 0

    package init() {}
}

extension Store {
    /// Stores the rounds of a recording in one transaction, with the rollups that they add to; when
    /// this returns, they are stored as ``durability`` has it. A round that is there already stays
    /// as it was.
    package func append(_ recording: Recording) throws(StoreError) {
        var intake = RoundIntake()
        try add(
            recording.pieces,
            targets: recording.targets,
            questions: recording.questions,
            to: &intake
        )
    }

    /// Stores `pieces` in one transaction.
    func add(
        _ pieces: [RoundPiece],
        targets: [Recording.Target],
        questions: [Question],
        to intake: inout RoundIntake
    ) throws(StoreError) {
        try write { database, registry in
            var texts = try IntakeTexts(
                targets: targets,
                questions: questions,
                registry,
                database
            )
            for piece in pieces { try intake.add(piece, with: &texts) }
            try texts.rollups.write(database)
            registry = texts.registry
        }
    }
}

extension Recording {
    /// The rounds with their samples, in their order.
    var pieces: [RoundPiece] {
        let samples = Dictionary(grouping: samples, by: \.round)
        return rounds.enumerated().compactMap { index, round in
            guard let samples = samples[Int32(clamping: index)] else { return nil }
            return RoundPiece(run: runs[Int(round.run)], round: round, samples: samples)
        }
    }
}
