import DNSWire
import SQLite
package import Samples
import Statistics

/// The counts of what was added to a store.
package struct ImportResult: Hashable, Sendable {
    /// New rounds, and new samples.
    package var rounds = 0
    package var samples = 0
    /// Samples that the store already had.
    package var known = 0
    /// Rounds of the samples that the store already had.
    package var knownRounds = 0
    /// Pruned rounds of another store that were left out, because their hourly sums are missing there.
    package var lackingRounds = 0

    package init() {}
}

/// Samples of one round that are to be stored. A round of a file may consist of several pieces.
struct RoundPiece {
    /// The round. Its run, and the texts of its samples, are in the recording that accompanies the piece.
    var round: Round
    var samples: [Sample]
    /// Whether more of this round follows soon.
    var isOpen = false

    /// The times at which the first and the last sample left or were due; `nil` without samples.
    var span: ClosedRange<Timestamp>? {
        let times = samples.lazy.map(\.moment)
        guard let first = times.min(), let last = times.max() else { return nil }
        return first...last
    }
}

/// Writes the rounds of a run, a file or another store. Skips samples that are already stored. A writer can
/// be used for many transactions.
struct RoundWriter {
    /// A round to which more samples may be added.
    private struct OpenRound {
        var parts: [RollupPlace: RoundPart] = [:]
        /// The availability that the rollups already include.
        var counted: [RollupPlace: Availability] = [:]
        /// The number of times that each sample was stored before.
        var known: [SampleKey: Int] = [:]
        /// The number of samples in the round after this writer last added some.
        var samples: Int64 = 0
    }

    private(set) var result = ImportResult()
    /// The hours whose rollups already include everything that is still to be added.
    var covered: Set<Int64> = []
    private var open: [Int64: OpenRound] = [:]

    /// The maximum number of rounds in memory. Other rounds are read again.
    private static let mostOpen = 1000

    /// Adds pieces of rounds of `recording`.
    mutating func add(
        _ pieces: [RoundPiece],
        of recording: Recording,
        _ context: inout WriteContext
    ) throws {
        try context.refer(to: recording)
        for piece in pieces {
            try add(piece, of: recording.runs[Int(piece.round.run)], &context)
        }
    }

    /// Adds a piece of `run`. Its samples refer to rows in `context`.
    private mutating func add(_ piece: RoundPiece, of run: Run, _ context: inout WriteContext)
        throws
    {
        guard let span = piece.span else { return }
        let run = try context.run(run)
        let query = "SELECT \(RoundRow.columns) FROM round WHERE run = ? AND number = ?"
        let values: [any StatementBinding] = [run.id, piece.round.number]
        let known = try context.database.first(query, values, read: RoundRow.init(_:))
        guard var row = known else {
            var row = try RoundRow(piece.round, run: run.id, span: span, context.database)
            var state = OpenRound()
            try add(piece.samples, to: &row, of: run, &state, &context)
            result.rounds += 1
            if piece.isOpen { remember(state, of: row.id) }
            return
        }
        guard !row.isPruned else {
            result.known += piece.samples.count
            result.knownRounds += 1
            return
        }
        let isFurther = open[row.id] != nil
        // Another writer may have added to the round since then.
        let own = open[row.id].flatMap { $0.samples == row.samples ? $0 : nil }
        var state = try own ?? read(row, of: run, &context)
        let fresh = try piece.samples.filter { sample in
            let (time, sent) = (sample.scheduled, sample.observation.sent)
            let key = SampleKey(probe: try context.probe(sample), scheduled: time, sent: sent)
            guard let times = state.known[key] else { return true }
            state.known[key] = times > 1 ? times - 1 : nil
            return false
        }
        result.known += piece.samples.count - fresh.count
        if !isFurther, fresh.count < piece.samples.count { result.knownRounds += 1 }
        if !fresh.isEmpty {
            row.extend(over: span)
            try add(fresh, to: &row, of: run, &state, &context)
        }
        remember(state, of: row.id)
    }

    /// Adds a round of another store whose samples were pruned.
    mutating func addPruned(_ round: StoredRound, _ context: inout WriteContext) throws {
        let run = try context.run(round.run)
        try round.row.add(to: run.id, context.database)
        result.rounds += 1
    }

    /// Counts rounds of another store that are left out, because their samples and their sums are missing.
    mutating func leaveOut(_ rounds: Int) { result.lackingRounds += rounds }

    private mutating func remember(_ state: OpenRound, of round: Int64) {
        if open.count >= Self.mostOpen { open.removeAll() }
        open[round] = state
    }

    private mutating func add(
        _ samples: [Sample],
        to row: inout RoundRow,
        of run: RunRow,
        _ state: inout OpenRound,
        _ context: inout WriteContext
    ) throws {
        for sample in samples {
            let probe = try context.probe(sample)
            try context.add(sample, probe: probe, to: &row)
            let hour = sample.moment.hourNumber
            guard row.round.isCounted, !covered.contains(hour) else { continue }
            let (key, facts) = try context.rollup(of: probe, in: run)
            let place = RollupPlace(hour: hour, key: key)
            context.rollups[place, default: HourlySum.Figures()]
                .add(
                    sample.observation,
                    in: facts.series,
                    to: &state.parts[place, default: RoundPart(of: facts, at: hour)]
                )
        }
        if row.round.isCounted { count(&state, &context) }
        try row.update(context.database)
        state.samples = row.samples
        result.samples += samples.count
    }

    /// Adds the availability of the resolvers in a round to the rollups, instead of the one that a part of
    /// the round gave.
    private func count(_ state: inout OpenRound, _ context: inout WriteContext) {
        let counted = state.parts.counted
        for (place, known) in state.counted where counted[place] != known {
            context.rollups[place, default: HourlySum.Figures()].availability.remove(known)
        }
        for (place, now) in counted where state.counted[place] != now {
            context.rollups[place, default: HourlySum.Figures()].availability.merge(now)
        }
        state.counted = counted
    }

    private func read(
        _ row: RoundRow,
        of run: RunRow,
        _ context: inout WriteContext
    ) throws -> OpenRound {
        var state = OpenRound(samples: row.samples)
        try SampleCursor(context.database).read(row) { sample in
            let observation = sample.observation
            let key = SampleKey(
                probe: sample.probe,
                scheduled: sample.scheduled,
                sent: observation.sent
            )
            state.known[key, default: 0] += 1
            let (rollup, facts) = try context.rollup(of: sample.probe, in: run)
            let hour = sample.time.hourNumber
            state.parts[
                RollupPlace(hour: hour, key: rollup),
                default: RoundPart(of: facts, at: hour)
            ]
            .add(observation, QueryOutcome(observation, in: facts.series))
        }
        state.counted = state.parts.counted
        return state
    }
}

extension Store {
    /// Stores the rounds of a recording in one transaction, with their contributions to the rollups. When
    /// this returns, they are stored as ``durability`` specifies. Samples that are already stored are
    /// skipped.
    package func append(_ recording: Recording) throws(StoreError) {
        var writer = RoundWriter()
        try add(recording.pieces, of: recording, to: &writer)
    }

    /// Stores `pieces` of rounds of `recording` in one transaction.
    func add(
        _ pieces: [RoundPiece],
        of recording: Recording,
        to writer: inout RoundWriter
    ) throws(StoreError) {
        try write { try writer.add(pieces, of: recording, &$0) }
    }
}

extension Recording {
    /// The rounds, each as one complete piece.
    var pieces: [RoundPiece] {
        zip(rounds, samplesByRound()).map { RoundPiece(round: $0, samples: $1) }
    }
}
