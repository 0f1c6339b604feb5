import DNSWire
import GRDB
import Samples
import Statistics

extension Store {
    /// Adds what another store has and this one lacks: rounds with their samples, and of hours
    /// whose samples were pruned there the rollups. What both have stays one. Throws where this store
    /// has a part of the rounds of such an hour, and then adds nothing.
    package func merge(from other: Store) throws(StoreError) -> Intake {
        guard other !== self else { return Intake() }
        return try other.read { database in
            var rounds: [StoredPiece] = []
            try RunTable.rounds(Window(), database) { row, entry, number in
                rounds.append(
                    StoredPiece(row: row, entry: entry, number: number)
                )
            }
            var intake = RoundIntake()
            try mergePruned(rounds, of: other, database, &intake)
            try mergeSamples(rounds.filter { !$0.row.isPruned }, database, &intake)
            return intake.intake
        }
    }

    private func mergeSamples(
        _ rounds: [StoredPiece],
        _ database: Database,
        _ intake: inout RoundIntake
    ) throws {
        var start = 0
        while start < rounds.count {
            var end = start
            var samples: Int64 = 0
            while end < rounds.count, samples < 50_000 {
                samples += rounds[end].row.samples
                end += 1
            }
            var reader = RecordingReader(Window(includesMarked: true), database)
            let portions = try rounds[start..<end].map { try reader.samples(of: $0) }
            let pieces = zip(rounds[start..<end], portions).map { round, samples in
                RoundPiece(
                    run: round.entry.run,
                    round: round.row.round(number: round.number),
                    samples: samples
                )
            }
            try add(pieces, targets: reader.targets, questions: reader.questions, to: &intake)
            start = end
        }
    }

    /// Takes the rollups of hours whose samples the other store no longer has.
    private func mergePruned(
        _ rounds: [StoredPiece],
        of other: Store,
        _ database: Database,
        _ intake: inout RoundIntake
    ) throws {
        guard rounds.contains(where: \.row.isPruned) else { return }
        let others = try RollupReader(Window(), database)
        var rollups: [HourlySum] = []
        try others.read(Int64.min..<Int64.max) { rollups.append($0) }
        let hours = PrunedHours(rounds, hours: Set(rollups.map(\.hour.hourNumber)))
        try write { own, registry in
            let known = try rounds.map { try $0.isKnown(own, &registry) }
            guard let taken = hours.missing(known) else {
                throw StoreError.inseparable(
                    "the store '\(other.path)' cannot be merged into '\(path)'",
                    "nothing was added: report on each alone"
                )
            }
            var table = RollupTable()
            for rollup in rollups where taken.contains(rollup.hour.hourNumber) {
                try table.add(rollup, &registry, own)
            }
            try table.write(own)
            intake.cover(taken)
            guard let last = taken.max() else { return }
            try Self.notePruning(before: last + 1, own)
            for (round, isKnown) in zip(rounds, known) where !isKnown && round.row.isPruned {
                try intake.addPruned(round, registry: &registry, own)
            }
        }
    }
}

/// A round of another store.
struct StoredPiece {
    var row: RoundRow
    var entry: RunTable.Entry
    var number: Int32

    /// Whether a store has it.
    func isKnown(_ database: Database, _ registry: inout Registry) throws -> Bool {
        let run = entry.run
        let id = try Int64.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT round.id FROM round JOIN run ON run.id = run
                        JOIN vantage ON vantage.id = vantage
                    WHERE run.name = ? AND vantage.name = ? AND timeout = ? AND number = ?
                    """
            ),
            arguments: [run.id, run.vantage, run.timeout.nanoseconds, number]
        )
        return id != nil
    }
}

/// Which hours of another store can be taken over as rollups.
private struct PrunedHours {
    /// For each hour with a pruned round the rounds that reach into it.
    private var rounds: [Int64: [Int]] = [:]

    init(_ pieces: [StoredPiece], hours: Set<Int64>) {
        let sorted = hours.sorted()
        var pruned: Set<Int64> = []
        for (index, piece) in pieces.enumerated() {
            let first = Timestamp(nanoseconds: piece.row.start).hourNumber
            let last = Timestamp(nanoseconds: piece.row.stop).hourNumber
            var place = sorted.partitioningIndex { $0 >= first }
            while place < sorted.count, sorted[place] <= last {
                rounds[sorted[place], default: []].append(index)
                if piece.row.isPruned { pruned.insert(sorted[place]) }
                place += 1
            }
        }
        rounds = rounds.filter { pruned.contains($0.key) }
    }

    /// The hours none of whose rounds is `known` here; `nil` where a part of them is.
    func missing(_ known: [Bool]) -> Set<Int64>? {
        var missing: Set<Int64> = []
        for (hour, indices) in rounds {
            let found = indices.count { known[$0] }
            if found == 0 { missing.insert(hour) } else if found < indices.count { return nil }
        }
        return missing
    }
}
