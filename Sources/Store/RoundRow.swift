import GRDB
import Samples

/// A round as it is stored.
struct RoundRow {
    var id: Int64
    /// How many samples it has; the position of the next one.
    var samples: Int64
    /// When its first sample left, in nanoseconds, and its last.
    var start: Int64
    var stop: Int64
    /// What its samples' times count from.
    var base: Int64
    var marks: RoundMarks
    /// Whether every query of the plan has a sample.
    var isWhole: Bool
    /// Of the samples; stored together with the rest of the row.
    var checksum: Checksum
    var isPruned: Bool

    /// The columns that ``init(_:from:)`` reads, in its order.
    static let columns = "id, samples, start, stop, base, marks, pruned, whole, checksum"

    /// Reads ``columns`` from `first` on.
    init(_ row: BoundStatement, from first: Int32 = 0) throws(DatabaseError) {
        id = try row.integer(first)
        samples = try row.integer(first + 1)
        start = try row.integer(first + 2)
        stop = try row.integer(first + 3)
        base = try row.optionalInteger(first + 4) ?? start
        marks = RoundMarks(rawValue: UInt8(truncatingIfNeeded: try row.integer(first + 5)))
        isPruned = try row.integer(first + 6) != 0
        isWhole = try row.integer(first + 7) != 0
        checksum = Checksum()
        guard start <= stop, (0...RollupTable.most).contains(samples) else {
            throw DatabaseError(
                resultCode: .SQLITE_MISMATCH,
                message: "a round ends before it begins, or counts what is no number of samples"
            )
        }
        checksum = Checksum(UInt64(bitPattern: try row.integer(first + 8)) ^ facts)
    }

    /// What the row says but for the samples' checksum.
    private var facts: UInt64 {
        var facts = Checksum()
        for number in [id, samples, start, stop, base, Int64(marks.rawValue), isWhole ? 1 : 0] {
            facts.add(number)
        }
        return facts.state
    }

    /// The checksum as it is stored.
    private var stored: Int64 { Int64(bitPattern: checksum.state ^ facts) }

    private init(id: Int64, span: ClosedRange<Timestamp>, marks: RoundMarks, isWhole: Bool) {
        self.id = id
        samples = 0
        start = span.lowerBound.nanoseconds
        stop = span.upperBound.nanoseconds
        base = start
        self.marks = marks
        self.isWhole = isWhole
        checksum = Checksum()
        isPruned = false
    }

    /// The round, of the recording's run `run`.
    func round(number: Int32, run: Int32 = 0) -> Round {
        Round(
            run: run,
            number: number,
            started: Timestamp(nanoseconds: start),
            marks: marks,
            isWhole: isWhole
        )
    }

    /// The round of that number, if it is there.
    static func find(run: Int64, number: Int32, _ database: Database) throws -> RoundRow? {
        let find = try BoundStatement(
            database,
            "SELECT \(columns) FROM round WHERE run = ? AND number = ?"
        )
        find.bind(run, at: 1)
        find.bind(Int64(number), at: 2)
        defer { find.reset() }
        return try find.step() ? RoundRow(find) : nil
    }

    /// Makes the same round in another run, whose samples are no longer kept.
    func insertPruned(run: Int64, number: Int32, _ database: Database) throws {
        try database.cachedStatement(
            sql: """
                INSERT INTO round
                    (run, number, start, stop, samples, marks, whole, checksum, pruned)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, 1)
                """
        ).execute(
            arguments: [
                run, number, start, stop, samples, marks.rawValue, isWhole, checksum.value,
            ]
        )
    }

    /// Makes the round of a piece; its samples are still to come.
    static func insert(
        _ piece: RoundPiece,
        run: Int64,
        span: ClosedRange<Timestamp>,
        _ database: Database
    ) throws -> RoundRow {
        let insert = try BoundStatement(
            database,
            """
            INSERT INTO round (run, number, start, stop, samples, marks, whole, checksum)
            VALUES (?, ?, ?, ?, 0, ?, ?, 0)
            """
        )
        insert.bind(run, at: 1)
        insert.bind(Int64(piece.round.number), at: 2)
        insert.bind(span.lowerBound.nanoseconds, at: 3)
        insert.bind(span.upperBound.nanoseconds, at: 4)
        insert.bind(Int64(piece.round.marks.rawValue), at: 5)
        insert.bind(Int64(piece.round.isWhole ? 1 : 0), at: 6)
        try insert.run()
        return RoundRow(
            id: database.lastInsertedRowID,
            span: span,
            marks: piece.round.marks,
            isWhole: piece.round.isWhole
        )
    }

    /// Makes the round reach over `span`; what its samples' times count from stays.
    mutating func extend(over span: ClosedRange<Timestamp>) {
        start = min(start, span.lowerBound.nanoseconds)
        stop = max(stop, span.upperBound.nanoseconds)
    }

    /// Writes what became of the round.
    func update(_ database: Database) throws {
        let update = try BoundStatement(
            database,
            """
            UPDATE round SET samples = ?, start = ?, stop = ?, base = ?, checksum = ? WHERE id = ?
            """
        )
        update.bind(samples, at: 1)
        update.bind(start, at: 2)
        update.bind(stop, at: 3)
        update.bind(base == start ? nil : base, at: 4)
        update.bind(stored, at: 5)
        update.bind(id, at: 6)
        try update.run()
    }
}
