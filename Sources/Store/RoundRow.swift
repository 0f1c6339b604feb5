import GRDB
import Measurement

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
    var isPruned: Bool

    /// The columns that ``init(_:from:)`` reads, in its order.
    static let columns = "id, samples, start, stop, base, marks, pruned"

    /// Reads ``columns`` from `first` on.
    init(_ row: BoundStatement, from first: Int32 = 0) {
        id = row.integer(first)
        samples = row.integer(first + 1)
        start = row.integer(first + 2)
        stop = row.integer(first + 3)
        base = row.optionalInteger(first + 4) ?? start
        marks = RoundMarks(rawValue: UInt8(truncatingIfNeeded: row.integer(first + 5)))
        isPruned = row.integer(first + 6) != 0
    }

    private init(id: Int64, span: ClosedRange<Timestamp>, marks: RoundMarks) {
        self.id = id
        samples = 0
        start = span.lowerBound.nanoseconds
        stop = span.upperBound.nanoseconds
        base = start
        self.marks = marks
        isPruned = false
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
    func insertPruned(
        run: Int64,
        number: Int32,
        isWhole: Bool,
        _ database: Database
    ) throws {
        try database.cachedStatement(
            sql: """
                INSERT INTO round (run, number, start, stop, samples, marks, whole, pruned)
                VALUES (?, ?, ?, ?, ?, ?, ?, 1)
                """
        ).execute(arguments: [run, number, start, stop, samples, marks.rawValue, isWhole])
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
            INSERT INTO round (run, number, start, stop, samples, marks, whole)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            """
        )
        insert.bind(run, at: 1)
        insert.bind(Int64(piece.number), at: 2)
        insert.bind(span.lowerBound.nanoseconds, at: 3)
        insert.bind(span.upperBound.nanoseconds, at: 4)
        insert.bind(Int64(piece.samples.count), at: 5)
        insert.bind(Int64(piece.marks.rawValue), at: 6)
        insert.bind(Int64(piece.isWhole ? 1 : 0), at: 7)
        try insert.run()
        return RoundRow(id: database.lastInsertedRowID, span: span, marks: piece.marks)
    }

    /// Counts `more` samples; what their times count from stays.
    mutating func extend(
        by more: Int,
        span: ClosedRange<Timestamp>,
        _ database: Database
    ) throws {
        samples += Int64(more)
        start = min(start, span.lowerBound.nanoseconds)
        stop = max(stop, span.upperBound.nanoseconds)
        let update = try BoundStatement(
            database,
            "UPDATE round SET samples = ?, start = ?, stop = ?, base = ? WHERE id = ?"
        )
        update.bind(samples, at: 1)
        update.bind(start, at: 2)
        update.bind(stop, at: 3)
        update.bind(base, at: 4)
        update.bind(id, at: 5)
        try update.run()
    }
}
