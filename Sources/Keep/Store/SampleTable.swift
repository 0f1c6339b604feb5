import CSQLite
import DNSWire
import SQLite
import Samples

/// Reads a round's samples in the order in which they were added.
final class SampleCursor {
    struct Row {
        /// The position of the sample in the round, from 0.
        var position: Int64
        var probe: Int64
        var scheduled: Timestamp
        var observation: Observation

        /// The time at which the sample left or was due.
        var time: Timestamp { observation.sent ?? scheduled }
    }

    private let rows: SampleRows
    private let tellsAnswers: Bool
    private var texts: [Int64: String] = [:]
    private let database: Database

    /// Creates a cursor over samples. `tellsAnswers` includes TTL, number and size of the answers.
    init(_ database: Database, tellsAnswers: Bool = true) throws {
        self.database = database
        self.tellsAnswers = tellsAnswers
        let columns = Observation.columns.dropLast(tellsAnswers ? 0 : Observation.columnsOfAnswer)
        rows = try SampleRows(database, Array(columns))
    }

    /// Passes each sample of a round to `body`, except those of the `skipped` probes.
    func read(
        _ round: RoundRow,
        skipping skipped: Set<Int64> = [],
        _ body: (Row) throws -> Void
    ) throws {
        try rows.forEach(of: round.id) { row, detail in
            guard try skipped.isEmpty || !skipped.contains(row.integer(1)) else { return }
            var sample = try sample(row, base: round.base)
            if let detail { sample.observation.extras = try extras(detail) }
            try body(sample)
        }
    }

    private func sample(_ row: Statement, base: Int64) throws -> Row {
        guard var observation = Observation(packed: try row.integer(6)) else {
            throw DatabaseError(SQLITE_CORRUPT, "a sample has no state")
        }
        let scheduled = try row.integer(2) &+ base
        let delay = try row.optionalInteger(3)
        observation.sent = delay.map { Timestamp(nanoseconds: scheduled &+ $0) }
        observation.lateness = try (delay ?? 0) &+ (row.optionalInteger(4) ?? 0)
        observation.roundTrip = try row.optionalInteger(5)
        if tellsAnswers {
            observation.ttl = try row.optionalInteger(7).flatMap { UInt32(exactly: $0) }
            observation.answers = try row.optionalInteger(8).flatMap { UInt16(exactly: $0) }
            observation.size = try row.optionalInteger(9).flatMap { UInt32(exactly: $0) }
        }
        return Row(
            position: try row.integer(0),
            probe: try row.integer(1),
            scheduled: Timestamp(nanoseconds: scheduled),
            observation: observation
        )
    }

    private func extras(_ details: Statement) throws -> Observation.Extras {
        let state = try details.optionalInteger(6) ?? Observation.Extras.noUse
        return Observation.Extras(
            connect: try details.optionalInteger(1),
            handshake: try details.optionalInteger(2),
            udp: try details.optionalInteger(3),
            edge: try details.optionalInteger(9),
            site: try text(details.optionalInteger(4)),
            extendedErrors: try text(details.optionalInteger(5)),
            connection: ConnectionUse(rawValue: UInt8(state & 7)),
            detail: try text(details.optionalInteger(7)).map(Detail.init(_:)),
            cause: try text(details.optionalInteger(13)).flatMap(FailureCause.init(_:)),
            flags: SampleFlags(rawValue: UInt16(truncatingIfNeeded: state >> 3)),
            networkRTT: try details.optionalInteger(8),
            warmup: WarmupTally(
                hits: try details.optionalInteger(10).flatMap { UInt32(exactly: $0) },
                misses: try details.optionalInteger(11).flatMap { UInt32(exactly: $0) },
                missTime: try details.optionalInteger(12)
            ),
            packets: PacketCount(
                bytesOut: try details.optionalInteger(14).flatMap { UInt32(exactly: $0) },
                bytesIn: try details.optionalInteger(15).flatMap { UInt32(exactly: $0) },
                packets: try details.optionalInteger(16).flatMap { UInt32(exactly: $0) }
            )
        )
    }

    private func text(_ id: Int64?) throws -> String? {
        guard let id else { return nil }
        if let text = texts[id] { return text }
        if texts.count >= 100_000 { texts.removeAll() }
        texts[id] = try database.first("SELECT value FROM text WHERE id = ?", [id]) {
            try $0.text(0)
        }
        return texts[id]
    }
}

/// The rows of rounds in the tables `sample` and `detail`. The position precedes the other columns.
struct SampleRows {
    private let samples: Statement
    private let details: Statement

    init(_ database: Database, _ columns: [String] = Observation.columns) throws {
        func rows(_ columns: [String], of table: String) throws -> Statement {
            let names = (["position"] + columns).joined(separator: ", ")
            let rest = "FROM \(table) WHERE round = ? ORDER BY position"
            return try Statement(database, "SELECT \(names) \(rest)")
        }
        // Most rounds have no details, so that a join would cost time for each of their samples.
        samples = try rows(columns, of: "sample")
        details = try rows(Observation.Extras.columns, of: "detail")
    }

