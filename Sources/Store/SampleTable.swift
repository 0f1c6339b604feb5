import DNSWire
import GRDB
import Samples

/// The rows of samples, and of what only some have.
struct SampleTable {
    private let insert: BoundStatement
    private let insertDetail: BoundStatement

    init(_ database: Database) throws {
        insert = try BoundStatement(
            database,
            """
            INSERT INTO sample (round, position, probe, scheduled, sent, skew, round_trip, state,
                ttl, answers, size)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """
        )
        insertDetail = try BoundStatement(
            database,
            """
            INSERT INTO detail (round, position, connect, handshake, udp, site, extended_errors,
                connection, words)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            """
        )
    }

    /// Adds a sample of a round whose times count from `base`.
    func add(
        _ sample: Sample,
        probe: Int64,
        round: Int64,
        position: Int64,
        base: Int64,
        _ registry: inout Registry,
        _ database: Database
    ) throws {
        let observation = sample.observation
        let delay = observation.sent.map { $0.nanoseconds &- sample.scheduled.nanoseconds }
        insert.bind(round, at: 1)
        insert.bind(position, at: 2)
        insert.bind(probe, at: 3)
        insert.bind(sample.scheduled.nanoseconds &- base, at: 4)
        insert.bind(delay, at: 5)
        let skew = observation.lateness &- (delay ?? 0)
        insert.bind(skew == 0 ? nil : skew, at: 6)
        insert.bind(observation.roundTrip, at: 7)
        insert.bind(SampleState(observation).packed, at: 8)
        insert.bind(observation.ttl.map(Int64.init), at: 9)
        insert.bind(observation.answers.map(Int64.init), at: 10)
        insert.bind(observation.size.map(Int64.init), at: 11)
        try insert.run()
        guard let extras = observation.extras else { return }
        insertDetail.bind(round, at: 1)
        insertDetail.bind(position, at: 2)
        insertDetail.bind(extras.connect, at: 3)
        insertDetail.bind(extras.handshake, at: 4)
        insertDetail.bind(extras.udp, at: 5)
        insertDetail.bind(try registry.text(extras.site, database), at: 6)
        insertDetail.bind(try registry.text(extras.extendedErrors, database), at: 7)
        insertDetail.bind(ConnectionState(extras).packed, at: 8)
        insertDetail.bind(try registry.text(extras.detail, database), at: 9)
        try insertDetail.run()
    }
}

/// Reads a round's samples in the order in which they were added.
struct SampleCursor {
    /// A sample as the store refers to it.
    struct Row {
        var position: Int64
        var probe: Int64
        var scheduled: Timestamp
        var observation: Observation

        /// When it left, or should have.
        var time: Timestamp { observation.sent ?? scheduled }
    }

    private let rows: BoundStatement
    private let details: BoundStatement
    private var texts: [Int64: String] = [:]
    private let database: Database

    init(_ database: Database) throws {
        self.database = database
        // The details of most rounds are none, so that a join would cost each of their samples.
        rows = try BoundStatement(
            database,
            """
            SELECT position, probe, scheduled, sent, skew, round_trip, state, ttl, answers, size
            FROM sample WHERE round = ? ORDER BY position
            """
        )
        details = try BoundStatement(
            database,
            """
            SELECT position, connect, handshake, udp, site, extended_errors, connection, words
            FROM detail WHERE round = ? ORDER BY position
            """
        )
    }

    /// Hands each sample of a round, whose times count from `base`, to `body`, but for those of the
    /// `skipped` probes.
    mutating func read(
        round: Int64,
        base: Int64,
        skipping skipped: Set<Int64> = [],
        _ body: (Row) throws -> Void
    ) throws {
        rows.bind(round, at: 1)
        details.bind(round, at: 1)
        defer {
            rows.reset()
            details.reset()
        }
        var hasDetail = try details.step()
        while try rows.step() {
            let isDetailed = try hasDetail && details.integer(0) == rows.integer(0)
            if try skipped.isEmpty || !skipped.contains(rows.integer(1)) {
                var row = try Self.row(rows, base: base)
                if isDetailed { row.observation.extras = try extras() }
                try body(row)
            }
            if isDetailed { hasDetail = try details.step() }
        }
    }

    private static func row(_ row: BoundStatement, base: Int64) throws -> Row {
        guard let state = SampleState(packed: try row.integer(6)) else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "a sample has no state")
        }
        var observation = Observation(outcome: state.outcome, clock: state.clock)
        observation.cache = state.cache
        observation.responseCode = state.responseCode
        let scheduled = try row.integer(2) &+ base
        let delay = try row.optionalInteger(3)
        observation.sent = delay.map { Timestamp(nanoseconds: scheduled &+ $0) }
        observation.lateness = try (delay ?? 0) &+ (row.optionalInteger(4) ?? 0)
        observation.roundTrip = try row.optionalInteger(5)
        observation.ttl = try row.optionalInteger(7).flatMap { UInt32(exactly: $0) }
        observation.answers = try row.optionalInteger(8).flatMap { UInt16(exactly: $0) }
        observation.size = try row.optionalInteger(9).flatMap { UInt32(exactly: $0) }
        return Row(
            position: try row.integer(0),
            probe: try row.integer(1),
            scheduled: Timestamp(nanoseconds: scheduled),
            observation: observation
        )
    }

    private mutating func extras() throws -> Observation.Extras {
        let state = ConnectionState(packed: try details.optionalInteger(6))
        return Observation.Extras(
            connect: try details.optionalInteger(1),
            handshake: try details.optionalInteger(2),
            udp: try details.optionalInteger(3),
            site: try text(details.optionalInteger(4)),
            extendedErrors: try text(details.optionalInteger(5)),
            connection: state.use,
            detail: try text(details.optionalInteger(7)),
            flags: state.flags
        )
    }

    private mutating func text(_ id: Int64?) throws -> String? {
        guard let id else { return nil }
        if let text = texts[id] { return text }
        if texts.count >= 100_000 { texts.removeAll() }
        let find = try BoundStatement(database, "SELECT value FROM text WHERE id = ?")
        find.bind(id, at: 1)
        defer { find.reset() }
        let text = try find.step() ? find.text(0) : nil
        texts[id] = text
        return text
    }
}
