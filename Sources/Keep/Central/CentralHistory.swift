import Samples
import Store

/// The history that places have shipped, as temporary stores. Reports read these stores like the files that
/// the rounds came from, with the same results.
package struct CentralHistory {
    /// The detail that a reader wants of a window.
    package enum Detail: Hashable, Sendable {
        /// The entries that rounds refer to, the causes of changes, and the traces, all without a time limit.
        case names
        /// The names, and the rounds without their samples.
        case rounds
        /// Hourly sums, and the samples of the hours at both ends of the window. ``days`` reads whole days
        /// and months (UTC) as one sum each, which has the first hour of its span.
        case hours, days
        case samples

        var hasSums: Bool { self == .hours || self == .days || self == .samples }
    }

    private let window: Range<Timestamp>
    private let detail: Detail
    private let keepsRounds: Bool
    private var rows: CentralPlaceRows
    /// The mirror of the rows read so far, by source.
    private let mirrors: [Int64: StoreMirror]

    /// Reads the rows of a window. Returns the stores of places that have rounds, and the places whose rows
    /// cannot be read. Within one transaction, all rows are of one moment. With `keepsRounds`, the stores
    /// contain all rounds of the window in addition to sums.
    static func stores(
        of places: [Place],
        _ window: Range<Timestamp>,
        _ detail: Detail,
        keepsRounds: Bool = false,
        _ central: CentralConnection
    ) throws -> (stores: [Store], unread: [UnreadPlace]) {
        let rows = CentralPlaceRows(of: places, central)
        var mirrors: [Int64: StoreMirror] = [:]
        for place in rows.places {
            mirrors[Int64(place.source)] = try StoreMirror(of: place.name) { place.shown($0) }
        }
        var history = CentralHistory(
            window: window,
            detail: detail,
            keepsRounds: keepsRounds,
            rows: rows,
            mirrors: mirrors
        )
        try history.readNames()
        if detail != .names { try history.readRounds() }
        if detail.hasSums { try history.readSums() }
        for place in history.rows.places {
            history.rows.attempt(place) { try mirrors[Int64(place.source)]?.validate() }
        }
        let stores = history.rows.places.compactMap { mirrors[Int64($0.source)]?.store }
        return (stores, history.rows.unread)
    }

    private mutating func readNames() throws {
        // The runs can be as many as the rounds. They are read with the rounds.
        let names = try CentralSchema.numbered.filter { $0.name != "run" }
        let moments = try CentralSchema.hourly.filter { $0.key.first != "hour" }
        try read((names + moments).map { CentralSelection(of: $0) })
    }

    private static let hour: Int64 = 3_600_000_000_000

    /// The window's bounds ($2, $3), and the starts of the hours in which they lie ($4, $5), in nanoseconds.
    private var bounds: [CentralValue] {
        let bounds = [window.lowerBound, window.upperBound]
        return (bounds + bounds.map(\.startOfHour)).map { .integer($0.nanoseconds) }
    }

    /// The SQL condition that a round overlaps a span.
    fileprivate static func overlaps(_ since: String, _ until: String) -> String {
        "start < \(until) AND stop >= \(since) AND start >= \(earliest(since))"
    }

    /// The earliest start of a round that reaches a moment. No round is longer than the longest of its
    /// source. The outer bounds prevent an overflow, whatever the place's role wrote as `longest`.
    private static func earliest(_ moment: String) -> String {
        "greatest(\(moment), \(Int64.min / 2)) - least(greatest(longest, 0), \(Int64.max / 4))"
    }

    private mutating func readRounds() throws {
        let whole = "(\(Self.overlaps("$2", "$3")))"
        // Sums cover whole hours. In the hours that the window cuts, samples are read.
        let edges = ["$4", "$5"].map { "(\(Self.overlaps($0, "\($0) + \(Self.hour)")))" }
            .joined(separator: " OR ")
        let withSamples =
            switch detail {
            case .names, .rounds: "false"
            case .hours, .days: edges
            case .samples: whole
            }
        // Includes the first and the last round of all, which show the length of the history, and the last
        // round without samples.
        let wanted = """
            \(!keepsRounds && (detail == .days || detail == .hours) ? edges : whole)
            OR start = first
            OR stop = last AND start >= \(Self.earliest("last"))
            OR stop = shipped.pruned AND start >= \(Self.earliest("shipped.pruned"))
            """
        let runs = try CentralSchema.numbered.filter { $0.name == "run" }
        try read(
            runs.map { table in
                var runs = CentralSelection(of: table)
                // The server finds the rounds once, because they do not depend on the run or its place.
                runs.condition = """
                    (own.source, own.id) IN (
                        SELECT own.source, own.run FROM \(CentralSelection.rounds)
                        WHERE own.source = ANY($1) AND (\(wanted))
                    )
                    """
                return runs
            },
            bounds
        )
        let table = try CentralSchema.round
        let rounds = CentralSelection(ofRounds: table, wanted, withSamples: withSamples)
        let mirrors = mirrors
        try rows.read([rounds], bounds) { place, _, values in
            try mirrors[Int64(place.source)]?.add(rounds: values)
        }
    }

    private mutating func readSums() throws {
        // If a history begins or ends within a day or month, its hourly sums show when.
        let hours = try detail == .days ? wholeHours() : 0..<0
        let days = SumSpan.day.whole(within: hours)
        let months = SumSpan.month.whole(within: days)
        let spans = [days, months].flatMap { [$0.lowerBound, $0.upperBound] }
            .map { CentralValue.integer($0) }
        let tables = try CentralSchema.summed
        func selections(_ condition: String, by span: SumSpan? = nil) -> [CentralSelection] {
            tables.map { table in
                let other = span.map { CentralSchema.table(table, of: $0) }
                var sums = CentralSelection(of: table, in: other)
                sums.condition = condition
                return sums
            }
        }
        try read(
            selections("hour >= $4 / $8 AND hour <= $5 / $8 AND NOT (hour >= $6 AND hour < $7)"),
            bounds + spans.prefix(2) + [.integer(Self.hour)]
        )
        let within = "hour >= $2 AND hour < $3"
        if !days.isEmpty {
            let condition = "\(within) AND NOT (hour >= $4 AND hour < $5)"
            try read(selections(condition, by: .day), spans)
        }
        if !months.isEmpty { try read(selections(within, by: .month), Array(spans.suffix(2))) }
    }

    /// The whole hours of the window that lie within the history.
    private func wholeHours() throws -> Range<Int64> {
        guard let span = try Self.span(of: rows.places, rows.central) else { return 0..<0 }
        let first = max(window.lowerBound, span.lowerBound.startOfHour)
        let end = min(window.upperBound, span.upperBound.startOfHour.advanced(by: .seconds(3600)))
        return first < end ? Timestamp.wholeHours(in: first..<end) : 0..<0
    }

    private mutating func read(
        _ selections: [CentralSelection],
        _ values: [CentralValue] = []
    ) throws {
        let mirrors = mirrors
        try rows.read(selections, values) { place, table, values in
            try mirrors[Int64(place.source)]?.add(values, to: table)
        }
    }
}

