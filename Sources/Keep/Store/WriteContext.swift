import CSQLite
import Catalogue
import DNSWire
import SQLite
import Samples
import Statistics

/// A row to which other rows refer by its number, identified by its values.
enum ReferredRow: Hashable {
    case vantage(String)
    case endpoint(transport: String, address: String)
    case target(label: String, endpoint: Int64, series: Series)
    /// The question as it is spelled.
    case question(name: String, type: RecordType)
    case probe(target: Int64, question: Int64)
    /// The bytes of the text. Swift strings with different bytes can be equal.
    case text([UInt8])
    case rollupKey(RollupKey)

    fileprivate var values: (table: String, row: Database.Values) {
        switch self {
        case .vantage(let name): ("vantage", ["name": name])
        case .endpoint(let transport, let address):
            ("endpoint", ["transport": transport, "address": address])
        case .target(let label, let endpoint, let series):
            ("target", ["label": label, "endpoint": endpoint, "series": series.rawValue])
        case .question(let name, let type):
            ("question", ["name": name, "type": type.rawValue])
        case .probe(let target, let question):
            ("probe", ["target": target, "question": question])
        case .text(let bytes): ("text", ["value": String(decoding: bytes, as: UTF8.self)])
        case .rollupKey(let key):
            (
                "rollup_key",
                [
                    "vantage": key.vantage, "target": key.target, "type": key.type,
                    "timeout": key.timeout, "origin": key.origin,
                ]
            )
        }
    }
}

/// The state of one write transaction: the numbers of rows that are referred to, and the rollups to which it
/// adds. The rollups are written once, at its end.
struct WriteContext {
    let database: Database
    /// The numbers of rows, each looked up once, including those of earlier transactions.
    private(set) var numbers: [ReferredRow: Int64]
    var rollups: [RollupPlace: HourlySum.Figures] = [:]
    /// Whether the rollups include sums of another store.
    private var areForeign = false
    private let samples: SampleInsertion
    /// The numbers of targets and questions, by the recording's indices.
    private var targets: [Int64] = []
    private var questions: [Int64] = []
    private var runs: [Run.Key: RunRow] = [:]
    private var probes: [Int64: Int64] = [:]
    private var facts: [Int64: ProbeFacts] = [:]

    init(_ database: Database, _ numbers: [ReferredRow: Int64]) throws {
        self.database = database
        self.numbers = numbers
        samples = try SampleInsertion(database)
    }

    /// Prepares for samples that refer to the targets and questions of `texts`.
    mutating func refer(to texts: Recording) throws {
        // In order, so that a report has the order of the plan.
        targets = try texts.targets.map { try number(of: $0) }
        questions = try texts.questions.map { try number(of: $0) }
        probes = [:]
    }

    /// The maximum number of rows whose numbers are remembered. Then all are looked up again.
    private static let most = 500_000

    /// The number of a row. The row is created if it does not exist.
    mutating func number(of row: ReferredRow) throws -> Int64 {
        if let number = try knownNumber(of: row) { return number }
        let (table, values) = row.values
        let number = try database.insert(table, values)
        numbers[row] = number
        return number
    }

    /// The number of a row; `nil` if it does not exist.
    private mutating func knownNumber(of row: ReferredRow) throws -> Int64? {
        if let number = numbers[row] { return number }
        if numbers.count >= Self.most { numbers.removeAll() }
        let (table, values) = row.values
        let condition = values.map { "\($0.key) = ?" }.joined(separator: " AND ")
        let query = "SELECT id FROM \(table) WHERE \(condition)"
        let number = try database.first(query, values.map(\.value)) { try $0.integer(0) }
        if let number { numbers[row] = number }
        return number
    }

    /// The number of a question. The row with the same spelling has priority over the row in lower case.
    /// Names are equal without regard to case.
    private mutating func number(of question: Question) throws -> Int64 {
        let name = question.name.description
        let spelled = ReferredRow.question(name: name, type: question.type)
        let folded = ReferredRow.question(name: name.lowercased(), type: question.type)
        if let number = try knownNumber(of: spelled) { return number }
        if let number = try knownNumber(of: folded) { return number }
        return try number(of: spelled)
    }

