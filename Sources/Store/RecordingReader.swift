import DNSWire
import GRDB
import Samples

/// Puts the samples of a window together with the texts that they refer to.
struct RecordingReader {
    private struct Place {
        var target: Int32
        var question: Int32
    }

    private let database: Database
    private let window: Store.Window
    private var recording = Recording()
    private var runs: [Int64: Int32] = [:]
    private var targetPlaces: [Int64: Int32] = [:]
    private var questionPlaces: [Int64: Int32] = [:]
    /// `nil` where the label is not wanted.
    private var probes: [Int64: Place?] = [:]
    /// Those of resolvers that the window leaves out.
    private var unwanted: Set<Int64> = []

    init(_ window: Store.Window, _ database: Database) {
        self.window = window
        self.database = database
    }

    /// Hands the samples of the window to `body`, of the rounds that `isWanted` takes: in the order
    /// of sending, whole rounds in pieces of a few megabytes.
    static func read(
        _ window: Store.Window,
        _ database: Database,
        isWanted: (RoundName) -> Bool,
        _ body: (Recording) throws -> Void
    ) throws {
        var reader = RecordingReader(window, database)
        var cursor = try SampleCursor(database)
        try RunTable.rounds(window, database) { row, entry, number in
            guard window.includesMarked || row.marks.areCounted, !row.isPruned,
                isWanted(RoundName(run: entry.run.key, number: number))
            else { return }
            try reader.add(row, of: entry, number: number, &cursor)
            if reader.recording.samples.count >= pieceLength { try body(reader.piece()) }
        }
        if !reader.recording.samples.isEmpty { try body(reader.piece()) }
    }

    private static let pieceLength = 1 << 15

    var targets: [Recording.Target] { recording.targets }
    var questions: [Question] { recording.questions }

    /// The samples of one round as they stand there, which refer to ``targets`` and
    /// ``questions``.
    mutating func samples(of round: StoredPiece) throws -> [Sample] {
        recording.samples = []
        recording.rounds = []
        var cursor = try SampleCursor(database)
        try add(round.row, of: round.entry, number: round.number, &cursor)
        return recording.samples
    }

    private mutating func add(
        _ row: RoundRow,
        of entry: RunTable.Entry,
        number: Int32,
        _ cursor: inout SampleCursor
    ) throws {
        let run = runs[entry.id] ?? Int32(clamping: recording.runs.count)
        if runs[entry.id] == nil {
            runs[entry.id] = run
            recording.runs.append(entry.run)
        }
        let round = Int32(clamping: recording.rounds.count)
        recording.rounds.append(row.round(number: number, run: run))
        try cursor.read(round: row.id, base: row.base, skipping: unwanted) { sample in
            guard window.contains(sample.time), let place = try place(sample.probe) else { return }
            recording.samples.append(
                Sample(
                    round: round,
                    target: place.target,
                    question: place.question,
                    scheduled: sample.scheduled,
                    observation: sample.observation.withinLimits
                )
            )
        }
    }

    private mutating func place(_ probe: Int64) throws -> Place? {
        if let place = probes[probe] { return place }
        let row = try BoundStatement(
            database,
            """
            SELECT target, label, transport, address, series, question, name, type
            FROM probe JOIN target ON target.id = target JOIN endpoint ON endpoint.id = endpoint
                JOIN question ON question.id = question
            WHERE probe.id = ?
            """
        )
        row.bind(probe, at: 1)
        defer { row.reset() }
        guard try row.step() else { throw DatabaseError(resultCode: .SQLITE_CORRUPT) }
        guard window.contains(label: try row.name(1)) else {
            probes[probe] = .some(nil)
            unwanted.insert(probe)
            return nil
        }
        let place = Place(target: try target(row), question: try question(row))
        probes[probe] = place
        return place
    }

    private mutating func target(_ row: BoundStatement) throws -> Int32 {
        let id = try row.integer(0)
        if let index = targetPlaces[id] { return index }
        let index = Int32(clamping: recording.targets.count)
        targetPlaces[id] = index
        recording.targets.append(try .init(row, from: 1))
        return index
    }

    private mutating func question(_ row: BoundStatement) throws -> Int32 {
        let id = try row.integer(5)
        if let index = questionPlaces[id] { return index }
        let index = Int32(clamping: recording.questions.count)
        questionPlaces[id] = index
        recording.questions.append(
            Question(name: try Self.name(row.text(6)), type: try RecordType(row, 7))
        )
        return index
    }

    private static func name(_ text: String) throws(DatabaseError) -> DomainName {
        do { return try DomainName(text) } catch {
            throw DatabaseError(resultCode: .SQLITE_MISMATCH, message: "a question: \(error)")
        }
    }

    /// What was read since the last piece, with its targets and questions in the order in which the
    /// store came to know them, which is the plan's.
    private mutating func piece() -> Recording {
        var recording = recording
        self.recording.samples = []
        self.recording.rounds = []
        self.recording.runs = []
        runs = [:]
        let targetOrder = self.targetPlaces.sorted { $0.key < $1.key }.map(\.value)
        let questionOrder = self.questionPlaces.sorted { $0.key < $1.key }.map(\.value)
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
    /// Reads label, transport, address and series from `first` on.
    init(_ row: BoundStatement, from first: Int32) throws(DatabaseError) {
        self.init(
            label: try row.name(first),
            endpoint: try row.name(first + 2),
            transport: .init(try row.name(first + 1)),
            series: try Series(row, first + 3)
        )
    }
}

extension Series {
    /// Reads the number of a series.
    init(_ row: BoundStatement, _ column: Int32) throws(DatabaseError) {
        let number = try row.integer(column)
        guard let series = UInt8(exactly: number).flatMap(Series.init(rawValue:)) else {
            throw DatabaseError(
                resultCode: .SQLITE_MISMATCH,
                message: "there is no series \(number)"
            )
        }
        self = series
    }
}

extension RecordType {
    /// Reads the number of a record type.
    init(_ row: BoundStatement, _ column: Int32) throws(DatabaseError) {
        let number = try row.integer(column)
        guard let type = UInt16(exactly: number) else {
            throw DatabaseError(
                resultCode: .SQLITE_MISMATCH,
                message: "there is no record type \(number)"
            )
        }
        self.init(rawValue: type)
    }
}
