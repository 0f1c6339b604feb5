import GRDB
import Samples
import Statistics

extension ConnectionTable {
    /// Places that are in memory at once.
    private static let mostHeld = 10_000

    /// Adds up what carried the samples of a store that did not yet keep it by the hour. Of hours
    /// whose samples were pruned it cannot be told any more.
    static func fill(_ database: Database) throws {
        let opened = try BoundStatement(
            database,
            """
            SELECT DISTINCT round FROM detail
            WHERE handshake IS NOT NULL OR connection IS NOT NULL OR words IS NOT NULL
            """
        )
        defer { opened.reset() }
        var rounds: Set<Int64> = []
        while try opened.step() { rounds.insert(try opened.integer(0)) }
        guard !rounds.isEmpty else { return }
        let first = try database.integer("SELECT hour FROM pruning") ?? .min
        let sources = try RollupSources(database)
        let table = try ConnectionTable(database)
        var cursor = try SampleCursor(database)
        var tallies: [RollupPlace: ConnectionSums] = [:]
        try RunTable.rounds(Store.Window(), database) { row, entry, _ in
            guard rounds.contains(row.id), row.marks.areCounted else { return }
            if tallies.count > mostHeld {
                try table.add(tallies)
                tallies = [:]
            }
            try cursor.read(round: row.id, base: row.base) { sample in
                let hour = sample.time.hourNumber
                guard sample.observation.extras != nil, hour >= first,
                    let (key, series) = sources.key(of: sample.probe, in: entry)
                else { return }
                tallies[RollupPlace(hour: hour, key: key), default: ConnectionSums()]
                    .add(sample.observation, in: series)
            }
        }
        try table.add(tallies)
    }

    private func add(_ tallies: [RollupPlace: ConnectionSums]) throws {
        for (place, tally) in tallies { try add(tally, to: place) }
    }
}
