import CSQLite
import LibC
import SQLite
package import Samples

package struct StoreInfo: Hashable, Sendable {
    package var path: String
    /// The version of the schema.
    package var version: Int
    package var durability: Store.Durability
    package var runs: Int
    package var rounds: Int
    /// The numbers of stored and of pruned samples.
    package var samples: Int
    package var prunedSamples: Int
    package var rollups: Int
    /// The times at which the first and the last sample left; `nil` without samples.
    package var first: Timestamp?
    package var last: Timestamp?
    /// The size of the file and its log, in bytes.
    package var bytes: Int
    /// The hour before which only rollups are stored; `nil` if nothing was pruned.
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

    /// The times at which the first and the last sample left, by the origin of the rounds.
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

    /// All targets that were ever queried, in the order in which they were first stored.
    package func targets() throws(StoreError) -> [Recording.Target] {
        try read { database in
            try Self.targets(Window(), database).sorted { $0.key < $1.key }.map(\.value)
        }
    }

    package func lastQuery(origins: Set<Run.Origin>) throws(StoreError) -> Timestamp? {
        try spans().filter { origins.contains($0.key) }.values.map(\.upperBound).max()
    }

    /// The targets with counted samples, and the vantage points that queried them.
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

    /// The names of the vantage points.
    package func vantages() throws(StoreError) -> [String] {
        try read { try $0.rows("SELECT name FROM vantage ORDER BY id") { try $0.name(0) } }
    }

    /// All names that were ever queried, in the order in which they were first stored. Case is ignored.
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
