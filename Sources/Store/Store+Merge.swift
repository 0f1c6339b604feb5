import Catalogue
import SQLite
import Samples
import Statistics

extension Store {
    /// Adds what another store has and this one lacks: rounds with their samples, and of hours
    /// whose samples were pruned there the rollups, and causes of changes and traces. What both have
    /// stays one. Throws where this store has a part of the rounds of such an hour, and then adds nothing.
    package func merge(from other: Store) throws(StoreError) -> ImportResult {
        guard other !== self else { return ImportResult() }
        return try other.read { database in
            let rounds = try database.rounds(Window())
            var writer = RoundWriter()
            try mergePruned(rounds, of: other, database, &writer)
            try mergeSamples(rounds.filter { !$0.row.isPruned }, database, &writer)
            try note(try CauseTable.rows(Window(), database))
            try note(try TraceTable.rows(Window(), database))
            return writer.result
        }
    }

    private func mergeSamples(
        _ rounds: [StoredRound],
        _ database: Database,
        _ writer: inout RoundWriter
    ) throws {
        var rest = rounds[...]
        while !rest.isEmpty {
            var reader = try RecordingReader(Window(includesMarked: true), database)
            var samples = 0
            while samples < 50_000, let round = rest.popFirst() {
                samples += round.samples
                try reader.add(round)
            }
            try add(reader.recording, to: &writer)
        }
    }

    /// Takes the rollups of hours whose samples the other store no longer has.
    private func mergePruned(
        _ rounds: [StoredRound],
        of other: Store,
        _ database: Database,
        _ writer: inout RoundWriter
    ) throws {
        guard rounds.contains(where: \.row.isPruned) else { return }
        var rollups: [HourlySum] = []
        try RollupReader(Window(), database).read(Int64.min..<Int64.max) { rollups.append($0) }
        let hours = Self.prunedHours(rounds, among: Set(rollups.map(\.hour.hourNumber)))
        try write { context in
            let known = try rounds.map { try $0.isKnown(context.database) }
            var taken: Set<Int64> = []
            for (hour, indices) in hours {
                let found = indices.count { known[$0] }
                if found == 0 {
                    taken.insert(hour)
                } else if found < indices.count {
                    throw StoreError.inseparable(
                        "the store '\(other.path)' cannot be merged into '\(path)'",
                        "nothing was added: report on each alone"
                    )
                }
            }
            guard let last = taken.max() else { return }
            for rollup in rollups where taken.contains(rollup.hour.hourNumber) {
                try context.add(rollup)
            }
            try Self.notePruning(before: last + 1, context.database)
            for (round, isKnown) in zip(rounds, known) where !isKnown && round.row.isPruned {
                try writer.addPruned(round, &context)
            }
            writer.covered = taken
        }
    }

    /// For each of `hours` that has a pruned round the rounds that reach into it.
    private static func prunedHours(
        _ rounds: [StoredRound],
        among hours: Set<Int64>
    ) -> [Int64: [Int]] {
        let sorted = hours.sorted()
        var found: [Int64: [Int]] = [:]
        var pruned: Set<Int64> = []
        for (index, round) in rounds.enumerated() {
            var place = sorted.partitioningIndex { $0 >= round.hours.lowerBound }
            while place < sorted.count, sorted[place] <= round.hours.upperBound {
                found[sorted[place], default: []].append(index)
                if round.row.isPruned { pruned.insert(sorted[place]) }
                place += 1
            }
        }
        return found.filter { pruned.contains($0.key) }
    }
}

extension StoredRound {
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
