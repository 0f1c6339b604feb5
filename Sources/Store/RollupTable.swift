import Catalogue
import DNSWire
import GRDB
import Samples
import Statistics

/// Rollups that a transaction adds to, written once at its end.
struct RollupTable {
    var tallies: [RollupPlace: RollupTally] = [:]

    mutating func add(
        _ rollup: HourlySum,
        _ registry: inout Registry,
        _ database: Database
    ) throws {
        let key = RollupKey(
            vantage: try registry.vantage(rollup.vantage, database),
            target: try registry.target(rollup.target, database),
            type: rollup.type.rawValue,
            timeout: rollup.timeout.nanoseconds,
            origin: rollup.origin.rawValue
        )
        let place = RollupPlace(
            hour: rollup.hour.hourNumber,
            key: try registry.rollupKey(key, database)
        )
        let tally = RollupTally(
            counts: rollup.counts,
            latency: rollup.latency,
            connections: rollup.connections
        )
        tallies[place, default: RollupTally()].merge(tally)
    }

    func write(_ database: Database) throws {
        let find = try BoundStatement(database, Self.select)
        let put = try BoundStatement(database, Self.insert)
        let connections = try ConnectionTable(database)
        for (place, added) in tallies {
            var tally =
                try find.first([place.hour, place.key], read: Self.tally) ?? RollupTally()
            tally.merge(added)
            try put.run(
                Self.values(of: tally)
                    + [Self.checksum(of: tally, at: place), place.hour, place.key]
            )
            try connections.add(added.connections, to: place)
        }
    }

    private static let select = "SELECT \(columns) FROM rollup WHERE hour = ? AND key = ?"
    private static let insert = """
        INSERT INTO rollup (\(columns), checksum, hour, key)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (hour, key) DO UPDATE
        SET (\(columns), checksum) = (\(excluded), excluded.checksum)
        """

    private static let names = [
        "answered", "timeouts", "unreachable", "malformed", "filtered", "offline", "blocked",
        "failures", "minimum", "maximum", "sum", "squares", "difference_sum", "differences",
        "sketch",
    ]
    /// The columns that ``tally(_:)`` reads, in its order, from the first on.
    static let columns = names.joined(separator: ", ")
    private static let excluded = names.map { "excluded.\($0)" }.joined(separator: ", ")

    /// The values of ``columns``.
    private static func values(of tally: RollupTally) -> [(any StatementBinding)?] {
        let (counts, latency) = (tally.counts, tally.latency)
        let numbers = [
            counts.answered, counts.timeouts, counts.unreachable, counts.malformed,
            counts.filtered, counts.offline, counts.blocked,
        ]
        return numbers.map { Int64($0) } + [
            text(of: counts.responseCodes), latency.minimum, latency.maximum, latency.sum,
            latency.sumOfSquares, latency.differenceSum, Int64(latency.differences),
            Blob(octets: latency.sketch.encoded()),
        ]
    }

    static func checksum(of tally: RollupTally, at place: RollupPlace) -> Int64 {
        var checksum = Checksum()
        checksum.add(values(of: tally) + [place.hour, place.key])
        return checksum.value
    }

    /// Reads ``columns``; throws where they are no tally.
    static func tally(_ row: BoundStatement) throws -> RollupTally {
        var tally = RollupTally()
        let outcomes: [Outcome] = [
            .answered, .timeout, .unreachable, .malformed, .filtered, .offline, .blocked,
        ]
        for (index, outcome) in outcomes.enumerated() {
            let times = try count(row.integer(Int32(index)))
            if times > 0 { tally.counts.count(outcome, responseCode: nil, times: times) }
        }
        for (code, times) in try failures(row.optionalText(7)) {
            tally.counts.count(.failed, responseCode: code, times: times)
        }
        tally.latency.minimum = try row.optionalDouble(8)
        tally.latency.maximum = try row.optionalDouble(9)
        tally.latency.sum = try row.double(10)
        tally.latency.sumOfSquares = try row.double(11)
        tally.latency.differenceSum = try row.double(12)
        tally.latency.differences = try count(row.integer(13))
        tally.latency.sketch = try LatencySketch(decoding: row.blob(14))
        tally.latency.answered = tally.latency.sketch.count
        tally.latency.nonAnswers = tally.counts.lost
        return tally
    }

    /// Such as `REFUSED 2 SERVFAIL 1`; `nil` without any.
    private static func text(of codes: [String: Int]) -> String? {
        guard !codes.isEmpty else { return nil }
        return codes.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
            .joined(separator: " ")
    }

    private static func failures(_ text: String?) throws -> [(ResponseCode?, Int)] {
        guard let text else { return [] }
        let words = text.split(separator: " ")
        guard words.count % 2 == 0 else { throw RollupError(reason: "its failures are none") }
        return try stride(from: 0, to: words.count, by: 2).map { index in
            guard let times = Int64(words[index + 1]) else {
                throw RollupError(reason: "its failures are none")
            }
            return (ResponseCode(mnemonic: String(words[index])), try count(times))
        }
    }

