import Catalogue
import SQLite
import Samples
import Statistics

extension Store {
    /// Adds the rows of another store that this store lacks. These are rounds with their samples, rollups of
    /// hours whose samples were pruned there, causes of changes, and traces. Rows that both stores have are
    /// not added again.
    ///
    /// - Throws: An error if this store has only a part of the rounds of a pruned hour. Nothing is added
    ///   then.
    package func merge(from other: Store) throws(StoreError) -> ImportResult {
        guard other !== self else { return ImportResult() }
        return try other.read { database in
            let rounds = try database.rounds(Window())
            var writer = RoundWriter()
            var rest = try mergePruned(rounds, of: other, database, &writer)[...]
            while let recording = try other.nextRecording(of: &rest, database) {
                try add(recording.pieces, of: recording, to: &writer)
            }
            try note(try EstablishedCause.rows(Window(), database))
            try note(try KeptTrace.rows(Window(), database))
            return writer.result
        }
    }

    /// The recording of the first of `rounds`, which are removed from the list; `nil` if none is left.
    private func nextRecording(
        of rounds: inout ArraySlice<StoredRound>,
        _ database: Database
    ) throws -> Recording? {
        guard !rounds.isEmpty else { return nil }
        do {
            var reader = try RecordingReader(Window(includesMarked: true), database)
            var samples = 0
            while samples < 50_000, let round = rounds.popFirst() {
                samples += round.samples
                try reader.add(round)
            }
            return reader.recording
        } catch {
            // Otherwise, the error would name the store that is written.
            throw StoreError(error, path: path)
        }
    }

    /// Adds the rollups of hours whose samples the other store no longer has, with all rounds of these hours.
    /// If only some of these rounds were added, the next merge could not separate them. Returns the rounds
    /// whose samples must still be added.
    private func mergePruned(
        _ rounds: [StoredRound],
        of other: Store,
        _ database: Database,
        _ writer: inout RoundWriter
    ) throws -> [StoredRound] {
        let kept = rounds.filter { !$0.row.isPruned }
        guard kept.count < rounds.count else { return kept }
        var rollups: [HourlySum] = []
        try RollupReader(Window(), database).read(Int64.min..<Int64.max) { rollups.append($0) }
        let lacking = Self.lacking(rollups, rounds)
        let all = rounds.count
        // Also another merge must not expect these rounds.
        let rounds = rounds.filter {
            !$0.row.isPruned || lacking[$0.hours.lowerBound] == nil
        }
        writer.leaveOut(all - rounds.count)
        let hours = Set(rollups.map(\.hour.hourNumber)).subtracting(lacking.keys).sorted()
        return try write { context in
            let known = try rounds.map { try $0.isKnown(context.database) }
            var taken: [Int64] = []
            for (hour, count) in zip(hours, Self.counts(rounds, known, in: hours)) {
                guard count.pruned > 0 else { continue }
                if count.known == 0 {
                    taken.append(hour)
                } else if count.known < count.all {
                    throw StoreError.inseparable(
                        "the store '\(other.path)' cannot be merged into '\(path)'",
                        "nothing was added: report on each alone"
                    )
                }
            }
            guard let last = taken.last else { return kept }
            writer.covered = Set(taken)
            for rollup in rollups where writer.covered.contains(rollup.hour.hourNumber) {
                try context.add(rollup)
            }
            try Self.notePruning(before: last + 1, context.database)
            for (round, isKnown) in zip(rounds, known) where !isKnown && round.row.isPruned {
                try writer.addPruned(round, &context)
            }
            var first = kept.filter { $0.reaches(into: taken) }[...]
            while let recording = try other.nextRecording(of: &first, database) {
                try writer.add(recording.pieces, of: recording, &context)
            }
            return kept.filter { !$0.reaches(into: taken) }
        }
    }

    /// The hours of which rollups are missing.
    private static func lacking(
        _ rollups: [HourlySum],
        _ rounds: [StoredRound]
    ) -> [Int64: HourlyQueries.Count] {
        var queries = HourlyQueries()
        for round in rounds { queries.add(round) }
        for rollup in rollups { queries.add(rollup.counts, at: rollup.hour.hourNumber) }
        return queries.lacking
    }

    private typealias RoundCount = (all: Int, known: Int, pruned: Int)

    /// The number of rounds that overlap each of `hours`, which are in ascending order. The loop does not
    /// visit the hours of a round, because a round may claim to overlap all of them.
    private static func counts(
        _ rounds: [StoredRound],
        _ known: [Bool],
        in hours: [Int64]
    ) -> [RoundCount] {
        var changes = [RoundCount](repeating: (0, 0, 0), count: hours.count + 1)
        for (round, isKnown) in zip(rounds, known) {
            let first = hours.partitioningIndex { $0 >= round.hours.lowerBound }
            let end = hours.partitioningIndex { $0 > round.hours.upperBound }
            for (place, change) in [(first, 1), (end, -1)] {
                changes[place].all += change
                if isKnown { changes[place].known += change }
                if round.row.isPruned { changes[place].pruned += change }
            }
        }
        var sum: RoundCount = (0, 0, 0)
        return changes.map { change in
            sum = (sum.all + change.all, sum.known + change.known, sum.pruned + change.pruned)
            return sum
        }
    }
}

extension StoredRound {
    /// Whether it overlaps one of `hours`, which are in ascending order.
    fileprivate func reaches(into hours: [Int64]) -> Bool {
        let next = hours.partitioningIndex { $0 >= self.hours.lowerBound }
        return next < hours.count && hours[next] <= self.hours.upperBound
    }

    fileprivate func isKnown(_ database: Database) throws -> Bool {
        let id = try database.first(
            """
            SELECT round.id FROM round JOIN run ON run.id = run
                JOIN vantage ON vantage.id = vantage
            WHERE run.name = ? AND vantage.name = ? AND timeout = ? AND number = ?
            """,
            [run.id, run.vantage, run.timeout.nanoseconds, round.number]
        ) { try $0.integer(0) }
        return id != nil
    }
}
