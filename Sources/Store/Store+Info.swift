import GRDB
public import Measurement

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// What a store holds.
public struct StoreInfo: Hashable, Sendable {
    public var path: String
    /// Of the schema.
    public var version: Int
    public var durability: Store.Durability
    public var runs: Int
    public var rounds: Int
    /// Kept; and how many were pruned.
    public var samples: Int
    public var prunedSamples: Int
    public var rollups: Int
    /// When the first sample left, and the last; `nil` without any.
    public var first: Timestamp?
    public var last: Timestamp?
    /// Of the file and its log.
    public var bytes: Int
    /// Before this hour only rollups are kept.
    public var prunedBefore: Timestamp?
}

extension Store {
    /// What the store holds.
    public func info() throws(StoreError) -> StoreInfo {
        try read { database in
            let rounds = try Row.fetchOne(
                database,
                sql: """
                    SELECT count(*), coalesce(sum(samples * (pruned = 0)), 0),
                        coalesce(sum(samples * (pruned != 0)), 0), min(start), max(stop)
                    FROM round
                    """
            )
            let pruned = try Int64.fetchOne(database, sql: "SELECT hour FROM pruning")
            let first: Int64? = rounds?[3]
            let last: Int64? = rounds?[4]
            return StoreInfo(
                path: path,
                version: try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0,
                durability: durability,
                runs: try Int.fetchOne(database, sql: "SELECT count(*) FROM run") ?? 0,
                rounds: rounds?[0] ?? 0,
                samples: rounds?[1] ?? 0,
                prunedSamples: rounds?[2] ?? 0,
                rollups: try Int.fetchOne(database, sql: "SELECT count(*) FROM rollup") ?? 0,
                first: first.map { Timestamp(nanoseconds: $0) },
                last: last.map { Timestamp(nanoseconds: $0) },
                bytes: Self.size(path) + Self.size(path + "-wal"),
                prunedBefore: pruned.map { Timestamp(hourNumber: $0) }
            )
        }
    }

    /// When the first sample left, and the last, by what the rounds were measured for.
    public func spans() throws(StoreError) -> [Origin: ClosedRange<Timestamp>] {
        try read { database in
            let rows = try Row.fetchCursor(
                database,
                sql: """
                    SELECT origin, min(start), max(stop) FROM round JOIN run ON run.id = run
                    GROUP BY origin
                    """
            )
            var spans: [Origin: ClosedRange<Timestamp>] = [:]
            while let row = try rows.next() {
                let number: UInt8? = UInt8.fromDatabaseValue(row[0])
                let first = Timestamp(nanoseconds: row[1])
                let last = Timestamp(nanoseconds: row[2])
                guard let origin = number.flatMap(Origin.init(rawValue:)), first <= last else {
                    continue
                }
                spans[origin] = first...last
            }
            return spans
        }
    }

    /// The labels of all resolvers, in the order in which they came.
    public func labels() throws(StoreError) -> [String] {
        try read {
            try String.fetchAll($0, sql: "SELECT label FROM target GROUP BY label ORDER BY min(id)")
        }
    }

    /// Everything that was ever asked, in the order in which it came.
    public func targets() throws(StoreError) -> [Recording.Target] {
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
            while try rows.step() { targets.append(Recording.Target(rows, from: 0)) }
            return targets
        }
    }

    private static func size(_ path: String) -> Int {
        var status = stat()
        return unsafe stat(path, &status) == 0 ? Int(status.st_size) : 0
    }
}
