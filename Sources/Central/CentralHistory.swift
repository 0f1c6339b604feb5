package import Samples
package import Store

/// The history that places have shipped, as stores in memory: reports read these as they read the
/// files that the rounds came from, and say the same.
package struct CentralHistory {
    /// One file of one place.
    package struct Place: Hashable, Sendable {
        package var source: Int
        package var vantage: String
        /// When rounds came last; `nil` where none has.
        package var shipped: Timestamp?
        /// The time that its clock was ahead of the server's then, in milliseconds.
        package var skew: Int64?
        package var rounds: Int
        /// Whether its sums are there for all rounds; they come after these.
        package var isComplete: Bool
        /// As it was enrolled, such as `country` with `DE`.
        package var labels: [String: String]

        var name: String { "\(vantage) (place \(source))" }
    }

    /// The detail that is wanted of a window.
    package enum Detail: Hashable, Sendable {
        /// The entries that rounds refer to, of all time, causes of changes, and traces.
        case names
        /// Rounds too, without their samples.
        case rounds
        /// Hourly sums, and the samples of the hours at both ends; of ``days`` whole days (UTC) as one
        /// sum, which bears their first hour.
        case hours, days
        case samples

        var hasSums: Bool { self == .hours || self == .days || self == .samples }
    }

    private let central: CentralConnection
    private let places: [Place]
    private let window: Range<Timestamp>
    private let detail: Detail
    private let keepsRounds: Bool
    /// The mirror of what was read so far, by source.
    private var mirrors: [Int64: StoreMirror] = [:]

    /// The stores of places that have rounds, as far as a window wants them; all of one moment where it
    /// is in one transaction. With `keepsRounds` all rounds of the window are in them beside sums.
    package static func stores(
        of places: [Place],
        _ window: Range<Timestamp>,
        _ detail: Detail,
        keepsRounds: Bool = false,
        _ central: CentralConnection
    ) throws -> [Store] {
        let history = try CentralHistory(places, window, detail, keepsRounds, central)
        try history.readNames()
        if detail != .names { try history.readRounds() }
        if detail.hasSums { try history.readSums() }
        return places.compactMap { history.mirrors[Int64($0.source)]?.store }
    }

    private init(
        _ places: [Place],
        _ window: Range<Timestamp>,
        _ detail: Detail,
        _ keepsRounds: Bool,
        _ central: CentralConnection
    ) throws {
        self.places = places
        self.keepsRounds = keepsRounds
        self.window = window
        self.detail = detail
        self.central = central
        for place in places {
            mirrors[Int64(place.source)] = try StoreMirror(of: place.name)
        }
    }

    private var sources: CentralValue {
        .list(.integers(places.map { Int64($0.source) }))
    }

    private func readNames() throws {
        // Runs can be as many as rounds.
        for table in try CentralSchema.numbered where table.name != "run" { try read(table) }
        for table in try CentralSchema.hourly where table.key.first != "hour" { try read(table) }
    }

    private static let hour: Int64 = 3_600_000_000_000

    /// A window's bounds, and the hours in which they lie, as $2 to $5.
    private var bounds: [CentralValue] {
        let bounds = [window.lowerBound.nanoseconds, window.upperBound.nanoseconds]
        let edges = bounds.map { $0 - ($0 % Self.hour + Self.hour) % Self.hour }
        return (bounds + edges).map { .integer($0) }
    }

    /// The condition that a round reaches into a span.
    fileprivate static func overlaps(_ since: String, _ until: String) -> String {
        "start < \(until) AND stop >= \(since) AND start >= \(earliest(since))"
    }

    /// When a round began at the earliest that reaches to a moment: none is longer than the longest of
    /// its source, whatever that one's role wrote there.
    private static func earliest(_ moment: String) -> String {
        "greatest(\(moment), \(Int64.min / 2)) - least(greatest(longest, 0), \(Int64.max / 4))"
    }

    private func readRounds() throws {
        let whole = "(\(Self.overlaps("$2", "$3")))"
        // Sums are of whole hours: samples tell of what is cut off of them.
        let edges = ["$4", "$5"].map { "(\(Self.overlaps($0, "\($0) + \(Self.hour)")))" }
            .joined(separator: " OR ")
        let withSamples =
            switch detail {
            case .names, .rounds: "false"
            case .hours, .days: edges
            case .samples: whole
            }
        // With the first and the last of all, which tell how long the history is, and the last without
        // samples.
        let wanted = """
            dnstempo.shipped JOIN dnstempo.current AS round ON round.source = shipped.source AND (
                \(!keepsRounds && (detail == .days || detail == .hours) ? edges : whole)
                OR start = first
                OR stop = last AND start >= \(Self.earliest("last"))
                OR stop = shipped.pruned AND start >= \(Self.earliest("shipped.pruned"))
            ) WHERE shipped.source = ANY($1)
            """
        for table in try CentralSchema.numbered where table.name == "run" {
            let rounds = "SELECT round.source, round.run FROM \(wanted)"
            try read(table, "(source, id) IN (\(rounds))", bounds)
        }
        var table = try CentralSchema.round
        let data = table.columns.removeLast()
        let found = try central.query(
            """
            SELECT round.source, \(table.names(of: "round")),
                CASE WHEN \(withSamples) THEN "\(data.name)" END
            FROM \(wanted) ORDER BY round.source, id
            """,
            [sources] + bounds
        )
        for (source, rows) in found.rangesOfSources {
            let values = try (table.columns + [data]).enumerated()
                .map { try found.values($1.kind, $0 + 1, rows) }
            guard case .blobs(let samples) = values[values.count - 1] else {
                throw CentralError.strange(central.place)
            }
            try mirrors[source]?.add(rounds: Array(values.dropLast()), samples: samples)
        }
    }

    private func readSums() throws {
        // Where a history begins, or ends, within a span, its hours tell when.
        let hours = try detail == .days ? wholeHours() : 0..<0
        let days = SumSpan.day.whole(within: hours)
        let months = SumSpan.month.whole(within: days)
        let spans = [days, months].flatMap { [$0.lowerBound, $0.upperBound] }
            .map { CentralValue.integer($0) }
        let hour = CentralValue.integer(Self.hour)
        for table in try CentralSchema.summed {
            try read(
                table,
                "hour >= $4 / $8 AND hour <= $5 / $8 AND NOT (hour >= $6 AND hour < $7)",
                bounds + spans.prefix(2) + [hour]
            )
            let (day, month) = (
                CentralSchema.table(table, of: .day), CentralSchema.table(table, of: .month)
            )
            let within = "hour >= $2 AND hour < $3"
            if !days.isEmpty {
                try read(table, "\(within) AND NOT (hour >= $4 AND hour < $5)", spans, from: day)
            }
            if !months.isEmpty { try read(table, within, Array(spans.suffix(2)), from: month) }
        }
    }

    /// The hours of the window that lie in the history whole.
    private func wholeHours() throws -> Range<Int64> {
        guard let span = try Self.span(central) else { return 0..<0 }
        let first = max(window.lowerBound, span.lowerBound.startOfHour)
        let end = min(window.upperBound, span.upperBound.startOfHour.advanced(by: .seconds(3600)))
        return first < end ? Timestamp.wholeHours(in: first..<end) : 0..<0
    }

    /// Reads rows of all places, and gives each its own.
    private func read(
        _ table: StoredTable,
        _ condition: String = "true",
        _ values: [CentralValue] = [],
        from other: StoredTable? = nil
    ) throws {
        let key = (["source"] + table.key.map { "\"\($0)\"" }).joined(separator: ", ")
        let found = try central.query(
            """
            SELECT source, \(table.names(of: "own")) FROM dnstempo."\(other?.name ?? table.name)" AS own
            WHERE source = ANY($1) AND \(condition) ORDER BY \(key)
            """,
            [sources] + values
        )
        for (source, rows) in found.rangesOfSources {
            let values = try table.columns.enumerated()
                .map { try found.values($1.kind, $0 + 1, rows) }
            try mirrors[source]?.add(values, to: table)
        }
    }
}