extension CentralHistory {
    /// The times at which the first and the last sample of these places left; `nil` without samples.
    static func span(
        of places: [Place],
        _ central: CentralConnection
    ) throws -> ClosedRange<Timestamp>? {
        let found = try central.query(
            "SELECT min(first), max(last) FROM dnstempo.shipped WHERE source = ANY($1)",
            [CentralPlaceRows.sources(places)]
        )
        guard let first = found.integer(0, 0), let last = found.integer(0, 1), first <= last else {
            return nil
        }
        return Timestamp(nanoseconds: first)...Timestamp(nanoseconds: last)
    }

    /// The number of stored samples in the rounds of a window. A round counts with at most as many samples as
    /// its data can contain.
    static func samples(
        of places: [Place],
        _ window: Range<Timestamp>,
        _ central: CentralConnection
    ) throws -> Int {
        let found = try central.query(
            """
            SELECT least(sum(size.samples), \(Int64.max))::int8
            FROM unnest($1) AS place (id), LATERAL (
                SELECT sum(samples) AS samples FROM (
                    SELECT \(CentralSelection.credibleSamples) AS samples
                    FROM \(CentralSelection.rounds)
                    WHERE own.source = place.id AND \(overlaps("$2", "$3"))
                    LIMIT \(CentralBudget.samples)
                ) AS part
            ) AS size
            """,
            [CentralPlaceRows.sources(places)]
                + [window.lowerBound, window.upperBound].map { .integer($0.nanoseconds) }
        )
        return Int(clamping: found.integer(0, 0) ?? 0)
    }

    /// The days on which places measured, by source and time, and the places whose days cannot be read.
    static func days(
        of places: [Place],
        _ central: CentralConnection
    ) throws -> (days: [StoredDay], unread: [UnreadPlace]) {
        var rows = CentralPlaceRows(of: places, central)
        var vantages: [Int: [Int64: String]] = [:]
        let names = try CentralSchema.numbered.filter { $0.name == "vantage" }
        try rows.read(names.map { CentralSelection(of: $0) }) { place, _, found in
            for row in found {
                guard let id = row[0].integer, let name = row[1].text else { continue }
                vantages[place.source, default: [:]][id] = place.shown(name)
            }
        }
        var days: [Int: [StoredDay]] = [:]
        try rows.read([CentralSelection(of: StoredDay.table)]) { place, _, found in
            for row in found {
                guard let hour = row[0].integer, let samples = row[1].integer,
                    let rounds = row[2].blob
                else { continue }
                guard
                    let day = try? StoredDay(
                        hour: hour,
                        samples: samples,
                        rounds: rounds,
                        vantages: vantages[place.source] ?? [:]
                    )
                else { throw place.badDay(hour) }
                days[place.source, default: []].append(day)
            }
        }
        return (rows.places.flatMap { days[$0.source] ?? [] }, rows.unread)
    }
}

extension CentralHistory.Place {
    /// The error of a day that cannot be read. A place ships it again after the command in the message.
    fileprivate func badDay(_ hour: Int64) -> UnreadPlace {
        UnreadPlace(
            self,
            "a day of place \(source) is not as it was shipped: run UPDATE dnstempo.shipped SET "
                + "sums_from = least(sums_from, \(hour)) WHERE source = \(source) as its owner, and "
                + "have the place ship"
        )
    }
}
