import CSQLite
import SQLite
package import Samples

/// The samples that pruning drops.
package struct Prunable: Hashable, Sendable {
    /// The start of an hour. Rounds that ended before it lose their samples.
    package var limit: Timestamp
    package var rounds: Int
    package var samples: Int

    package init(limit: Timestamp, rounds: Int, samples: Int) {
        self.limit = limit
        self.rounds = rounds
        self.samples = samples
    }
}

extension Store {
    /// The samples that ``prune(olderThan:)`` would drop.
    package func prunable(olderThan moment: Timestamp) throws(StoreError) -> Prunable {
        let limit = Timestamp(hourNumber: moment.hourNumber)
        return try read { database in
            let found = try database.first(
                "SELECT count(*), \(Self.sum("samples")) FROM round WHERE \(Self.isOld)",
                [limit.nanoseconds, limit.nanoseconds]
            ) { Prunable(limit: limit, rounds: try $0.count(0), samples: try $0.count(1)) }
            return found ?? Prunable(limit: limit, rounds: 0, samples: 0)
        }
    }

    /// The sum of a column as an integer. It ends at the largest integer, where sum() would fail.
    static func sum(_ column: String) -> String { "CAST(total(\(column)) AS INTEGER)" }

    /// The condition that a round ended before a time, which is bound twice, and has its samples.
    private static let isOld = "start < ? AND stop < ? AND pruned = 0"

    /// Drops the samples of rounds that ended before the hour of `moment`. Returns their space to the disk in
    /// small steps. Rounds and rollups remain.
    ///
    /// - Returns: The number of samples that were dropped.
    package func prune(olderThan moment: Timestamp) throws(StoreError) -> Int {
        let hour = moment.hourNumber
        try write { try Self.notePruning(before: hour, $0.database) }
        var samples = 0
        while true {
            let (rounds, more) = try write {
                try Self.prune(before: Timestamp(hourNumber: hour), $0.database)
            }
            samples += more
            if rounds == 0 { break }
        }
        try freeSpace()
        return samples
    }

    /// The number of rounds that one transaction prunes, so that other processes do not wait long.
    private static let step = 500

    /// Records that samples before an hour, counted from 1970, are incomplete.
    static func notePruning(before hour: Int64, _ database: Database) throws {
        try database.run(
            """
            INSERT INTO pruning (id, hour) VALUES (1, ?)
            ON CONFLICT (id) DO UPDATE SET hour = max(hour, excluded.hour)
            """,
            [hour]
        )
    }

    private static func prune(
        before limit: Timestamp,
        _ database: Database
    ) throws -> (rounds: Int, samples: Int) {
        let rounds = try database.rows(
            "SELECT id FROM round WHERE \(isOld) ORDER BY start LIMIT \(step)",
            [limit.nanoseconds, limit.nanoseconds]
        ) { try $0.integer(0) }
        let statements = try [
            "DELETE FROM detail WHERE round = ?", "DELETE FROM sample WHERE round = ?",
            "UPDATE round SET pruned = 1 WHERE id = ?",
        ].map { try Statement(database, $0) }
        var samples = 0
        for id in rounds {
            for (index, statement) in statements.enumerated() {
                try statement.run([id])
                if index == 1 { samples += database.changesCount }
                guard index < 2 || database.changesCount == 1 else {
                    throw DatabaseError(SQLITE_CORRUPT)
                }
            }
        }
        return (rounds.count, samples)
    }

    /// Removes the free pages from the file, some at a time.
    private func freeSpace() throws(StoreError) {
        try withoutTransaction { database in
            var free = try database.count("PRAGMA freelist_count")
            while free > 0 {
                try database.execute("PRAGMA incremental_vacuum(2000)")
                let left = try database.count("PRAGMA freelist_count")
                guard left < free else { break }
                free = left
            }
            // Active readers can only prevent the log from becoming short.
            try database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        }
    }
}
