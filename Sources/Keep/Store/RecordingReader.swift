import CSQLite
import DNSWire
import SQLite
import Samples

/// Combines the samples of a window with the texts to which they refer.
struct RecordingReader {
    private struct Place {
        var target: Int32
        var question: Int32
    }

    /// The rounds that were read since the last piece, in the order of reading.
    private(set) var recording = Recording()
    private let database: Database
    private let window: Store.Window
    private let cursor: SampleCursor
    private var runs: [Int64: Int32] = [:]
    private var targetPlaces: [Int64: Int32] = [:]
    private var questionPlaces: [Int64: Int32] = [:]
    /// Rows whose names differ only in case are one question.
    private var knownQuestions: [Question: Int32] = [:]
    /// The places of probes; `nil` if the label is not wanted.
    private var probes: [Int64: Place?] = [:]
    /// The probes of resolvers that the window leaves out.
    private var unwanted: Set<Int64> = []

    init(_ window: Store.Window, _ database: Database) throws {
        self.window = window
        self.database = database
        cursor = try SampleCursor(database, tellsAnswers: window.tellsAnswers)
    }

    /// Passes the samples of the window to `body`, for the rounds that `isWanted` accepts. They are in the
    /// order of sending, in pieces of whole rounds with a few megabytes each.
    static func read(
        _ window: Store.Window,
        _ database: Database,
        isWanted: (RoundName) -> Bool,
        _ body: (Recording) throws -> Void
    ) throws {
        var reader = try RecordingReader(window, database)
        try database.forEachRound(window) { round in
            guard window.includesMarked || round.round.isCounted, !round.row.isPruned,
                isWanted(round.name)
            else { return }
            try reader.add(round)
            if reader.recording.samples.count >= pieceLength { try body(reader.piece()) }
        }
        if !reader.recording.samples.isEmpty { try body(reader.piece()) }
    }

    private static let pieceLength = 1 << 15

    mutating func add(_ stored: StoredRound) throws {
        let index = Int32(clamping: recording.rounds.count)
        var round = stored.round
        round.run = runs.place(
            of: stored.runRow.id,
            in: &recording.runs,
            adding: stored.run
        )
        recording.rounds.append(round)
        try cursor.read(stored.row, skipping: unwanted) { sample in
            guard window.contains(sample.time), let place = try place(sample.probe) else { return }
            recording.samples.append(
                Sample(
                    round: index,
                    target: place.target,
                    question: place.question,
                    scheduled: sample.scheduled,
                    observation: sample.observation.withinLimits
                )
            )
        }
    }

    /// Reads all probes. Throws if a sample could refer to a probe that cannot be read.
    mutating func readProbes() throws {
        for probe in try database.rows("SELECT id FROM probe", read: { try $0.integer(0) }) {
            _ = try place(probe)
        }
    }

    private mutating func place(_ probe: Int64) throws -> Place? {
        if let place = probes[probe] { return place }
        let query = """
            SELECT target, \(Recording.Target.columns), question, name, type
            FROM probe \(Recording.Target.join)
                JOIN question ON question.id = question
            WHERE probe.id = ?
            """
        let found = try database.first(query, [probe]) { row -> Place? in
            guard window.contains(label: try row.name(1)) else { return nil }
            let target = try targetPlaces.place(
                of: try row.integer(0),
                in: &recording.targets,
                adding: try Recording.Target(row, from: 1)
            )
            let question = Question(name: try Self.name(row.text(6)), type: try RecordType(row, 7))
            let place = knownQuestions.place(
                of: question,
                in: &recording.questions,
                adding: question
            )
            questionPlaces[try row.integer(5)] = place
            return Place(target: target, question: place)
        }
        guard let place = found else { throw DatabaseError(SQLITE_CORRUPT) }
        if place == nil { unwanted.insert(probe) }
        probes[probe] = .some(place)
        return place
    }

    private static func name(_ text: String) throws(DatabaseError) -> DomainName {
        do { return try DomainName(text) } catch {
            throw .mismatch("a question: \(error)")
        }
    }

    /// The rounds read since the last piece. Their targets and questions are in the order in which the store
    /// recorded them, which is the order of the plan.
    private mutating func piece() -> Recording {
        var recording = recording
        self.recording.samples = []
        self.recording.rounds = []
        self.recording.runs = []
        runs = [:]
        let targetOrder = self.targetPlaces.sorted { $0.key < $1.key }.map(\.value)
        let questionOrder = self.questionPlaces.sorted { $0.key < $1.key }.map(\.value).uniqued
        recording.targets = targetOrder.map { recording.targets[Int($0)] }
        recording.questions = questionOrder.map { recording.questions[Int($0)] }
        let targetPlaces = Self.inverse(targetOrder)
        let questionPlaces = Self.inverse(questionOrder)
        var isSorted = true
        var last = Timestamp(nanoseconds: .min)
        for index in recording.samples.indices {
            let sample = recording.samples[index]
            recording.samples[index].target = targetPlaces[Int(sample.target)]
            recording.samples[index].question = questionPlaces[Int(sample.question)]
            let time = sample.moment
            if time < last { isSorted = false }
            last = time
        }
        if !isSorted { recording.sortBySending() }
        return recording
    }

    private static func inverse(_ order: [Int32]) -> [Int32] {
        var places = [Int32](repeating: 0, count: order.count)
        for (place, index) in order.enumerated() { places[Int(index)] = Int32(place) }
        return places
    }
}

extension Recording.Target {
    /// The columns that ``init(_:from:)`` reads.
    static let columns = "label, transport, address, series"
    /// The join of these columns with a table that has a column `target`.
    static let join = """
        JOIN target ON target.id = target JOIN endpoint ON endpoint.id = endpoint
        """

    /// Reads ``columns``, beginning with column `first`.
    init(_ row: Statement, from first: Int32) throws(DatabaseError) {
        self.init(
            label: try row.name(first),
            endpoint: try row.name(first + 2),
            transport: .init(try row.name(first + 1)),
            series: try Series(row, first + 3)
        )
    }
}

extension Series {
    init(_ row: Statement, _ column: Int32) throws(DatabaseError) {
        let number = try row.integer(column)
        guard let series = UInt8(exactly: number).flatMap(Series.init(rawValue:)) else {
            throw .mismatch("there is no series \(number)")
        }
        self = series
    }
}

extension RecordType {
    init(_ row: Statement, _ column: Int32) throws(DatabaseError) {
        let number = try row.integer(column)
        guard let type = UInt16(exactly: number) else {
            throw .mismatch("there is no record type \(number)")
        }
        self.init(rawValue: type)
    }
}
