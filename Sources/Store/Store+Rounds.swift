import GRDB
package import Samples

/// A round that was stored, without its samples; its index of a run says nothing.
package struct StoredRound: Hashable, Sendable {
    package var run: Run
    package var round: Round
    /// When its last sample left, or should have.
    package var stop: Timestamp
    package var samples: Int

    package init(run: Run, round: Round, stop: Timestamp, samples: Int) {
        self.run = run
        self.round = round
        self.stop = stop
        self.samples = samples
    }
}

extension Store {
    /// The rounds that began in a window, or before it and reach into it, in their order.
    package func rounds(_ window: Window = Window()) throws(StoreError) -> [StoredRound] {
        var rounds: [StoredRound] = []
        try forEachRound(window) { rounds.append($0) }
        return rounds
    }

    /// Hands the rounds that began in a window, or reach into it, to `body`, in their order.
    package func forEachRound(
        _ window: Window = Window(),
        _ body: (StoredRound) throws -> Void
    ) throws(StoreError) {
        try read { database in
            try RunTable.rounds(window, database) { row, run, number in
                try body(
                    StoredRound(
                        run: run.run,
                        round: row.round(number: number),
                        stop: Timestamp(nanoseconds: row.stop),
                        samples: Int(clamping: row.samples)
                    )
                )
            }
        }
    }
}

extension Store {
    /// Hands the rounds that began in a window, or reach into it, to `body`, in their order.
    package func forEachRoundMoment(
        _ window: Window = Window(),
        _ body: (RoundMoment) throws -> Void
    ) throws(StoreError) {
        try read { database in
            let names = try BoundStatement(database, "SELECT id, name FROM vantage")
            var vantages: [Int64: String] = [:]
            defer { names.reset() }
            while try names.step() { vantages[try names.integer(0)] = try names.name(1) }
            let rows = try BoundStatement(
                database,
                """
                SELECT start, marks, vantage, origin FROM round JOIN run ON run.id = round.run
                WHERE start < ? AND stop >= ? ORDER BY start
                """
            )
            rows.bind(window)
            defer { rows.reset() }
            while try rows.step() {
                let origin = UInt8(truncatingIfNeeded: try rows.integer(3))
                guard window.contains(origin) else { continue }
                try body(
                    RoundMoment(
                        vantage: vantages[try rows.integer(2)] ?? "",
                        started: Timestamp(nanoseconds: try rows.integer(0)),
                        marks: RoundMarks(rawValue: UInt8(truncatingIfNeeded: try rows.integer(1)))
                    )
                )
            }
        }
    }
}

/// The runs of a store: as many as rounds where each round was taken by a process of its own.
struct RunTable {
    struct Entry {
        var id: Int64
        var vantage: Int64
        var run: Run
        /// As it is stored.
        var checksum: Int64

        fileprivate init(_ row: BoundStatement) throws(DatabaseError) {
            id = try row.integer(0)
            vantage = try row.integer(8)
            checksum = try row.integer(9)
            run = Run(
                id: try row.name(1),
                vantage: try row.name(2),
                timeout: .nanoseconds(try row.integer(3)),
                origin: Run.Origin(rawValue: UInt8(truncatingIfNeeded: try row.integer(4)))
                    ?? .imported,
                started: Timestamp(nanoseconds: try row.integer(5)),
                interval: try row.optionalInteger(6).map { .nanoseconds($0) },
                seed: try row.optionalInteger(7).map { UInt64(bitPattern: $0) },
                schedule: try row.optionalText(10),
                margin: try row.optionalInteger(11).map { .nanoseconds($0) }
            )
        }
    }

    private static let selection = """
        SELECT run.id, run.name, vantage.name, timeout, origin, started, interval, seed,
            vantage, checksum, schedule, margin
        FROM run JOIN vantage ON vantage.id = run.vantage
        """

    /// Every run.
    static func all(_ database: Database) throws -> [Entry] {
        let rows = try BoundStatement(database, selection)
        defer { rows.reset() }
        var entries: [Entry] = []
        while try rows.step() { entries.append(try Entry(rows)) }
        return entries
    }

    /// Hands the rounds that touch a window to `body`, in the order of their start, with their run
    /// and their number in it.
    static func rounds(
        _ window: Store.Window,
        _ database: Database,
        _ body: (RoundRow, Entry, Int32) throws -> Void
    ) throws {
        let runs = try BoundStatement(database, "\(selection) WHERE run.id = ?")
        var entries: [Int64: Entry] = [:]
        let rows = try BoundStatement(
            database,
            """
            SELECT \(RoundRow.columns), run, number FROM round
            WHERE start < ? AND stop >= ? ORDER BY start, id
            """
        )
        rows.bind(window)
        defer { rows.reset() }
        while try rows.step() {
            let id = try rows.integer(9)
            if entries[id] == nil {
                runs.bind(id, at: 1)
                if try runs.step() { entries[id] = try Entry(runs) }
                runs.reset()
            }
            guard let entry = entries[id] else { continue }
            guard window.contains(entry.run.origin.rawValue) else { continue }
            try body(RoundRow(rows), entry, Int32(clamping: rows.integer(10)))
        }
    }
}

extension BoundStatement {
    /// The bounds of a window, for `start < ? AND stop >= ?`.
    fileprivate func bind(_ window: Store.Window) {
        bind(window.until?.nanoseconds ?? .max, at: 1)
        bind(window.since?.nanoseconds ?? .min, at: 2)
    }
}

extension Run {
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
