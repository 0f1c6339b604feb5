import Catalogue
import DNSWire
import SQLite
import Samples
import Statistics

/// The figures of an hour as a table stores them. Each row has a checksum of its figures.
protocol HourlyFigures {
    static var table: String { get }
    /// The names of the columns that a row begins with.
    static var names: [String] { get }

    init()
    /// Reads ``columns``. Throws if they are not valid figures.
    init(_ row: Statement) throws

    /// The values of ``columns``.
    var values: [(any StatementBinding)?] { get }
    /// The values that the row's checksum covers.
    var checkedValues: [(any StatementBinding)?] { get }
    var isEmpty: Bool { get }

    mutating func merge(_ other: Self)
}

extension HourlyFigures {
    static var columns: String { names.joined(separator: ", ") }
    var checkedValues: [(any StatementBinding)?] { values }

    /// The query for the rows of some hours, sorted by hour and key. It selects ``columns``, then hour, key
    /// and checksum.
    static var selectionOfHours: String {
        """
        SELECT \(columns), hour, key, checksum FROM \(table)
        WHERE hour >= ? AND hour < ? ORDER BY hour, key
        """
    }

    static func place(_ row: Statement) throws -> RollupPlace {
        let next = Int32(names.count)
        return RollupPlace(hour: try row.integer(next), key: try row.integer(next + 1))
    }

    /// Whether the figures of a row are as they were stored.
    func isIntact(_ row: Statement, at place: RollupPlace) throws -> Bool {
        try checksum(at: place) == row.integer(Int32(Self.names.count + 2))
    }

    func checksum(at place: RollupPlace) -> Int64 {
        Checksum.value(of: checkedValues + [place.hour, place.key])
    }

    /// Adds figures to the stored figures at their places.
    ///
    /// - Throws: ``StoreError/excessive`` if `areForeign` is true and a sum could not be read again.
    static func add(
        _ figures: [RollupPlace: Self],
        _ database: Database,
        areForeign: Bool = false
    ) throws {
        let find = try Statement(
            database,
            "SELECT \(columns) FROM \(table) WHERE hour = ? AND key = ?"
        )
        let changes = (names + ["checksum"]).map { "\($0) = excluded.\($0)" }
        let put = try Statement(
            database,
            """
            \(Database.insertion(of: names + ["checksum", "hour", "key"], into: table))
            ON CONFLICT (hour, key) DO UPDATE SET \(changes.joined(separator: ", "))
            """
        )
        for (place, more) in figures where !more.isEmpty {
            var sum = try find.first([place.hour, place.key], read: Self.init(_:)) ?? Self()
            sum.merge(more)
            try put.run(sum.values + [sum.checksum(at: place), place.hour, place.key])
            guard areForeign else { continue }
            do { _ = try find.first([place.hour, place.key], read: Self.init(_:)) } catch {
                throw StoreError.excessive
            }
        }
    }

    /// The count in a column. Throws if the number is not a valid count.
    static func count(_ number: Int64) throws -> Int {
        guard (0...mostCounted).contains(number) else {
            throw DatabaseError.mismatch("a rollup is damaged: a count is invalid")
        }
        return Int(number)
    }
}

/// The largest count of a row.
let mostCounted = StoreLimits.mostCounted

/// All figures except ``connections`` and ``warmups``, which have tables of their own.
extension HourlySum.Figures: HourlyFigures {
    static let table = "rollup"
    static let names = [
        "answered", "timeouts", "unreachable", "malformed", "filtered", "offline", "blocked",
        "failures", "minimum", "maximum", "sum", "squares", "difference_sum", "differences",
        "sketch", "wrong", "rounds", "unanswered",
    ]

    /// The outcomes that had a column from the beginning. Failures are stored by response code.
    private static let outcomes: [Outcome] = [
        .answered, .timeout, .unreachable, .malformed, .filtered, .offline, .blocked,
    ]

    var isEmpty: Bool { false }

    var values: [(any StatementBinding)?] {
        Self.outcomes.map { Int64(counts[$0]) } + [
            Self.text(of: counts.responseCodes), latency.minimum, latency.maximum, latency.sum,
            latency.sumOfSquares, latency.differenceSum, Int64(latency.differences),
            Blob(bytes: latency.sketch.encoded()), wrong,
        ] + roundCounts
    }

    /// The number of wrong answers; `nil` without wrong answers, as in rows that are older than this column.
    private var wrong: Int64? { counts[.wrong] == 0 ? nil : Int64(counts[.wrong]) }

    /// The rounds, and those without an answer; `nil` without rounds, as in rows that are older than these
    /// columns. Only a damaged file has counts outside the limits.
    private var roundCounts: [(any StatementBinding)?] {
        let rounds = min(Int64(availability.rounds), mostCounted)
        guard rounds > 0 else { return [nil, nil] }
        return [rounds, min(max(0, Int64(availability.dead)), rounds)]
    }

    /// The columns that were added later are left out if they have no values, as in older rows.
    var checkedValues: [(any StatementBinding)?] {
        guard availability.rounds <= 0 else { return values }
        return values.dropLast(wrong == nil ? 3 : 2)
    }

    init(_ row: Statement) throws {
        self.init()
        for (index, outcome) in Self.outcomes.enumerated() {
            let times = try Self.count(row.integer(Int32(index)))
            counts.count(outcome, responseCode: nil, times: times)
        }
        for (code, times) in try Self.failures(row.optionalText(7)) {
            counts.count(.failed, responseCode: code, times: times)
        }
        latency.minimum = try row.optionalDouble(8)
        latency.maximum = try row.optionalDouble(9)
        latency.sum = try row.double(10)
        latency.sumOfSquares = try row.double(11)
        latency.differenceSum = try row.double(12)
        latency.differences = try Self.count(row.integer(13))
        latency.sketch = try LatencySketch(decoding: row.blob(14))
        if let wrong = try row.optionalInteger(15) {
            counts.count(.wrong, responseCode: nil, times: try Self.count(wrong))
        }
        availability = try Self.availability(row.optionalInteger(16), row.optionalInteger(17))
        latency.answered = latency.sketch.count
        latency.nonAnswers = counts.failed
    }

