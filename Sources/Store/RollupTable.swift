import DNSWire
import GRDB
import Samples
import Statistics

/// Rollups that a transaction adds to, written once at its end.
struct RollupTable {
    private var tallies: [RollupPlace: RollupTally] = [:]

    /// Adds `tally` to a rollup.
    mutating func add(_ tally: RollupTally, to place: RollupPlace) {
        tallies[place, default: RollupTally()].merge(tally)
    }

    /// Adds a sample to a rollup, as ``RollupTally/add(_:in:after:)`` does.
    mutating func add(
        _ observation: Observation,
        in series: Series,
        after previous: Double?,
        to place: RollupPlace
    ) -> Double? {
        tallies[place, default: RollupTally()].add(observation, in: series, after: previous)
    }

    /// Adds a rollup of another store.
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
        add(
            RollupTally(
                counts: rollup.counts,
                latency: rollup.latency,
                connections: rollup.connections
            ),
            to: RollupPlace(
                hour: rollup.hour.hourNumber,
                key: try registry.rollupKey(key, database)
            )
        )
    }

    /// Adds everything to what is stored.
    func write(_ database: Database) throws {
        let find = try BoundStatement(database, Self.select)
        let put = try BoundStatement(database, Self.insert)
        let connections = try ConnectionTable(database)
        for (place, added) in tallies {
            find.bind(place.hour, at: 1)
            find.bind(place.key, at: 2)
            var tally = RollupTally()
            if try find.step() { tally = try Self.tally(find) }
            find.reset()
            tally.merge(added)
            try Self.put(tally, at: place, with: put)
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

    private static func put(
        _ tally: RollupTally,
        at place: RollupPlace,
        with statement: BoundStatement
    ) throws {
        let (counts, latency) = (tally.counts, tally.latency)
        for (index, number) in numbers(of: counts).enumerated() {
            statement.bind(number, at: Int32(index + 1))
        }
        statement.bind(text(of: counts.responseCodes), at: 8)
        statement.bind(latency.minimum, at: 9)
        statement.bind(latency.maximum, at: 10)
        statement.bind(latency.sum, at: 11)
        statement.bind(latency.sumOfSquares, at: 12)
        statement.bind(latency.differenceSum, at: 13)
        statement.bind(Int64(latency.differences), at: 14)
        statement.bind(blob: latency.sketch.encoded(), at: 15)
        statement.bind(checksum(of: tally, at: place), at: 16)
        statement.bind(place.hour, at: 17)
        statement.bind(place.key, at: 18)
        try statement.run()
    }

    /// Of everything in a row.
    static func checksum(of tally: RollupTally, at place: RollupPlace) -> Int64 {
        let latency = tally.latency
        var checksum = Checksum()
        for number in numbers(of: tally.counts) { checksum.add(number) }
        checksum.add(text(of: tally.counts.responseCodes))
        for number in [latency.minimum, latency.maximum] { checksum.add(number) }
        for number in [latency.sum, latency.sumOfSquares, latency.differenceSum] {
            checksum.add(number)
        }
        checksum.add(Int64(latency.differences))
        checksum.add(latency.sketch.encoded())
        checksum.add(place.hour)
        checksum.add(place.key)
        return checksum.value
    }

    private static func numbers(of counts: OutcomeCounts) -> [Int64] {
        [
            counts.answered, counts.timeouts, counts.unreachable, counts.malformed,
            counts.filtered, counts.offline, counts.blocked,
        ].map(Int64.init)
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

    /// A number of queries.
    static func count(_ number: Int64) throws -> Int {
        guard (0...most).contains(number) else { throw RollupError(reason: "a count is none") }
        return Int(number)
    }
}

/// Why a row of the store is no rollup.
struct RollupError: Error, CustomStringConvertible {
    var reason: String
    var description: String { "a rollup is damaged: \(reason)" }
}
