import Failures
import Samples
package import Store

/// Copies what a store has and a central one lacks, each round exactly once.
///
/// How far a source has come is kept at the centre and moves in the transaction that brings the rounds,
/// so that whatever breaks, and whenever, a round is there once or not yet. Sums come once all rounds
/// are there, of every hour that rounds reached into since the sums came last. A round that was there
/// when samples were added to it comes once more, beside what came before.
package struct Shipper {
    /// A transaction takes no more samples than this and one round.
    private static let samplesAtOnce = 50_000
    private static let hoursAtOnce: Int64 = 24 * 30

    package struct Result: Hashable, Sendable {
        package var rounds = 0
        package var samples = 0
    }

    private let store: Store
    private let central: CentralConnection
    private let source: Int64
    private let numbered: [StoredTable]
    private let hourly: [StoredTable]
    private let summed: [StoredTable]
    private let round: StoredTable
    /// The time that the clock here is ahead of the server's, in milliseconds.
    private let skew: Int64?

    /// Shipper of a store as the source that the connection's role is that of; `now` is the clock
    /// here, in milliseconds since 1970.
    package init(
        _ store: Store,
        to central: CentralConnection,
        now: () -> Int64
    ) throws {
        self.store = store
        self.central = central
        (numbered, hourly, summed, round) = try (
            CentralSchema.numbered, CentralSchema.hourly, CentralSchema.summed, CentralSchema.round
        )
        let sent = now()
        let found = try central.query(
            """
            SELECT (SELECT max(version) FROM dnstempo.version)::int8, session_user::text,
                (extract(epoch FROM clock_timestamp()) * 1000)::int8,
                (SELECT id FROM dnstempo.source WHERE session_user ~ ('^dnstempo_(.*_)?' || id || '$'))
            """
        )
        skew = found.integer(0, 2).flatMap { theirs in
            let (skew, isNone) = ((sent + now()) / 2).subtractingReportingOverflow(theirs)
            return isNone ? nil : skew
        }
        guard let version = found.integer(0, 0) else { throw CentralError.strange(central.place) }
        guard version >= CentralSchema.version else {
            throw CentralError(
                .badData,
                "the central store at \(central.place) is of version \(version), and this store of "
                    + "\(CentralSchema.version): have its owner run dnstempo store init with this dnstempo"
            )
        }
        guard let number = found.integer(0, 3) else {
            throw CentralError(
                .configuration,
                "the role '\(found.text(0, 1) ?? "")' is of no place: ship as the role that dnstempo "
                    + "store enrol names"
            )
        }
        source = number
    }

    /// Ships all that is there.
    package func ship() throws -> Result {
        var (result, sent, reached) = (Result(), StoredReferences(), Reached())
        var isMore = true
        while isMore {
            isMore = try central.transaction { try shipNext(&result, &sent, &reached) }
        }
        return result
    }

    /// How far the centre must have come after the transaction before. Rounds that it says to lack again
    /// would be sent for ever.
    private struct Reached {
        var round: Int64 = 0
        var `extension`: Int64 = 0
    }

    /// Ships one transaction's rounds, and the sums once there are no more; `false` where nothing is
    /// left. Of the numbered rows those in `sent` are the same at the centre.
    private func shipNext(
        _ result: inout Result,
        _ sent: inout StoredReferences,
        _ reached: inout Reached
    ) throws -> Bool {
        let cursor = try cursor()
        let `extension` = cursor.extension?.number ?? 0
        guard cursor.round >= reached.round, `extension` >= reached.extension else {
            throw CentralError(
                .badData,
                "the central store at \(central.place) lacks what it has just taken: have its owner run "
                    + "dnstempo store check there"
            )
        }
        let part = try store.snapshot(throwing: CentralError.self) { snapshot in
            let part = try self.part(cursor, snapshot)
            try send(part, snapshot, &sent)
            return part
        }
        let rounds = part.rounds
        let last = part.isExtension ? nil : rounds.last
        guard !rounds.rows.isEmpty || cursor.sumsFrom != nil else { return false }
        try central.query(
            """
            UPDATE dnstempo.shipped SET identity = $2, round = coalesce($3, round),
                run = coalesce($4, run), number = coalesce($5, number), sums_from = $6,
                skew_ms = $7, rounds = rounds + $8, longest = greatest(longest, $9),
                first = least(first, $10), last = greatest(last, $11),
                pruned = greatest(pruned, $12), at = now()
            WHERE source = $1
            """,
            [
                .integer(source), .octets(part.identity), .integer(last?.id),
                .text(last?.run), .integer(last?.number),
                .integer(part.isLast ? nil : part.sumsFrom), .integer(skew),
                .integer(part.isExtension ? 0 : Int64(rounds.rows.count)), .integer(rounds.longest),
                .integer(rounds.span?.lowerBound.nanoseconds),
                .integer(rounds.span?.upperBound.nanoseconds),
                .integer(rounds.lastPruned?.nanoseconds),
            ]
        )
        if !part.isExtension { result.rounds += rounds.rows.count }
        reached = Reached(
            round: last?.id ?? cursor.round,
            extension: part.isExtension ? `extension` + 1 : `extension`
        )
        result.samples += rounds.sampleCount
        return !part.isLast
    }

    /// Sends rounds with what they refer to, and after the last of them the sums.
    private func send(
        _ part: Part,
        _ snapshot: StoreSnapshot,
        _ sent: inout StoredReferences
    ) throws {
        let names = ShippedNames(store: store, central: central, source: source, tables: numbered)
        if !part.rounds.rows.isEmpty || part.sumsFrom != nil {
            try names.check(snapshot, &sent)
        }
        try names.send(part.rounds.references, snapshot, &sent)
        try add(part.rounds.rows, to: round)
        guard part.isLast else { return }
        try sendSums(from: part.sumsFrom, snapshot) { rows, table in
            var references = StoredReferences()
            references.add(rows, of: table)
            try names.send(references, snapshot, &sent)
            try add(rows, to: table)
        }
    }

    /// The content of one transaction, but for the sums.
    private struct Part {
        var identity: [UInt8]
        var rounds: StoredRounds
        /// Whether the rounds are there already, with fewer samples.
        var isExtension: Bool
        var isLast: Bool
        /// The first hour whose sums the centre lacks.
        var sumsFrom: Int64?
    }

    private func part(_ cursor: Cursor, _ snapshot: StoreSnapshot) throws -> Part {
        try check(cursor, snapshot)
        let extended = try snapshot.rounds(
            upTo: cursor.round,
            extendedAfter: cursor.extension?.number ?? 0,
            samples: Self.samplesAtOnce
        )
        // Before new rounds, so that all extensions up to the last one that is there are there.
        let isExtension = !extended.rows.isEmpty
        let rounds =
            isExtension
            ? extended : try snapshot.rounds(above: cursor.round, samples: Self.samplesAtOnce)
        return Part(
            identity: try snapshot.identity,
            rounds: rounds,
            isExtension: isExtension,
            isLast: !isExtension && rounds.sampleCount < Self.samplesAtOnce,
            sumsFrom: [cursor.sumsFrom, rounds.firstHour].compactMap(\.self).min()
        )
    }

    private struct Cursor {
        var identity: [UInt8]?
        var round: Int64
        var run: String?
        var number: Int64?
        var sumsFrom: Int64?
        /// The last extension that is there.
        var `extension`: StoredExtension?
    }

    /// A second shipper of the same source waits for the first, and then finds nothing.
    private func cursor() throws -> Cursor {
        let found = try central.query(
            """
            SELECT identity, shipped.round, run, shipped.number, sums_from,
                latest.id, extended, samples, checksum
            FROM dnstempo.shipped LEFT JOIN LATERAL (
                SELECT id, extended, samples, checksum FROM dnstempo.round
                WHERE round.source = $1 AND extended > 0 ORDER BY extended DESC LIMIT 1
            ) AS latest ON true WHERE shipped.source = $1 FOR UPDATE OF shipped
            """,
            [.integer(source)]
        )
        guard found.count == 1, let round = found.integer(0, 1) else {
            throw CentralError(
                .configuration,
                "the place \(source) is not enrolled at \(central.place): run dnstempo store enrol there"
            )
        }
        var cursor = Cursor(
            identity: found.octets(0, 0),
            round: round,
            run: found.text(0, 2),
            number: found.integer(0, 3),
            sumsFrom: found.integer(0, 4)
        )
        if let id = found.integer(0, 5), let number = found.integer(0, 6),
            let samples = found.integer(0, 7), let checksum = found.integer(0, 8)
        {
            cursor.extension = StoredExtension(
                round: id,
                number: number,
                samples: samples,
                checksum: checksum
            )
        }
        return cursor
    }

    private func check(_ cursor: Cursor, _ snapshot: StoreSnapshot) throws {
        guard let identity = cursor.identity else { return }
        guard try identity == snapshot.identity else {
            throw CentralError(
                .badData,
                "another store than '\(store.path)' ships as place \(source): have this one enrolled "
                    + "by itself (dnstempo store enrol)"
            )
        }
        guard cursor.round > 0 else { return }
        let own = try snapshot.round(cursor.round)
        let shipped = "round \(cursor.number ?? 0) of run \(cursor.run ?? "")"
        guard own?.run == cursor.run, own?.number == cursor.number else {
            throw CentralError.restored(store, before: shipped)
        }
        guard let last = cursor.extension, try !snapshot.has(last) else { return }
        throw CentralError.restored(store, before: "what was added to its round \(last.round)")
    }

    /// Sends the sums from an hour on, each part as it is made: all of them may not fit into memory,
    /// and a server does not wait long for the next statement.
    private func sendSums(
        from first: Int64?,
        _ snapshot: StoreSnapshot,
        add: ([StoredRow], StoredTable) throws -> Void
    ) throws {
        // A store may have been written by another program.
        let known = StoreLimits.hours
        guard let first = first.map({ max($0, known.lowerBound) }),
            let last = try snapshot.lastHour.map({ min($0, known.upperBound) }), first <= last
        else { return }
        // A clock that was decades off leaves as long without anything.
        func parts(from hour: Int64, by span: SumSpan = .day) throws -> [Range<Int64>] {
            try Self.parts(of: first...last, from: hour, by: span).filter(snapshot.hasSums)
        }
        // Causes are established days after their hour; traces are few too.
        for table in hourly where table.key.first != "hour" {
            try add(snapshot.rows(of: table), table)
        }
        for hours in try parts(from: first) {
            for table in summed { try add(snapshot.rows(of: table, hours: hours), table) }
        }
        let day = SumSpan.day.start(of: first)
        for hours in Self.parts(of: first...last, from: day, by: .day) {
            try add(snapshot.days(hours), StoredDay.table)
        }
        for span in SumSpan.allCases {
            for hours in try parts(from: span.start(of: first), by: span) {
                for table in summed {
                    let sums = try snapshot.sums(table, by: span, hours)
                    try add(sums, CentralSchema.table(table, of: span))
                }
            }
        }
    }

    /// Ranges that are each of few enough hours to be in memory.
    private static func parts(
        of hours: ClosedRange<Int64>,
        from first: Int64,
        by span: SumSpan
    ) -> [Range<Int64>] {
        var parts: [Range<Int64>] = []
        var hour = first
        while hour <= hours.upperBound {
            let next = span == .month ? span.end(of: hour) : hour + hoursAtOnce
            parts.append(hour..<min(next, hours.upperBound + 1))
            hour = next
        }
        return parts
    }

    /// Adds rows. Rows of hours, which later rounds change, replace those of their key; of moments all
    /// rows come each time. No round comes twice.
    private func add(_ rows: [StoredRow], to table: StoredTable) throws {
        guard !rows.isEmpty else { return }
        let names = table.columnNames
        let key = (["source"] + table.key.map { "\"\($0)\"" }).joined(separator: ", ")
        let others = names.filter { name in !table.key.contains { "\"\($0)\"" == name } }
        let own = others.map { "\(table.place).\($0)" }.joined(separator: ", ")
        let new = others.map { "excluded.\($0)" }.joined(separator: ", ")
        let conflict =
            CentralSchema.isChanged(table)
            ? "ON CONFLICT (\(key)) DO UPDATE SET (\(others.joined(separator: ", "))) = ROW(\(new)) "
                + "WHERE (\(own)) IS DISTINCT FROM (\(new))"
            : table.name == round.name ? "" : "ON CONFLICT DO NOTHING"
        try central.query(
            """
            INSERT INTO \(table.place) (source, \(names.joined(separator: ", ")))
            SELECT $1, * FROM \(table.lists) \(conflict)
            """,
            [.integer(source)] + CentralValue.lists(rows, of: table)
        )
    }
}
