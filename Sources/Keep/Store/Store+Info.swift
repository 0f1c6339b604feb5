import CSQLite
import LibC
import SQLite
package import Samples

package struct StoreInfo: Hashable, Sendable {
    package var path: String
    /// The schema's.
    package var version: Int
    package var durability: Store.Durability
    package var runs: Int
    package var rounds: Int
    /// Kept; and how many were pruned.
    package var samples: Int
    package var prunedSamples: Int
    package var rollups: Int
    /// When the first sample left, and the last; `nil` without any.
    package var first: Timestamp?
    package var last: Timestamp?
    /// The size of the file and its log.
    package var bytes: Int
    /// Before this hour only rollups are kept.
    package var prunedBefore: Timestamp?
}

extension Store {
    package func info() throws(StoreError) -> StoreInfo {
        try read { database in
            let info = try database.first(
                """
                SELECT count(*), \(Self.sum("samples * (pruned = 0)")),
                    \(Self.sum("samples * (pruned != 0)")), min(start), max(stop)
                FROM round
                """
            ) { row in
                StoreInfo(
                    path: path,
                    version: try database.count("PRAGMA user_version"),
                    durability: durability,
                    runs: try database.count("SELECT count(*) FROM run"),
                    rounds: try row.count(0),
                    samples: try row.count(1),
                    prunedSamples: try row.count(2),
                    rollups: try database.count("SELECT count(*) FROM rollup"),
                    first: try row.optionalInteger(3).map { Timestamp(nanoseconds: $0) },
                    last: try row.optionalInteger(4).map { Timestamp(nanoseconds: $0) },
                    bytes: Self.size(path) + Self.size(path + "-wal"),
                    prunedBefore: try database.integer("SELECT hour FROM pruning")
                        .map { Timestamp(hourNumber: $0) }
                )
            }
            guard let info else { throw DatabaseError(SQLITE_CORRUPT) }
            return info
        }
    }

    /// When the first sample left, and the last, by what the rounds were measured for.
    package func spans() throws(StoreError) -> [Run.Origin: ClosedRange<Timestamp>] {
        try read { database in
            var spans: [Run.Origin: ClosedRange<Timestamp>] = [:]
            try database.forEachRow(
                """
                SELECT origin, min(start), max(stop) FROM round JOIN run ON run.id = run
                GROUP BY origin
                """
            ) { row in
                let (first, last) = try (row.moment(1), row.moment(2))
                guard let origin = try row.origin(0), first <= last else { return }
                spans[origin] = first...last
            }
            return spans
        }
    }

    /// Everything that was ever asked, in the order in which it came.
    package func targets() throws(StoreError) -> [Recording.Target] {
        try read { database in
            try Self.targets(Window(), database).sorted { $0.key < $1.key }.map(\.value)
        }
    }

    package func lastQuery(origins: Set<Run.Origin>) throws(StoreError) -> Timestamp? {
        try spans().filter { origins.contains($0.key) }.values.map(\.upperBound).max()
    }

    /// Everything that counts of what was asked, with the places that asked it.
    package func targetsByPlace() throws(StoreError) -> [(vantage: String, Recording.Target)] {
        try read { database in
            try database.rows(
                """
                SELECT DISTINCT vantage.name, \(Recording.Target.columns)
                FROM rollup_key JOIN vantage ON vantage.id = vantage \(Recording.Target.join)
                ORDER BY vantage.id, target.id
                """
            ) { row in
                (vantage: try row.name(0), try Recording.Target(row, from: 1))
            }
        }
    }

    /// The names of the places.
    package func vantages() throws(StoreError) -> [String] {
        try read { try $0.rows("SELECT name FROM vantage ORDER BY id") { try $0.name(0) } }
    }

    /// Every name that was ever asked for, in the order in which it came; without regard to case.
    package func names() throws(StoreError) -> [String] {
        try read { database in
            try database.rows(
                "SELECT name FROM question GROUP BY name COLLATE NOCASE ORDER BY min(id)"
            ) { try $0.name(0) }
        }
    }

    private static func size(_ path: String) -> Int {
        fileStatus(path).map { Int($0.st_size) } ?? 0
    }
}
