import Catalogue
import DNSWire
import GRDB
import Samples

/// The means of one transaction to write: the texts that its samples refer to, in the store's
/// numbers, and the rollups that it adds to.
struct WriteContext {
    struct KnownRun {
        var id: Int64
        var vantage: Int64
        /// In nanoseconds.
        var timeout: Int64
        var origin: UInt8
    }

    let database: Database
    var registry: Registry
    var rollups = RollupTable()
    private let samples: SampleTable
    /// By the recording's indices.
    private let targets: [Int64]
    private let questions: [Int64]
    private var runs: [Run.Key: KnownRun] = [:]
    private var probes: [Int64: Int64] = [:]
    private var facts: [Int64: ProbeFacts] = [:]

    /// For samples that refer to the targets and questions of `texts`.
    init(_ texts: Recording, _ registry: Registry, _ database: Database) throws {
        self.database = database
        var registry = registry
        // In their order, so that a report has the plan's order.
        targets = try texts.targets.map { try registry.target($0, database) }
        questions = try texts.questions.map { try registry.question($0, database) }
        self.registry = registry
        samples = try SampleTable(database)
    }

    /// The run of that name, place and timeout, which is made where it is new.
    mutating func run(_ run: Run) throws -> KnownRun {
        if let known = runs[run.key] { return known }
        var known = KnownRun(
            id: 0,
            vantage: try registry.vantage(run.vantage, database),
            timeout: run.timeout.nanoseconds,
            origin: run.origin.rawValue
        )
        let found: ()? = try database.first(
            "SELECT id, origin FROM run WHERE name = ? AND vantage = ? AND timeout = ?",
            [run.id, known.vantage, known.timeout]
        ) { row in
            known.id = try row.integer(0)
            known.origin = UInt8(truncatingIfNeeded: try row.integer(1))
        }
        if found == nil { known.id = try insert(run, vantage: known.vantage) }
        runs[run.key] = known
        return known
    }

    private func insert(_ run: Run, vantage: Int64) throws -> Int64 {
        try database.run(
            """
            INSERT INTO run
                (name, vantage, timeout, origin, started, interval, seed, checksum, schedule,
                margin)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                run.id, vantage, run.timeout.nanoseconds, run.origin.rawValue,
                run.started.nanoseconds, run.interval?.nanoseconds,
                run.seed.map { Int64(bitPattern: $0) }, run.checksum, run.schedule,
                run.margin?.nanoseconds,
            ]
        )
        return database.lastInsertedRowID
    }

    /// The resolver and the question of a sample.
    mutating func probe(_ sample: Sample) throws -> Int64 {
        let pair = Int64(sample.target) << 32 | Int64(sample.question)
        if let probe = probes[pair] { return probe }
        let (target, question) = (Int(sample.target), Int(sample.question))
        guard targets.indices.contains(target), questions.indices.contains(question) else {
            throw DatabaseError(resultCode: .SQLITE_MISMATCH)
        }
        let probe = try registry.probe(
            Registry.Probe(target: targets[target], question: questions[question]),
            database
        )
        probes[pair] = probe
        return probe
    }

    /// Where the samples of a probe are added up, and how their times count.
    mutating func rollup(
        of probe: Int64,
        in run: KnownRun
    ) throws -> (key: Int64, series: Series) {
        let facts = try facts(of: probe)
        let key = RollupKey(
            vantage: run.vantage,
            target: facts.target,
            type: facts.type,
            timeout: run.timeout,
            origin: run.origin
        )
        return (try registry.rollupKey(key, database), facts.series)
    }

    private mutating func facts(of probe: Int64) throws -> ProbeFacts {
        if let known = facts[probe] { return known }
        let query = "\(ProbeFacts.selection) WHERE probe.id = ?"
        guard let found = try database.first(query, [probe], read: ProbeFacts.init(_:)) else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT)
        }
        facts[probe] = found
        return found
    }

    /// Writes the row of a round's next sample.
    mutating func add(_ sample: Sample, probe: Int64, to round: inout RoundRow) throws {
        try samples.add(sample, probe: probe, to: round, &registry, database)
        round.samples += 1
        round.checksum.add(sample.observation, probe: probe, scheduled: sample.scheduled)
    }
}
