import DNSWire
import GRDB
import Samples

/// What one transaction writes with: the texts that its samples refer to, in the store's numbers,
/// and the rollups that it adds to.
struct IntakeTexts {
    struct KnownRun {
        var id: Int64
        var vantage: Int64
        /// In nanoseconds.
        var timeout: Int64
        var origin: UInt8
    }

    /// A run's samples of one target and type.
    private struct RollupSource: Hashable {
        var run: Int64
        var target: Int64
        var type: UInt16
    }

    let database: Database
    var registry: Registry
    var rollups = RollupTable()
    private let table: SampleTable
    private let targets: [Int64]
    private let questions: [Int64]
    private let types: [UInt16]
    private let series: [Series]
    private var runs: [Run.Key: KnownRun] = [:]
    private var probes: [Int64: Int64] = [:]
    private var keys: [RollupSource: Int64] = [:]
    private var probeSeries: [Int64: Series] = [:]

    init(
        targets: [Recording.Target],
        questions: [Question],
        _ registry: Registry,
        _ database: Database
    ) throws {
        self.database = database
        var registry = registry
        // In their order, so that a report has the plan's order.
        self.targets = try targets.map { try registry.target($0, database) }
        self.questions = try questions.map { try registry.question($0, database) }
        series = targets.map(\.series)
        types = questions.map(\.type.rawValue)
        self.registry = registry
        table = try SampleTable(database)
    }

    /// The run of that name, place and timeout, which is made where it is new.
    mutating func run(_ run: Run) throws -> KnownRun {
        if let known = runs[run.key] { return known }
        let vantage = try registry.vantage(run.vantage, database)
        let timeout = run.timeout.nanoseconds
        let find = try BoundStatement(
            database,
            "SELECT id, origin FROM run WHERE name = ? AND vantage = ? AND timeout = ?"
        )
        find.bind(run.id, at: 1)
        find.bind(vantage, at: 2)
        find.bind(timeout, at: 3)
        defer { find.reset() }
        var known = KnownRun(
            id: 0,
            vantage: vantage,
            timeout: timeout,
            origin: run.origin.rawValue
        )
        if try find.step() {
            known.id = try find.integer(0)
            known.origin = UInt8(truncatingIfNeeded: try find.integer(1))
        } else {
            known.id = try insert(run, vantage: vantage)
        }
        runs[run.key] = known
        return known
    }

    private func insert(_ run: Run, vantage: Int64) throws -> Int64 {
        let insert = try BoundStatement(
            database,
            """
            INSERT INTO run
                (name, vantage, timeout, origin, started, interval, seed, checksum, schedule,
                margin)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """
        )
        insert.bind(run.id, at: 1)
        insert.bind(vantage, at: 2)
        insert.bind(run.timeout.nanoseconds, at: 3)
        insert.bind(Int64(run.origin.rawValue), at: 4)
        insert.bind(run.started.nanoseconds, at: 5)
        insert.bind(run.interval?.nanoseconds, at: 6)
        insert.bind(run.seed.map { Int64(bitPattern: $0) }, at: 7)
        insert.bind(run.checksum, at: 8)
        insert.bind(run.schedule, at: 9)
        insert.bind(run.margin?.nanoseconds, at: 10)
        try insert.run()
        return database.lastInsertedRowID
    }

    /// The resolver and the question of a sample.
    mutating func probe(_ sample: Sample) throws -> Int64 {
        let pair = Int64(sample.target) << 32 | Int64(sample.question)
        if let probe = probes[pair] { return probe }
        guard targets.indices.contains(Int(sample.target)),
            questions.indices.contains(Int(sample.question))
        else { throw DatabaseError(resultCode: .SQLITE_MISMATCH) }
        let probe = try registry.probe(
            Registry.Probe(
                target: targets[Int(sample.target)],
                question: questions[Int(sample.question)]
            ),
            database
        )
        probes[pair] = probe
        return probe
    }

    /// The series of a sample; its texts are known.
    func series(of sample: Sample) -> Series { series[Int(sample.target)] }

    /// The series of a stored sample.
    mutating func series(ofProbe probe: Int64) throws -> Series {
        if let known = probeSeries[probe] { return known }
        let row = try BoundStatement(
            database,
            "SELECT series FROM probe JOIN target ON target.id = target WHERE probe.id = ?"
        )
        row.bind(probe, at: 1)
        defer { row.reset() }
        guard try row.step() else { throw DatabaseError(resultCode: .SQLITE_CORRUPT) }
        let series = try Series(row, 0)
        probeSeries[probe] = series
        return series
    }

    /// Where a sample is added up; its texts are known.
    mutating func rollupKey(_ sample: Sample, of run: KnownRun) throws -> Int64 {
        try rollupKey(
            RollupSource(
                run: run.id,
                target: targets[Int(sample.target)],
                type: types[Int(sample.question)]
            ),
            of: run
        )
    }

    /// Where a stored sample was added up.
    mutating func rollupKey(probe: Int64, of run: KnownRun) throws -> Int64 {
        let row = try BoundStatement(
            database,
            """
            SELECT target, type FROM probe JOIN question ON question.id = question
            WHERE probe.id = ?
            """
        )
        row.bind(probe, at: 1)
        defer { row.reset() }
        guard try row.step() else { throw DatabaseError(resultCode: .SQLITE_CORRUPT) }
        let source = RollupSource(
            run: run.id,
            target: try row.integer(0),
            type: UInt16(truncatingIfNeeded: try row.integer(1))
        )
        return try rollupKey(source, of: run)
    }

    private mutating func rollupKey(_ source: RollupSource, of run: KnownRun) throws -> Int64 {
        if let key = keys[source] { return key }
        let key = try registry.rollupKey(
            RollupKey(
                vantage: run.vantage,
                target: source.target,
                type: source.type,
                timeout: run.timeout,
                origin: run.origin
            ),
            database
        )
        keys[source] = key
        return key
    }

    /// Writes the row of a round's next sample.
    mutating func add(_ sample: Sample, probe: Int64, to row: RoundRow) throws {
        try table.add(
            sample,
            probe: probe,
            round: row.id,
            position: row.samples,
            base: row.base,
            &registry,
            database
        )
    }
}