extension CentralHistory {
    package static func places(_ central: CentralConnection) throws -> [Place] {
        let found = try central.query(
            """
            SELECT id, vantage, CASE WHEN isfinite(at)
                THEN (extract(epoch FROM at) * 1000)::int8 END, skew_ms, rounds, sums_from
            FROM dnstempo.source LEFT JOIN dnstempo.shipped ON shipped.source = source.id
            ORDER BY id
            """
        )
        let pairs = try central.query(
            "SELECT id::int8, key, value FROM dnstempo.source, jsonb_each_text(labels)"
        )
        var labels: [Int64: [String: String]] = [:]
        for row in 0..<pairs.count {
            guard let id = pairs.integer(row, 0), let key = pairs.text(row, 1) else { continue }
            labels[id, default: [:]][key] = pairs.text(row, 2)
        }
        return try (0..<found.count).map { row in
            guard let id = found.integer(row, 0), let vantage = found.text(row, 1) else {
                throw CentralError.strange(central.place)
            }
            return Place(
                source: Int(clamping: id),
                vantage: vantage,
                shipped: found.integer(row, 2).map {
                    Timestamp(nanoseconds: Int64(clamping: Int128($0) * 1_000_000))
                },
                skew: found.integer(row, 3),
                rounds: Int(clamping: found.integer(row, 4) ?? 0),
                isComplete: found.integer(row, 5) == nil,
                labels: labels[id] ?? [:]
            )
        }
    }