    mutating func number(of target: Recording.Target) throws -> Int64 {
        let transport = target.transport.description
        let endpoint = try number(of: .endpoint(transport: transport, address: target.endpoint))
        return try number(
            of: .target(label: target.label, endpoint: endpoint, series: target.series)
        )
    }

    /// The run with this name, vantage point and timeout. It is created if it is new.
    mutating func run(_ run: Run) throws -> RunRow {
        if let known = runs[run.key] { return known }
        let vantage = try number(of: .vantage(run.vantage))
        let query = "\(RunRow.selection) WHERE run.name = ? AND vantage = ? AND timeout = ?"
        let values: [any StatementBinding] = [run.id, vantage, run.timeout.nanoseconds]
        let row =
            try database.first(query, values, read: RunRow.init(_:))
            ?? RunRow(adding: run, vantage: vantage, database)
        runs[run.key] = row
        return row
    }

    /// The number of the resolver and the question of a sample.
    mutating func probe(_ sample: Sample) throws -> Int64 {
        let pair = Int64(sample.target) << 32 | Int64(sample.question)
        if let probe = probes[pair] { return probe }
        let (target, question) = (Int(sample.target), Int(sample.question))
        guard targets.indices.contains(target), questions.indices.contains(question) else {
            throw DatabaseError(SQLITE_MISMATCH)
        }
        let probe = try number(of: .probe(target: targets[target], question: questions[question]))
        probes[pair] = probe
        return probe
    }

    /// The number of the rollup key of a probe's samples, and the facts about the probe.
    mutating func rollup(of probe: Int64, in run: RunRow) throws -> (
        key: Int64, facts: ProbeFacts
    ) {
        let facts = try facts(of: probe)
        return (try number(of: .rollupKey(RollupKey(of: facts, in: run))), facts)
    }

    private mutating func facts(of probe: Int64) throws -> ProbeFacts {
        if let known = facts[probe] { return known }
        let query = "\(ProbeFacts.selection) WHERE probe.id = ?"
        guard let found = try database.first(query, [probe], read: ProbeFacts.init(_:)) else {
            throw DatabaseError(SQLITE_CORRUPT)
        }
        facts[probe] = found
        return found
    }

    /// Writes the row of a round's next sample.
    mutating func add(_ sample: Sample, probe: Int64, to round: inout RoundRow) throws {
        let observation = sample.observation
        let row = RoundCodec.Row(
            sample: observation.values(probe, sample.scheduled, from: round.base),
            detail: try observation.extras?.values { try number(of: $0) }
        )
        try samples.add(row, at: round.samples, of: round.id)
        round.samples += 1
        round.checksum.add(observation, probe: probe, scheduled: sample.scheduled)
    }

    private mutating func number(of text: String?) throws -> Int64? {
        guard let text else { return nil }
        return try number(of: .text(Array(text.utf8)))
    }

    /// Adds an hourly sum of another store.
    mutating func add(_ sum: HourlySum) throws {
        let key = RollupKey(
            vantage: try number(of: .vantage(sum.vantage)),
            target: try number(of: sum.target),
            type: sum.type.rawValue,
            timeout: sum.timeout.nanoseconds,
            origin: sum.origin.rawValue
        )
        let place = RollupPlace(hour: sum.hour.hourNumber, key: try number(of: .rollupKey(key)))
        rollups[place, default: HourlySum.Figures()].merge(sum.figures)
        areForeign = true
    }

    func writeRollups() throws {
        try HourlySum.Figures.add(rollups, database, areForeign: areForeign)
        try ConnectionSums.add(
            rollups.mapValues(\.connections),
            database,
            areForeign: areForeign
        )
        try HitShare.add(rollups.mapValues(\.warmups), database)
    }
}
