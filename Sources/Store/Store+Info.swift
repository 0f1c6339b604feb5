import GRDB
package import Samples

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// What a store holds.
package struct StoreInfo: Hashable, Sendable {
    package var path: String
    /// Of the schema.
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
    /// Of the file and its log.
    package var bytes: Int
    /// Before this hour only rollups are kept.
    package var prunedBefore: Timestamp?
}

extension Store {
    /// What the store holds.
    package func info() throws(StoreError) -> StoreInfo {
        try read { database in
            let rounds = try BoundStatement(
                database,
                """
                SELECT count(*), \(Self.sum("samples * (pruned = 0)")),
                    \(Self.sum("samples * (pruned != 0)")), min(start), max(stop)
                FROM round
                """
            )
            defer { rounds.reset() }
            guard try rounds.step() else { throw DatabaseError(resultCode: .SQLITE_CORRUPT) }
            return StoreInfo(
                path: path,
                version: try database.count("PRAGMA user_version"),
                durability: durability,
                runs: try database.count("SELECT count(*) FROM run"),
                rounds: Int(clamping: try rounds.integer(0)),
                samples: Int(clamping: try rounds.integer(1)),
                prunedSamples: Int(clamping: try rounds.integer(2)),
                rollups: try database.count("SELECT count(*) FROM rollup"),
                first: try rounds.optionalInteger(3).map { Timestamp(nanoseconds: $0) },
                last: try rounds.optionalInteger(4).map { Timestamp(nanoseconds: $0) },
                bytes: Self.size(path) + Self.size(path + "-wal"),
                prunedBefore: try database.integer("SELECT hour FROM pruning")
                    .map { Timestamp(hourNumber: $0) }
            )
        }
    }

    /// When the first sample left, and the last, by what the rounds were measured for.
    package func spans() throws(StoreError) -> [Run.Origin: ClosedRange<Timestamp>] {
        try read { database in
            let rows = try BoundStatement(
                database,
                """
                SELECT origin, min(start), max(stop) FROM round JOIN run ON run.id = run
                GROUP BY origin
                """
            )
            defer { rows.reset() }
            var spans: [Run.Origin: ClosedRange<Timestamp>] = [:]
            while try rows.step() {
                let number = UInt8(exactly: try rows.integer(0))
                let first = Timestamp(nanoseconds: try rows.integer(1))
                let last = Timestamp(nanoseconds: try rows.integer(2))
                guard let origin = number.flatMap(Run.Origin.init(rawValue:)), first <= last else {
                    continue
                }
                spans[origin] = first...last
            }
            return spans
        }
    }

    /// The labels of all resolvers, in the order in which they came.
    package func labels() throws(StoreError) -> [String] {
        try read { database in
            let rows = try BoundStatement(
                database,
                "SELECT label FROM target GROUP BY label ORDER BY min(id)"
            )
            defer { rows.reset() }
            var labels: [String] = []
            while try rows.step() { labels.append(try rows.name(0)) }
            return labels
        }
    }

    /// Everything that was ever asked, in the order in which it came.
    package func targets() throws(StoreError) -> [Recording.Target] {
        try read { database in
            let rows = try BoundStatement(
                database,
                """
                SELECT label, transport, address, series FROM target
                    JOIN endpoint ON endpoint.id = endpoint ORDER BY target.id
                """
            )
            defer { rows.reset() }
            var targets: [Recording.Target] = []
            while try rows.step() { targets.append(try Recording.Target(rows, from: 0)) }
            return targets
        }
    }

    private static func size(_ path: String) -> Int {
        var status = stat()
        return unsafe stat(path, &status) == 0 ? Int(status.st_size) : 0
    }
}
