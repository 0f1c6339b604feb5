import GRDB
public import Measurement

/// A round that was stored, without its samples.
public struct StoredRound: Hashable, Sendable {
    public var run: Store.Run
    /// Counts from 1 within the run.
    public var number: Int32
    /// When its first sample left, or should have, and its last.
    public var start: Timestamp
    public var stop: Timestamp
    public var samples: Int
    public var marks: RoundMarks
    /// Whether every query of the plan has a sample.
    public var isWhole: Bool

    public init(
        run: Store.Run,
        number: Int32,
        start: Timestamp,
        stop: Timestamp,
        samples: Int,
        marks: RoundMarks = [],
        isWhole: Bool = true
    ) {
        self.run = run
        self.number = number
        self.start = start
        self.stop = stop
        self.samples = samples
        self.marks = marks
        self.isWhole = isWhole
    }
}

extension Store {
    /// The rounds that began in a window, or before it and reach into it, in their order.
    public func rounds(_ window: Window = Window()) throws(StoreError) -> [StoredRound] {
        var rounds: [StoredRound] = []
        try forEachRound(window) { rounds.append($0) }
        return rounds
    }

    /// Hands the rounds that began in a window, or reach into it, to `body`, in their order.
    public func forEachRound(
        _ window: Window = Window(),
        _ body: (StoredRound) throws -> Void
    ) throws(StoreError) {
        try read { database in
            try RunTable(database).rounds(window, database) { row, run, number in
                try body(
                    StoredRound(
                        run: run.run,
                        number: number,
                        start: Timestamp(nanoseconds: row.start),
                        stop: Timestamp(nanoseconds: row.stop),
                        samples: Int(clamping: row.samples),
                        marks: row.marks,
                        isWhole: row.isWhole
                    )
                )
            }
        }
    }
}

/// The runs of a store.
struct RunTable {
    struct Entry {
        var id: Int64
        var vantage: Int64
        var run: Store.Run
        /// As it is stored.
        var checksum: Int64
    }

    let entries: [Int64: Entry]

    init(_ database: Database) throws {
        let rows = try BoundStatement(
            database,
            """
            SELECT run.id, run.name, vantage.name, timeout, origin, started, interval, seed,
                vantage, checksum, schedule, margin
            FROM run JOIN vantage ON vantage.id = run.vantage
            """
        )
        var entries: [Int64: Entry] = [:]
        while try rows.step() {
            let run = Store.Run(
                recordingRun: Recording.Run(
                    id: rows.text(1) ?? "",
                    vantage: rows.text(2) ?? "",
                    timeout: .nanoseconds(rows.integer(3))
                ),
                origin: Store.Origin(rawValue: UInt8(truncatingIfNeeded: rows.integer(4)))
                    ?? .imported,
                started: Timestamp(nanoseconds: rows.integer(5)),
                interval: rows.optionalInteger(6).map { .nanoseconds($0) },
                seed: rows.optionalInteger(7).map { UInt64(bitPattern: $0) },
                schedule: rows.text(10),
                margin: rows.optionalInteger(11).map { .nanoseconds($0) }
            )
            let id = rows.integer(0)
            entries[id] = Entry(
                id: id,
                vantage: rows.integer(8),
                run: run,
                checksum: rows.integer(9)
            )
        }
        rows.reset()
        self.entries = entries
    }

    /// Hands the rounds that touch a window to `body`, in the order of their start, with their run
    /// and their number in it.
    func rounds(
        _ window: Store.Window,
        _ database: Database,
        _ body: (RoundRow, Entry, Int32) throws -> Void
    ) throws {
        let rows = try BoundStatement(
            database,
            """
            SELECT \(RoundRow.columns), run, number FROM round
            WHERE start < ? AND stop >= ? ORDER BY start, id
            """
        )
        rows.bind(window.until?.nanoseconds ?? .max, at: 1)
        rows.bind(window.since?.nanoseconds ?? .min, at: 2)
        defer { rows.reset() }
        while try rows.step() {
            guard let entry = entries[rows.integer(9)] else { continue }
            guard window.contains(entry.run.origin.rawValue) else { continue }
            try body(RoundRow(rows), entry, Int32(clamping: rows.integer(10)))
        }
    }
}

extension Store.Run {
    /// Of what no index holds again.
    var checksum: Int64 {
        var checksum = Checksum()
        checksum.add(Int64(origin.rawValue))
        checksum.add(started.nanoseconds)
        checksum.add(interval?.nanoseconds)
        checksum.add(seed.map { Int64(bitPattern: $0) })
        // Runs of older stores have none, and keep their checksum.
        if let schedule { checksum.add(schedule) }
        if let margin { checksum.add(margin.nanoseconds) }
        return checksum.value
    }
}
