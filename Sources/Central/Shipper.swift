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
                (extract(epoch FROM clock_timestamp()) * 1000)::int8
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
        let role = found.text(0, 1) ?? ""
        guard let number = Int64(role.dropFirst("dnstempo_".count)), role.hasPrefix("dnstempo_")
        else {
            throw CentralError(
                .refused,
                "the role '\(role)' is of no place: ship as the role that dnstempo store enrol names"
            )
        }
        source = number
    }

    /// Ships all that is there.
    package func ship() throws -> Result {
        var result = Result()
        var isMore = true
        while isMore { isMore = try central.transaction { try shipNext(&result) } }
        return result
    }

    /// Ships one transaction's rounds, and the sums once there are no more; `false` where nothing is
    /// left.
    private func shipNext(_ result: inout Result) throws -> Bool {
        let cursor = try cursor()
        let part = try store.snapshot(throwing: CentralError.self) { snapshot in
            let part = try self.part(cursor, snapshot)
            try send(part, snapshot)
            return part
        }
        let rounds = part.rounds
        let last = part.isExtension ? nil : rounds.last
        guard rounds.count > 0 || cursor.sumsFrom != nil else { return false }
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
                .integer(part.isExtension ? 0 : Int64(rounds.count)), .integer(rounds.longest),
                .integer(rounds.span?.lowerBound.nanoseconds),
                .integer(rounds.span?.upperBound.nanoseconds),
                .integer(rounds.lastPruned?.nanoseconds),
            ]
        )
        if !part.isExtension { result.rounds += rounds.count }
        result.samples += rounds.sampleCount
        return !part.isLast
    }

    /// Sends rounds with what they refer to, and after the last of them the sums.
    private func send(_ part: Part, _ snapshot: StoreSnapshot) throws {
        for (table, rows) in zip(numbered, part.texts) { try add(rows, to: table) }
        try add(part.rounds.rows + [.blobs(part.rounds.samples)], to: round)
        if part.isLast { try sendSums(from: part.sumsFrom, snapshot) }
    }

    /// The content of one transaction, but for the sums.
    private struct Part {
        var identity: [UInt8]
        var rounds: StoredRounds
        /// Whether the rounds are there already, with fewer samples.
        var isExtension: Bool
        /// By the numbered tables.
        var texts: [[StoredValues]]
        var isLast: Bool
        /// The first hour whose sums the centre lacks.
        var sumsFrom: Int64?
    }

    private func part(_ cursor: Cursor, _ snapshot: StoreSnapshot) throws -> Part {
        try check(cursor, snapshot)
        let extended = try snapshot.rounds(
            upTo: cursor.round,
            extendedAfter: cursor.extended,
            samples: Self.samplesAtOnce
        )
        // Before new rounds, so that all extensions up to the last one that is there are there.
        let isExtension = extended.count > 0
        let rounds =
            isExtension
            ? extended : try snapshot.rounds(above: cursor.round, samples: Self.samplesAtOnce)
        return Part(
            identity: try snapshot.identity,
            rounds: rounds,
            isExtension: isExtension,
            texts: rounds.count > 0 ? try newTexts(snapshot) : [],
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
        /// The number of the last extension that is there.
        var extended: Int64
    }

    /// A second shipper of the same source waits for the first, and then finds nothing.
    private func cursor() throws -> Cursor {
        let found = try central.query(
            """
            SELECT identity, round, run, number, sums_from, (
                SELECT coalesce(max(extended), 0) FROM dnstempo.round
                WHERE source = $1 AND extended > 0
            ) FROM dnstempo.shipped WHERE source = $1 FOR UPDATE
            """,
            [.integer(source)]
        )
        guard found.count == 1, let round = found.integer(0, 1),
            let extended = found.integer(0, 5)
        else {
            throw CentralError(
                .refused,
                "the place \(source) is not enrolled at \(central.place): run dnstempo store enrol there"
            )
        }
        return Cursor(
            identity: found.octets(0, 0),
            round: round,
            run: found.text(0, 2),
            number: found.integer(0, 3),
            sumsFrom: found.integer(0, 4),
            extended: extended
        )
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
        guard own?.run == cursor.run, own?.number == cursor.number else {
            throw CentralError(
                .badData,
                "the store '\(store.path)' was put back to before it shipped round "
                    + "\(cursor.number ?? 0) of run \(cursor.run ?? ""): have it enrolled anew "
                    + "(dnstempo store enrol)"
            )
        }
    }

    /// The rows that rounds refer to, and that the centre lacks.
    private func newTexts(_ snapshot: StoreSnapshot) throws -> [[StoredValues]] {
        try numbered.map { table in
            let known = try central.query(
                "SELECT coalesce(max(id), 0) FROM dnstempo.\"\(table.name)\" WHERE source = $1",
                [.integer(source)]
            )
            guard let last = known.integer(0, 0) else { throw CentralError.strange(central.place) }
            return try snapshot.rows(of: table, above: last)
        }
    }

    /// Those that moments have; a store may have been written by anybody.
    private static let hours =
        Int64(
            Timestamp(nanoseconds: .min).hoursSinceEpoch
        )...Int64(Timestamp(nanoseconds: .max).hoursSinceEpoch)

    /// Sends the sums from an hour on, each part as it is made: all of them may not fit into memory,
    /// and a server does not wait long for the next statement.
    private func sendSums(from first: Int64?, _ snapshot: StoreSnapshot) throws {
        let known = Self.hours
        guard let first = first.map({ max($0, known.lowerBound) }),
            let last = try snapshot.lastHour.map({ min($0, known.upperBound) }), first <= last
        else { return }
        // A clock that was decades off leaves as long without anything.
        func parts(from hour: Int64, by span: SumSpan = .day) throws -> [Range<Int64>] {
            try Self.parts(of: first...last, from: hour, by: span).filter(snapshot.hasSums)
        }
        // Causes are established days after their hour; traces are few too.
        for table in hourly where table.key.first != "hour" {
            try add(snapshot.rows(of: table), to: table)
        }
        for hours in try parts(from: first) {
            for table in summed { try add(snapshot.rows(of: table, hours: hours), to: table) }
        }
        let day = SumSpan.day.start(of: first)
        for hours in Self.parts(of: first...last, from: day, by: .day) {
            try add(snapshot.days(hours), to: StoredDay.table)
        }
        for span in SumSpan.allCases {
            for hours in try parts(from: span.start(of: first), by: span) {
                for table in summed {
                    let sums = try snapshot.sums(table, by: span, hours)
                    try add(sums, to: CentralSchema.table(table, of: span))
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

    /// Adds rows that are not there; where later rounds change them, they take the place of those of
    /// their key.
    private func add(_ rows: [StoredValues], to table: StoredTable) throws {
        guard let first = rows.first, first.count > 0 else { return }
        let names = table.columns.map { "\"\($0.name)\"" }
        let lists = rows.indices.map { "$\($0 + 2)" }.joined(separator: ", ")
        let key = (["source"] + table.key.map { "\"\($0)\"" }).joined(separator: ", ")
        let others = names.filter { name in !table.key.contains { "\"\($0)\"" == name } }
        let name = "dnstempo.\"\(table.name)\""
        let own = others.map { "\(name).\($0)" }.joined(separator: ", ")
        let new = others.map { "excluded.\($0)" }.joined(separator: ", ")
        let conflict =
            CentralSchema.isChanged(table)
            ? "(\(key)) DO UPDATE SET (\(others.joined(separator: ", "))) = ROW(\(new)) "
                + "WHERE (\(own)) IS DISTINCT FROM (\(new))"
            : "DO NOTHING"
        try central.query(
            """
            INSERT INTO \(name) (source, \(names.joined(separator: ", ")))
            SELECT $1, * FROM unnest(\(lists)) ON CONFLICT \(conflict)
            """,
            [.integer(source)] + rows.map(CentralValue.list)
        )
    }
}
