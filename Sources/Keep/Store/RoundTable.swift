import Catalogue
import SQLite
package import Samples

/// A stored round, without its samples.
package struct StoredRound: Hashable, Sendable {
    let row: RoundRow
    let runRow: RunRow

    package var run: Run { runRow.run }

    /// The round. Its index of a run has no meaning.
    package var round: Round { row.round }

    package var stop: Timestamp { Timestamp(nanoseconds: row.stop) }

    package var samples: Int { Int(clamping: row.samples) }

    var name: RoundName { RoundName(run: run.key, number: round.number) }

    /// The hours that the round overlaps, counted from 1970.
    var hours: ClosedRange<Int64> {
        Timestamp(nanoseconds: row.start).hourNumber...stop.hourNumber
    }
}

/// The name of a round in every store.
struct RoundName: Hashable {
    var run: Run.Key
    var number: Int32
}

extension Store {
    /// The rounds that began in a window, or before it and overlap it, in order.
    package func rounds(_ window: Window = Window()) throws(StoreError) -> [StoredRound] {
        try read { try $0.rounds(window) }
    }
}

extension Database {
    func rounds(_ window: Store.Window) throws -> [StoredRound] {
        var rounds: [StoredRound] = []
        try forEachRound(window) { rounds.append($0) }
        return rounds
    }

    /// Passes the rounds that overlap a window to `body`, in the order of their start.
    func forEachRound(_ window: Store.Window, _ body: (StoredRound) throws -> Void) throws {
        let runs = try Statement(self, "\(RunRow.selection) WHERE run.id = ?")
        var known: [Int64: RunRow] = [:]
        try forEachRow(
            """
            SELECT \(RoundRow.columns), run FROM round
            WHERE start < ? AND stop >= ? ORDER BY start, id
            """,
            window.bounds
        ) { row in
            let id = try row.integer(10)
            if known[id] == nil { known[id] = try runs.first([id], read: RunRow.init(_:)) }
            guard let run = known[id], window.contains(origin: Int64(run.run.origin.rawValue))
            else { return }
            try body(StoredRound(row: RoundRow(row), runRow: run))
        }
    }
}

extension Database {
    /// The start times of the rounds that overlap a window, in order. This is faster than ``rounds(_:)``.
    func moments(_ window: Store.Window) throws -> [RoundMoment] {
        let vantages = try vantageNames()
        var moments: [RoundMoment] = []
        try forEachRow(
            """
            SELECT start, marks, vantage, origin FROM round JOIN run ON run.id = round.run
            WHERE start < ? AND stop >= ? ORDER BY start
            """,
            window.bounds
        ) { row in
            guard window.contains(origin: try row.integer(3)) else { return }
            moments.append(
                RoundMoment(
                    vantage: vantages[try row.integer(2)] ?? "",
                    started: try row.moment(0),
                    marks: try row.marks(1),
                    origin: try row.origin(3) ?? .imported
                )
            )
        }
        return moments
    }

    /// The names of the vantage points, by their numbers.
    func vantageNames() throws -> [Int64: String] {
        var names: [Int64: String] = [:]
        try forEachRow("SELECT id, name FROM vantage") { row in
            names[try row.integer(0)] = try row.name(1)
        }
        return names
    }
}

/// A stored run. If a process of its own took each round, there are as many runs as rounds.
struct RunRow: Hashable {
    var id: Int64
    var vantage: Int64
    var run: Run
    var checksum: Int64

    /// The query whose rows ``init(_:)`` reads.
    static let selection = """
        SELECT run.id, run.name, vantage.name, timeout, origin, started, interval, seed,
            vantage, checksum, schedule, margin, baseline, in_use
        FROM run JOIN vantage ON vantage.id = run.vantage
        """

    init(_ row: Statement) throws(DatabaseError) {
        id = try row.integer(0)
        vantage = try row.integer(8)
        checksum = try row.integer(9)
        run = Run(
            id: try row.name(1),
            vantage: try row.name(2),
            timeout: .nanoseconds(try row.integer(3)),
            origin: Run.Origin(rawValue: UInt8(truncatingIfNeeded: try row.integer(4)))
                ?? .imported,
            started: try row.moment(5),
            interval: try row.optionalInteger(6).map { .nanoseconds($0) },
            seed: try row.optionalInteger(7).map { UInt64(bitPattern: $0) },
            schedule: try row.optionalText(10),
            margin: try row.optionalInteger(11).map { .nanoseconds($0) }
        )
        run.baseline = try row.optionalText(12)
        run.isBaselineInUse = try row.integer(13) != 0
    }

