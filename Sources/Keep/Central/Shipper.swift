import Failures
import Samples
package import Store

/// Copies the rows of a store that a central store lacks, each round exactly once.
///
/// The central store keeps the progress of a source. The progress changes in the transaction that adds the
/// rounds. After a failure at any time, a round is therefore stored once or not yet. Sums follow after all
/// rounds, for every hour that rounds reached since the last sums. A round to which samples were added later
/// is shipped again, and is stored next to its earlier version.
package struct Shipper {
    /// The maximum number of samples in a transaction, plus those of one round.
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
    /// The time by which this machine's clock is ahead of the server's clock, in milliseconds; `nil` if it is
    /// unknown.
    private let skew: Int64?

    /// Creates a shipper of a store, as the source of the connection's role. `now` returns the time of this
    /// machine's clock, in milliseconds since 1970.
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

    /// Ships everything that the central store lacks.
    package func ship() throws -> Result {
        var (result, sent, reached) = (Result(), StoredReferences(), Reached())
        var isMore = true
        while isMore {
            isMore = try central.transaction { try shipNext(&result, &sent, &reached) }
        }
        return result
    }

    /// The progress that the central store must have after the previous transaction. Without this check,
    /// rounds that the central store does not keep would be sent without end.
    private struct Reached {
        var round: Int64 = 0
        var `extension`: Int64 = 0
    }

    /// Ships the rounds of one transaction, and the sums if no more rounds remain. Returns `false` if nothing
    /// is left. The numbered rows in `sent` are equal at the central store.
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
        guard !rounds.rows.isEmpty || part.sumsFrom != nil else { return false }
        try central.query(
            """
            UPDATE dnstempo.shipped SET identity = $2, round = coalesce($3, round),
                run = coalesce($4, run), number = coalesce($5, number), sums_from = $6,
                skew_ms = $7, rounds = rounds + $8, longest = greatest(longest, $9),
                first = least(first, $10), last = greatest(last, $11),
                pruned = greatest(pruned, $12), at = now(), version = $13
            WHERE source = $1
            """,
            [
                .integer(source), .bytes(part.identity), .integer(last?.id),
                .text(last?.run), .integer(last?.number),
                .integer(part.isLast ? nil : part.sumsFrom), .integer(skew),
                .integer(part.isExtension ? 0 : Int64(rounds.rows.count)), .integer(rounds.longest),
                .integer(rounds.span?.lowerBound.nanoseconds),
                .integer(rounds.span?.upperBound.nanoseconds),
                .integer(rounds.lastPruned?.nanoseconds), .integer(Int64(CentralSchema.version)),
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

    /// Sends rounds with the rows to which they refer. After the last round, sends the sums.
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

    /// The content of one transaction, except the sums.
    private struct Part {
        var identity: [UInt8]
        var rounds: StoredRounds
        /// Whether the central store has the rounds already, with fewer samples.
        var isExtension: Bool
        var isLast: Bool
        /// The first hour whose sums the central store lacks.
        var sumsFrom: Int64?
    }

    private func part(_ cursor: Cursor, _ snapshot: StoreSnapshot) throws -> Part {
        try check(cursor, snapshot)
        let extended = try snapshot.rounds(
            upTo: cursor.round,
            extendedAfter: cursor.extension?.number ?? 0,
            samples: Self.samplesAtOnce
        )
        // Extensions precede new rounds, so that no extension is missing before the last one that was
        // shipped.
        let isExtension = !extended.rows.isEmpty
        let rounds =
            isExtension
            ? extended : try snapshot.rounds(above: cursor.round, samples: Self.samplesAtOnce)
        // The upgrade of a store may have added figures to sums that an older version has shipped.
        let isUpgraded = cursor.round > 0 && cursor.version ?? 0 < Int64(CentralSchema.version)
        let outdated = try isUpgraded ? snapshot.hours?.lowerBound : nil
        return Part(
            identity: try snapshot.identity,
            rounds: rounds,
            isExtension: isExtension,
            isLast: !isExtension && rounds.sampleCount < Self.samplesAtOnce,
            sumsFrom: [cursor.sumsFrom, rounds.firstHour, outdated].compactMap(\.self).min()
        )
    }

    private struct Cursor {
        var identity: [UInt8]?
        var round: Int64
        var run: String?
        var number: Int64?
        var sumsFrom: Int64?
        /// The version of the store that shipped last; `nil` before version 15.
        var version: Int64?
        /// The last extension that the central store has.
        var `extension`: StoredExtension?
    }

    /// The progress at the central store. Locks it: a second shipper of the source waits for the first, and
    /// then finds nothing.
    private func cursor() throws -> Cursor {
        let found = try central.query(
            """
            SELECT identity, shipped.round, run, shipped.number, sums_from,
                latest.id, extended, samples, checksum, version
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
            identity: found.bytes(0, 0),
            round: round,
            run: found.text(0, 2),
            number: found.integer(0, 3),
            sumsFrom: found.integer(0, 4),
            version: found.integer(0, 9)
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

    /// Sends the sums from an hour on, each part as soon as it is made. All sums may not fit into memory, and
    /// a server does not wait long for the next statement.
    private func sendSums(
        from first: Int64?,
        _ snapshot: StoreSnapshot,
        add: ([StoredRow], StoredTable) throws -> Void
    ) throws {
        // Another program may have written the store.
        let known = StoreLimits.hours
        guard let first = first.map({ max($0, known.lowerBound) }),
            let last = try snapshot.hours.map({ min($0.upperBound, known.upperBound) }),
            first <= last
        else { return }
        // A clock that was wrong by decades leaves a gap of decades without sums.
        func parts(from hour: Int64, by span: SumSpan = .day) throws -> [Range<Int64>] {
            try Self.parts(of: first...last, from: hour, by: span).filter(snapshot.hasSums)
        }
        // A cause is found days after its hour. Causes and traces are few, so that all are sent.
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

    /// Ranges of few enough hours to fit into memory.
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

    /// Adds rows. Rows of hours, which later rounds change, replace rows with the same key. Rows of moments
    /// are sent completely each time. A version of a round is sent only once.
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