    /// Passes each sample of a round to `body`, with its detail if it has one.
    func forEach(
        of round: Int64,
        _ body: (_ sample: Statement, _ detail: Statement?) throws -> Void
    ) throws {
        details.bind([round])
        defer { details.reset() }
        var hasDetail = try details.step()
        try samples.forEachRow([round]) { row in
            let isDetailed = try hasDetail && details.integer(0) == row.integer(0)
            try body(row, isDetailed ? details : nil)
            if isDetailed { hasDetail = try details.step() }
        }
    }
}

/// Adds rows to the tables `sample` and `detail`.
struct SampleInsertion {
    private let addSample: Statement
    private let addDetail: Statement

    init(_ database: Database) throws {
        func statement(_ columns: [String], _ table: String) throws -> Statement {
            let all = ["round", "position"] + columns
            return try Statement(database, Database.insertion(of: all, into: table))
        }
        addSample = try statement(Observation.columns, "sample")
        addDetail = try statement(Observation.Extras.columns, "detail")
    }

    func add(_ row: RoundCodec.Row, at position: Int64, of round: Int64) throws {
        try addSample.run(integers: [round, position] + row.sample)
        if let detail = row.detail { try addDetail.run(integers: [round, position] + detail) }
    }
}

/// A sample as a row of the table `sample`, except its round and position.
extension Observation {
    static let columns = [
        "probe", "scheduled", "sent", "skew", "round_trip", "state", "ttl", "answers", "size",
    ]
    /// The number of columns, at the end, that describe the answer.
    static let columnsOfAnswer = 3

    /// The values of ``columns``. Times count from `base`.
    func values(_ probe: Int64, _ scheduled: Timestamp, from base: Int64) -> [Int64?] {
        let delay = sent.map { $0.nanoseconds &- scheduled.nanoseconds }
        let skew = lateness &- (delay ?? 0)
        return [
            probe, scheduled.nanoseconds &- base, delay, skew == 0 ? nil : skew, roundTrip, packed,
            ttl.map(Int64.init), answers.map(Int64.init), size.map(Int64.init),
        ]
    }
}

/// The extras as a row of the table `detail`, except the round and position.
extension Observation.Extras {
    static let columns = [
        "connect", "handshake", "udp", "site", "extended_errors", "connection", "words",
        "network_rtt", "edge", "hits", "misses", "miss_time", "cause",
        "wire_out", "wire_in", "wire_packets",
    ]

    /// The values of ``columns``. `number` returns the number of a text.
    func values(_ number: (String?) throws -> Int64?) rethrows -> [Int64?] {
        [
            connect, handshake, udp, try number(site), try number(extendedErrors), packed,
            try number(detail?.description), networkRTT, edge, warmup.map { Int64($0.hits) },
            warmup.map { Int64($0.misses) }, warmup?.missTime, try number(cause?.description),
            packets.map { Int64($0.bytesOut) }, packets.map { Int64($0.bytesIn) },
            packets.map { Int64($0.packets) },
        ]
    }
}

/// A sample's values from small sets, packed into one integer. In each set, 0 is the most frequent value.
extension Observation {
    /// Unpacks the value of ``packed``; `nil` for any other number.
    init?(packed: Int64) {
        let cacheNumber = packed >> 5 & 3
        let code = packed >> 7 & 0x1_ffff
        guard packed >= 0, packed >> 25 == 0,
            let outcome = Outcome(rawValue: UInt8(packed & 7 | (packed >> 24) << 3)),
            cacheNumber < 3, code <= 0x1_0001
        else { return nil }
        self.init(outcome: outcome, clock: ClockSource(rawValue: UInt8(packed >> 3 & 3)))
        if cacheNumber > 0 { cache = CacheState(rawValue: UInt8(cacheNumber - 1)) }
        switch code {
        case 0: responseCode = usualCode
        case 1: responseCode = nil
        case let code: responseCode = ResponseCode(rawValue: UInt16(code - 2))
        }
    }

    var packed: Int64 {
        let cacheNumber = cache.map { Int64($0.rawValue) + 1 } ?? 0
        let code =
            responseCode == usualCode ? 0 : responseCode.map { Int64($0.rawValue) + 2 } ?? 1
        let clockNumber = Int64(clock?.rawValue ?? 3)
        return Int64(outcome.rawValue & 7) | clockNumber << 3 | cacheNumber << 5 | code << 7
            | Int64(outcome.rawValue >> 3) << 24
    }

    /// The number of the outcome in SQL. `state` is ``packed``. Its lowest three bits are the first bits of
    /// the outcome. The fourth bit is above all others, because there were eight outcomes at first.
    package static let outcomeInState = "((state & 7) | (state >> 24 << 3))"
    /// The number of the response code in SQL, as in ``packed``.
    package static let codeInState = "(state >> 7 & 131071)"

    /// The response code that the outcome implies.
    private var usualCode: ResponseCode? { outcome == .answered ? .noError : nil }
}

/// The use of a sample's connection and the sample's flags, packed into one integer.
extension Observation.Extras {
    /// The packed value; `nil` if there are neither a use nor flags.
    var packed: Int64? {
        guard connection != nil || !flags.isEmpty else { return nil }
        return (connection.map { Int64($0.rawValue) } ?? Self.noUse) | flags.packed
    }

    /// The value for no use of a connection.
    package static let noUse: Int64 = 4
}

extension SampleFlags {
    /// The flags as part of ``Observation/Extras/packed``.
    var packed: Int64 { Int64(rawValue) << 3 }
}
