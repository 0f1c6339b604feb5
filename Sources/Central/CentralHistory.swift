package import Samples
package import Store

/// What places have shipped, as stores in memory: reports read these as they read the files that the
/// rounds came from, and say the same.
package struct CentralHistory: Sendable {
    /// One file of one place.
    package struct Place: Hashable, Sendable {
        package var source: Int
        package var vantage: String
        /// When rounds came last; `nil` where none has.
        package var shipped: Timestamp?
        /// What its clock was ahead of the server's then, in milliseconds.
        package var skew: Int64?
        package var rounds: Int
        /// Whether its sums are there for all rounds; they come after these.
        package var isComplete: Bool
    }

    /// Which samples are wanted of a window.
    package enum Detail: Hashable, Sendable {
        /// Rounds and what they refer to alone.
        case rounds
        /// And hourly sums, and the samples of the hours at both ends; or all samples where what is
        /// there of the window is short.
        case sums
        case samples
    }

    package static func places(_ central: CentralConnection) throws -> [Place] {
        let found = try central.query(
            """
            SELECT id, vantage, (extract(epoch FROM at) * 1000)::int8, skew_ms,
                (SELECT count(*) FROM dnstempo.round WHERE round.source = source.id), sums_from
            FROM dnstempo.source LEFT JOIN dnstempo.shipped ON shipped.source = source.id
            ORDER BY id
            """
        )
        return try (0..<found.count).map { row in
            guard let id = found.integer(row, 0), let vantage = found.text(row, 1) else {
                throw CentralError.strange(central.place)
            }
            return Place(
                source: Int(clamping: id),
                vantage: vantage,
                shipped: found.integer(row, 2).map { Timestamp(nanoseconds: $0 * 1_000_000) },
                skew: found.integer(row, 3),
                rounds: Int(clamping: found.integer(row, 4) ?? 0),
                isComplete: found.integer(row, 5) == nil
            )
        }
    }

    /// When the first sample of all places left, and the last; `nil` without any.
    static func span(_ central: CentralConnection) throws -> ClosedRange<Timestamp>? {
        let found = try central.query("SELECT min(start), max(stop) FROM dnstempo.round")
        guard let first = found.integer(0, 0), let last = found.integer(0, 1), first <= last else {
            return nil
        }
        return Timestamp(nanoseconds: first)...Timestamp(nanoseconds: last)
    }

    /// The store of a place, as far as a window wants it.
    package static func store(
        of place: Place,
        _ window: Range<Timestamp>,
        _ detail: Detail,
        _ central: CentralConnection
    ) throws -> Store {
        let mirror = try StoreMirror(of: "\(place.vantage) (place \(place.source))")
        let source = CentralValue.integer(Int64(place.source))
        for table in try CentralSchema.numbered {
            try mirror.add(try rows(of: table, "", [source], central), to: table)
        }
        let hour: Int64 = 3_600_000_000_000
        let bounds = [window.lowerBound.nanoseconds, window.upperBound.nanoseconds]
        // Sums are of whole hours: samples tell of what is cut off of them.
        let edges = bounds.map { $0 - ($0 % hour + hour) % hour }
        let isWanted =
            switch detail {
            case .rounds: "false"
            case .sums:
                """
                start < $4 + \(hour) AND stop >= $4 OR start < $5 + \(hour) AND stop >= $5
                """
            case .samples: "start < $3 AND stop >= $2"
            }
        var table = try CentralSchema.round
        let data = table.columns.removeLast()
        let names = table.columns.map { "\"\($0.name)\"" }.joined(separator: ", ")
        // With the first and the last of all, which tell how long the history is.
        let found = try central.query(
            """
            SELECT \(names), CASE WHEN \(isWanted) THEN "\(data.name)" END FROM dnstempo.round
            WHERE source = $1 AND (start < $3 AND stop >= $2
                OR start = (SELECT min(start) FROM dnstempo.round WHERE source = $1)
                OR stop = (SELECT max(stop) FROM dnstempo.round WHERE source = $1))
            ORDER BY id
            """,
            [source] + (bounds + edges).map { CentralValue.integer($0) }
        )
        let columns = table.columns + [data]
        let values = try columns.indices.map { try found.values(columns[$0].kind, $0) }
        guard case .blobs(let samples) = values[columns.count - 1] else {
            throw CentralError.strange(central.place)
        }
        try mirror.add(rounds: Array(values.dropLast()), samples: samples)
        guard detail != .rounds else { return mirror.store }
        let hours = edges.map { CentralValue.integer($0 / hour) }
        for table in try CentralSchema.hourly {
            let condition = table.key.first == "hour" ? " AND hour >= $2 AND hour <= $3" : ""
            let wanted = condition.isEmpty ? [source] : [source] + hours
            try mirror.add(try rows(of: table, condition, wanted, central), to: table)
        }
        return mirror.store
    }

    private static func rows(
        of table: StoredTable,
        _ condition: String,
        _ values: [CentralValue],
        _ central: CentralConnection
    ) throws -> [StoredValues] {
        let names = table.columns.map { "\"\($0.name)\"" }.joined(separator: ", ")
        let key = table.key.map { "\"\($0)\"" }.joined(separator: ", ")
        let found = try central.query(
            "SELECT \(names) FROM dnstempo.\"\(table.name)\" WHERE source = $1\(condition) ORDER BY \(key)",
            values
        )
        return try table.columns.enumerated().map { try found.values($1.kind, $0) }
    }
}