    /// More queries than can be asked in an hour, which is what a row adds up; sums of as many
    /// rows as a file can have fit.
    static let most: Int64 = 1 << 32

    static func count(_ number: Int64) throws -> Int {
        guard (0...most).contains(number) else { throw RollupError(reason: "a count is none") }
        return Int(number)
    }
}

struct RollupReader {
    /// Rollups without their figures; none where it is not wanted.
    private let keys: [Int64: HourlySum]
    private let rows: BoundStatement
    private let database: Database

    init(_ window: Store.Window, _ database: Database) throws {
        self.database = database
        keys = try Self.keys(window, database)
        rows = try BoundStatement(
            database,
            """
            SELECT \(RollupTable.columns), hour, key FROM rollup
            WHERE hour >= ? AND hour < ? ORDER BY hour, key
            """
        )
    }

    /// Hands the rollups of some hours, counted from 1970, to `body`, in their order.
    func read(_ hours: Range<Int64>, _ body: (HourlySum) throws -> Void) throws {
        var connections = try ConnectionTable.Cursor(database, hours)
        try rows.forEachRow([hours.lowerBound, hours.upperBound]) { row in
            let place = RollupPlace(hour: try row.integer(15), key: try row.integer(16))
            guard var rollup = keys[place.key] else { return }
            rollup.hour = Timestamp(hourNumber: place.hour)
            var tally = try RollupTable.tally(row)
            tally.connections = try connections.tally(at: place).tally
            try body(rollup.with(tally))
        }
    }

    static func keys(
        _ window: Store.Window,
        _ database: Database
    ) throws -> [Int64: HourlySum] {
        var keys: [Int64: HourlySum] = [:]
        try database.forEachRow(
            """
            SELECT rollup_key.id, label, transport, address, series, vantage.name, type, timeout,
                origin
            FROM rollup_key JOIN vantage ON vantage.id = vantage JOIN target ON target.id = target
                JOIN endpoint ON endpoint.id = endpoint
            """
        ) { row in
            let origin = try row.integer(8)
            let target = try Recording.Target(row, from: 1)
            guard window.contains(origin: origin), window.contains(label: target.label) else {
                return
            }
            keys[try row.integer(0)] = HourlySum(
                vantage: try row.name(5),
                target: target,
                type: try RecordType(row, 6),
                timeout: .nanoseconds(try row.integer(7)),
                origin: Run.Origin(rawValue: UInt8(truncatingIfNeeded: origin)) ?? .imported,
                hour: Timestamp(nanoseconds: 0)
            )
        }
        return keys
    }
}

/// A stored probe, as far as it tells which rollup its samples belong to.
struct ProbeFacts {
    let target: Int64
    let type: UInt16
    let series: Series

    /// The query whose rows ``init(_:)`` reads; the probe's number comes last.
    static let selection = """
        SELECT target, type, series, probe.id FROM probe
            JOIN question ON question.id = question JOIN target ON target.id = target
        """

    init(_ row: BoundStatement) throws(DatabaseError) {
        target = try row.integer(0)
        type = try RecordType(row, 1).rawValue
        series = try Series(row, 2)
    }
}

/// Which rollup a sample belongs to.
struct RollupSources {
    private var keys: [RollupKey: Int64] = [:]
    private let names: [Int64: HourlySum]
    private var probes: [Int64: ProbeFacts] = [:]

    init(_ database: Database) throws {
        names = try RollupReader.keys(Store.Window(), database)
        try database.forEachRow(
            "SELECT id, vantage, target, type, timeout, origin FROM rollup_key"
        ) { row in
            let key = RollupKey(
                vantage: try row.integer(1),
                target: try row.integer(2),
                type: try RecordType(row, 3).rawValue,
                timeout: try row.integer(4),
                origin: UInt8(truncatingIfNeeded: try row.integer(5))
            )
            keys[key] = try row.integer(0)
        }
        try database.forEachRow(ProbeFacts.selection) { row in
            probes[try row.integer(3)] = try ProbeFacts(row)
        }
    }

    /// Where a sample is added up, and how its time counts.
    func key(of probe: Int64, in run: RunRow) -> (key: Int64, series: Series)? {
        guard let facts = probes[probe] else { return nil }
        let key = keys[
            RollupKey(
                vantage: run.vantage,
                target: facts.target,
                type: facts.type,
                timeout: run.run.timeout.nanoseconds,
                origin: run.run.origin.rawValue
            )
        ]
        return key.map { ($0, facts.series) }
    }

    /// Such as `home, A, from here at 2026-11-21T03:00:00.000000Z`.
    func name(of place: RollupPlace) -> String {
        let name = names[place.key].map { "\($0.target.label), \($0.type), from \($0.vantage)" }
        return "\(name ?? "an unknown resolver") at \(Timestamp(hourNumber: place.hour))"
    }
}

struct RollupError: Error, CustomStringConvertible {
    var reason: String
    var description: String { "a rollup is damaged: \(reason)" }
}