    /// Adds a new run.
    init(adding run: Run, vantage: Int64, _ database: Database) throws {
        self.run = run
        self.vantage = vantage
        checksum = run.checksum
        id = try database.insert(
            "run",
            [
                "name": run.id, "vantage": vantage, "timeout": run.timeout.nanoseconds,
                "origin": run.origin.rawValue, "started": run.started.nanoseconds,
                "interval": run.interval?.nanoseconds,
                "seed": run.seed.map { Int64(bitPattern: $0) }, "checksum": checksum,
                "schedule": run.schedule, "margin": run.margin?.nanoseconds,
                "baseline": run.baseline, "in_use": run.isBaselineInUse,
            ]
        )
    }
}

extension Run {
    /// The checksum of the columns that no index repeats.
    var checksum: Int64 {
        var checksum = Checksum()
        let seed = seed.map { Int64(bitPattern: $0) }
        checksum.add(integers: [
            Int64(origin.rawValue), started.nanoseconds, interval?.nanoseconds, seed,
        ])
        // Runs of older stores lack these values, and keep their checksum.
        if let schedule { checksum.add(schedule) }
        if let margin { checksum.add(margin.nanoseconds) }
        if let baseline { checksum.add(baseline) }
        if isBaselineInUse { checksum.add(integers: [1]) }
        return checksum.value
    }
}

/// The row of a stored round.
struct RoundRow: Hashable {
    var id: Int64
    /// The round. It started when its first sample left. Its index of a run has no meaning.
    var round: Round
    /// The time at which its last sample left, in nanoseconds.
    var stop: Int64
    /// The time from which its samples' times count, in nanoseconds.
    var base: Int64
    /// The number of its samples, and the position of the next one.
    var samples: Int64 = 0
    /// The checksum of the samples. The stored value also covers the rest of the row.
    var checksum = Checksum()
    var isPruned = false
    /// Whether samples are added to a round that was stored before.
    private var isExtended = false

    var start: Int64 { round.started.nanoseconds }

    /// The columns that ``init(_:)`` reads, in order.
    static let columns = "id, samples, start, stop, base, marks, pruned, whole, checksum, number"

    init(_ row: Statement) throws(DatabaseError) {
        id = try row.integer(0)
        samples = try row.integer(1)
        round = Round(
            number: Int32(clamping: try row.integer(9)),
            started: try row.moment(2),
            marks: try row.marks(5),
            isWhole: try row.integer(7) != 0
        )
        stop = try row.integer(3)
        base = try row.optionalInteger(4) ?? round.started.nanoseconds
        isPruned = try row.integer(6) != 0
        guard start <= stop, (0...mostCounted).contains(samples) else {
            throw .mismatch(
                "a round ends before it begins, or counts what is no number of samples"
            )
        }
        checksum = Checksum(UInt64(bitPattern: try row.integer(8)) ^ facts)
    }

    /// Creates a round of a run. Its samples are added later.
    init(_ round: Round, run: Int64, span: ClosedRange<Timestamp>, _ database: Database) throws {
        self.round = round
        self.round.started = span.lowerBound
        stop = span.upperBound.nanoseconds
        base = span.lowerBound.nanoseconds
        id = 0
        id = try add(to: run, database)
    }

    /// The checksum of all columns except the samples' checksum.
    private var facts: UInt64 {
        var facts = Checksum()
        facts.add(integers: [
            id, samples, start, stop, base, Int64(round.marks.rawValue),
            round.isWhole ? 1 : 0,
        ])
        return facts.state
    }

    /// Adds the row to a run, and returns its number.
    @discardableResult
    func add(to run: Int64, _ database: Database) throws -> Int64 {
        try database.insert(
            "round",
            [
                "run": run, "number": round.number, "start": start, "stop": stop,
                "samples": samples, "marks": round.marks.rawValue, "whole": round.isWhole,
                "checksum": checksum.value, "pruned": isPruned,
            ]
        )
    }

    /// Extends the round to include `span`, for samples that are added later. The time from which its
    /// samples' times count remains.
    mutating func extend(over span: ClosedRange<Timestamp>) {
        round.started = min(round.started, span.lowerBound)
        stop = max(stop, span.upperBound.nanoseconds)
        isExtended = true
    }

    func update(_ database: Database) throws {
        try database.run(
            """
            UPDATE round SET samples = ?, start = ?, stop = ?, base = ?, checksum = ?,
                extended = CASE WHEN ? THEN
                    (SELECT coalesce(max(extended), 0) + 1 FROM round WHERE extended > 0)
                    ELSE extended END
            WHERE id = ?
            """,
            [
                samples, start, stop, base == start ? nil : base,
                Int64(bitPattern: checksum.state ^ facts), isExtended, id,
            ]
        )
    }
}