    /// When the first sample of all places left, and the last; `nil` without any.
    static func span(_ central: CentralConnection) throws -> ClosedRange<Timestamp>? {
        let found = try central.query("SELECT min(first), max(last) FROM dnstempo.shipped")
        guard let first = found.integer(0, 0), let last = found.integer(0, 1), first <= last else {
            return nil
        }
        return Timestamp(nanoseconds: first)...Timestamp(nanoseconds: last)
    }

    /// How many samples the rounds of a window have.
    static func samples(_ window: Range<Timestamp>, _ central: CentralConnection) throws -> Int {
        let found = try central.query(
            """
            SELECT least(sum((SELECT sum(samples) FROM dnstempo.current
                WHERE current.source = shipped.source AND \(overlaps("$1", "$2")))),
                \(Int64.max))::int8
            FROM dnstempo.shipped
            """,
            [window.lowerBound, window.upperBound].map { .integer($0.nanoseconds) }
        )
        return Int(clamping: found.integer(0, 0) ?? 0)
    }

    /// Whether stores of two sources have rounds from one place: a round that both have would count
    /// twice.
    static func hasPlaceTwice(_ central: CentralConnection) throws -> Bool {
        try central.query("SELECT FROM dnstempo.vantage GROUP BY name HAVING count(*) > 1 LIMIT 1")
            .count > 0
    }

    /// The days that places measured, by source and time.
    static func days(_ central: CentralConnection) throws -> [StoredDay] {
        let names = try central.query("SELECT source, id, name FROM dnstempo.vantage")
        var vantages: [Int64: [Int64: String]] = [:]
        for row in 0..<names.count {
            guard let source = names.integer(row, 0), let id = names.integer(row, 1) else {
                continue
            }
            vantages[source, default: [:]][id] = names.text(row, 2)
        }
        let found = try central.query(
            "SELECT source, hour, samples, rounds FROM dnstempo.day ORDER BY source, hour"
        )
        return try (0..<found.count).map { row in
            guard let source = found.integer(row, 0), let hour = found.integer(row, 1),
                let samples = found.integer(row, 2), let rounds = found.octets(row, 3)
            else { throw CentralError.strange(central.place) }
            do {
                return try StoredDay(
                    hour: hour,
                    samples: samples,
                    rounds: rounds,
                    vantages: vantages[source] ?? [:]
                )
            } catch {
                throw CentralError.badDay(hour, of: source, at: central.place)
            }
        }
    }
}

extension CentralError {
    /// The error of a day that cannot be read; by itself none is sent again.
    fileprivate static func badDay(_ hour: Int64, of source: Int64, at place: String) -> Self {
        CentralError(
            .badData,
            "the central store at \(place): a day of place \(source) is not as it was shipped: run "
                + "UPDATE dnstempo.shipped SET sums_from = least(sums_from, \(hour)) WHERE source = "
                + "\(source) as its owner, and have the place ship"
        )
    }
}

extension StoredTable {
    /// Its columns in a query that calls it so.
    fileprivate func names(of table: String) -> String {
        columns.map { "\(table).\"\($0.name)\"" }.joined(separator: ", ")
    }
}