    private static func availability(_ rounds: Int64?, _ dead: Int64?) throws -> Availability {
        guard rounds != nil || dead != nil else { return Availability() }
        let counts = Availability(rounds: try count(rounds ?? 0), dead: try count(dead ?? -1))
        guard counts.rounds > 0, counts.dead <= counts.rounds else {
            throw DatabaseError.mismatch("a rollup is damaged: its rounds are invalid")
        }
        return counts
    }

    /// The counts of response codes, such as `REFUSED 2 SERVFAIL 1`; `nil` without codes.
    private static func text(of codes: [String: Int]) -> String? {
        guard !codes.isEmpty else { return nil }
        return codes.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
            .joined(separator: " ")
    }

    private static func failures(_ text: String?) throws -> [(ResponseCode?, Int)] {
        guard let text else { return [] }
        let words = text.split(separator: " ")
        let fault = DatabaseError.mismatch("a rollup is damaged: its failures are invalid")
        guard words.count % 2 == 0 else { throw fault }
        return try stride(from: 0, to: words.count, by: 2).map { index in
            guard let times = Int64(words[index + 1]) else { throw fault }
            return (ResponseCode(mnemonic: String(words[index])), try count(times))
        }
    }
}

struct RollupReader {
    private let keys: [Int64: NamedKey]
    private let rows: Statement
    private let database: Database

    init(_ window: Store.Window, _ database: Database) throws {
        self.database = database
        keys = try Self.keys(window, database)
        rows = try Statement(database, HourlySum.Figures.selectionOfHours)
    }

    /// Passes the rollups of some hours, counted from 1970, to `body`, in order.
    func read(_ hours: Range<Int64>, _ body: (HourlySum) throws -> Void) throws {
        var supplement = try RollupSupplement(database, hours)
        try rows.forEachRow([hours.lowerBound, hours.upperBound]) { row in
            let place = try HourlySum.Figures.place(row)
            guard var rollup = keys[place.key]?.sum else { return }
            rollup.hour = Timestamp(hourNumber: place.hour)
            rollup.figures = try HourlySum.Figures(row)
            _ = try supplement.complete(&rollup.figures, at: place)
            try body(rollup)
        }
    }

    /// A key, and a rollup with this key but without hour and figures.
    typealias NamedKey = (key: RollupKey, sum: HourlySum)

    /// The keys of a window, by their numbers.
    static func keys(_ window: Store.Window, _ database: Database) throws -> [Int64: NamedKey] {
        var keys: [Int64: NamedKey] = [:]
        try database.forEachRow(
            """
            SELECT rollup_key.id, \(Recording.Target.columns), vantage.name, type, timeout, origin,
                vantage, target
            FROM rollup_key JOIN vantage ON vantage.id = vantage \(Recording.Target.join)
            """
        ) { row in
            let origin = try row.integer(8)
            let target = try Recording.Target(row, from: 1)
            guard window.contains(origin: origin), window.contains(label: target.label) else {
                return
            }
            let key = RollupKey(
                vantage: try row.integer(9),
                target: try row.integer(10),
                type: try RecordType(row, 6).rawValue,
                timeout: try row.integer(7),
                origin: UInt8(truncatingIfNeeded: origin)
            )
            let sum = HourlySum(
                vantage: try row.name(5),
                target: target,
                type: RecordType(rawValue: key.type),
                timeout: .nanoseconds(key.timeout),
                origin: Run.Origin(rawValue: key.origin) ?? .imported
            )
            keys[try row.integer(0)] = (key, sum)
        }
        return keys
    }
}

/// The facts about a stored probe that determine the rollup of its samples.
struct ProbeFacts {
    let target: Int64
    let type: UInt16
    let series: Series

    /// The query whose rows ``init(_:)`` reads. The last column is the probe's number.
    static let selection = """
        SELECT target, type, series, probe.id FROM probe
            JOIN question ON question.id = question JOIN target ON target.id = target
        """

    init(_ row: Statement) throws(DatabaseError) {
        target = try row.integer(0)
        type = try RecordType(row, 1).rawValue
        series = try Series(row, 2)
    }
}

/// The rollups to which samples belong.
struct RollupSources {
    private var keys: [RollupKey: Int64] = [:]
    private let names: [Int64: RollupReader.NamedKey]
    private var probes: [Int64: ProbeFacts] = [:]

    init(_ database: Database) throws {
        names = try RollupReader.keys(Store.Window(), database)
        for (number, name) in names { keys[name.key] = number }
        try database.forEachRow(ProbeFacts.selection) { row in
            probes[try row.integer(3)] = try ProbeFacts(row)
        }
    }

    /// The number of the rollup key of a sample, and the facts about its probe.
    func key(of probe: Int64, in run: RunRow) -> (key: Int64, facts: ProbeFacts)? {
        guard let facts = probes[probe] else { return nil }
        return keys[RollupKey(of: facts, in: run)].map { ($0, facts) }
    }

    /// A name such as `home, A, from here at 2026-11-21T03:00:00.000000Z`.
    func name(of place: RollupPlace) -> String {
        let name = names[place.key].map {
            "\($0.sum.target.label), \($0.sum.type), from \($0.sum.vantage)"
        }
        return "\(name ?? "an unknown resolver") at \(Timestamp(hourNumber: place.hour))"
    }
}
