import Fixtures
import Samples
import Testing

@testable import Store

struct ImportTests {
    private let folder = TemporaryFolder()
    private var path: String { folder.file("store.sqlite") }

    private static func stream(_ bytes: [UInt8], _ format: SamplesFormat) -> SamplesStream {
        var rest = bytes[...]
        return SamplesStream(format, file: "x") {
            defer { rest = rest.dropFirst(3000) }
            return Array(rest.prefix(3000))
        }
    }

    private static func file(_ recording: Recording, _ format: SamplesFormat) throws -> [UInt8] {
        var bytes: [UInt8] = []
        try SamplesWriter.write(recording, as: format) { bytes += $0 }
        return bytes
    }

    /// Returns two concurrent runs, whose rows alternate.
    private static func example() throws -> Recording {
        var simulation = try Simulation()
        var recording = Recording(
            runs: [simulation.run("a"), simulation.run("b")],
            targets: simulation.targets,
            questions: simulation.questions
        )
        for number in 1...80 {
            for run: Int32 in 0...1 {
                var round = simulation.round(
                    number,
                    at: Simulation.start.advanced(by: .seconds(300 * number))
                )
                for index in round.samples.indices {
                    round.samples[index].round = Int32(recording.rounds.count)
                }
                round.rounds[0].run = run
                recording.rounds += round.rounds
                recording.samples += round.samples
            }
        }
        recording.markRounds()
        recording.sortBySending()
        return recording
    }

    @Test(arguments: SamplesFormat.allCases)
    func `an import keeps the rows of a file unchanged`(format: SamplesFormat) throws {
        let recording = try Self.example()
        let store = try Store(path: path)
        var stream = Self.stream(try Self.file(recording, format), format)
        let intake = try store.importSamples(&stream)
        #expect(intake.rounds == 160 && intake.samples == 1440 && intake.known == 0)
        #expect(try Set(store.recording().lines()) == Set(recording.lines()))
        #expect(try store.check().findings == [])
    }

    @Test(arguments: Run.Origin.allCases, SamplesFormat.allCases)
    func `rounds keep their origin`(origin: Run.Origin, format: SamplesFormat) throws {
        var recording = try Self.example()
        for index in recording.runs.indices { recording.runs[index].origin = origin }
        let store = try Store(path: path)
        var stream = Self.stream(try Self.file(recording, format), format)
        _ = try store.importSamples(&stream)
        #expect(Set(try store.rounds().map(\.run.origin)) == [origin])
        #expect(Set(try store.rollups().map(\.origin)) == [origin])
    }

    @Test func `rounds without an origin in the file are imported rounds`() throws {
        let text = "run,resolver,name,outcome,sent\na,x,a.test,timeout,2026-05-01T00:00:00Z\n"
        let store = try Store(path: path)
        var stream = Self.stream(Array(text.utf8), .csv)
        _ = try store.importSamples(&stream)
        #expect(try store.rounds().map(\.run.origin) == [.imported])
    }

    @Test func `a second import of the same file changes nothing`() throws {
        let bytes = try Self.file(try Self.example(), .csv)
        let store = try Store(path: path)
        var stream = Self.stream(bytes, .csv)
        _ = try store.importSamples(&stream)
        let (info, rollups) = (try store.info(), try store.rollups())
        stream = Self.stream(bytes, .csv)
        let intake = try store.importSamples(&stream)
        #expect(intake.rounds == 0 && intake.samples == 0 && intake.known == 1440)
        #expect(try store.info() == info)
        #expect(try store.rollups() == rollups)
    }

    @Test func `an import of a part, and then of the whole file, yields the whole`() throws {
        let recording = try Self.example()
        var part = recording
        part.samples = part.samples.enumerated().filter { $0.0 % 3 == 1 }.map(\.1)
        let store = try Store(path: path)
        for recording in [part, recording, part] {
            var stream = Self.stream(try Self.file(recording, .csv), .csv)
            _ = try store.importSamples(&stream)
        }
        // A part of a round may have the marks of a round without a connection.
        #expect(
            try Set(store.recording().withoutMarks.lines()) == Set(recording.withoutMarks.lines())
        )
        #expect(try store.recording().samples.count == 1440)
        #expect(try store.check().findings == [])
    }

    @Test(
        arguments: [("", "", .outage), (",round_marks", ",", [])] as [(String, String, RoundMarks)]
    )
    func `a part keeps its round's marks`(title: String, cell: String, marks: RoundMarks) throws {
        let rows = ["192.0.2.1", "198.51.100.1", "203.0.113.1"]
            .map { "\($0),\($0):853,tls,a.test,timeout\(cell)\n" }.joined()
        let text = "resolver,endpoint,transport,name,outcome\(title)\n\(rows)"
        let store = try Store(path: path)
        var stream = Self.stream(Array(text.utf8), .csv)
        _ = try store.importSamples(&stream)
        #expect(try store.rounds().map(\.round.marks) == [marks])
        #expect(try store.check().findings == [])
    }

    @Test func `an import recognises the samples that the store exported`() throws {
        var simulation = try Simulation()
        let store = try Store(path: path)
        _ = try simulation.fill(store, run: "r", rounds: 20)
        let before = try store.info()
        var stream = Self.stream(try Self.file(try store.recording(), .csv), .csv)
        #expect(try store.importSamples(&stream).known == 180)
        #expect(try store.info() == before)
    }

    @Test func `equal rows count as often as the file contains them`() throws {
        let row = "a,example.com,answered,12.5\n"
        let text = "resolver,name,outcome,rtt_ms\n" + String(repeating: row, count: 500)
        let store = try Store(path: path)
        for _ in 0..<2 {
            var stream = Self.stream(Array(text.utf8), .csv)
            _ = try store.importSamples(&stream)
        }
        #expect(try store.info().samples == 500)
        #expect(try store.check().findings == [])
    }

    @Test func `a round larger than a transaction is stored completely`() throws {
        var text = "resolver,name,outcome,rtt_ms,sent\n"
        for index in 0..<120_000 {
            let second = index % 60 < 10 ? "0\(index % 60)" : "\(index % 60)"
            text +=
                "r\(index % 3),example.com,answered,\(index % 977).5,2026-11-21T03:00:\(second)Z\n"
        }
        let store = try Store(path: path, durability: .off)
        var stream = Self.stream(Array(text.utf8), .csv)
        let intake = try store.importSamples(&stream)
        #expect(intake.samples == 120_000 && intake.rounds == 1)
        #expect(try store.check().findings == [])
    }

    @Test func `a round that two writers add in alternating pieces is stored once`() throws {
        var simulation = try Simulation()
        var recording = simulation.round()
        recording.runs = [simulation.run("r")]
        recording.targets = simulation.targets
        recording.questions = simulation.questions
        let samples = recording.samples
        let stores = try [Store(path: path), Store(path: path)]
        var writers = [RoundWriter(), RoundWriter()]
        for part in [samples[..<5], samples[5...]] {
            let piece = RoundPiece(
                round: recording.rounds[0],
                samples: Array(part),
                isOpen: part.endIndex < samples.count
            )
            for (index, store) in stores.enumerated() {
                try store.add([piece], of: recording, to: &writers[index])
            }
        }
        #expect(writers.map(\.result.samples) == [9, 0])
        #expect(writers.map(\.result.known) == [0, 9])
        #expect(writers.map(\.result.knownRounds) == [0, 1])
        #expect(try stores[0].info().samples == 9)
        #expect(try stores[0].check().findings == [])
    }

    @Test func `an import can be repeated after a bad row`() throws {
        let recording = try Self.example()
        let good = try Self.file(recording, .csv)
        let store = try Store(path: path)
        var stream = Self.stream(good + Array("x\n".utf8), .csv)
        let error = #expect(throws: SamplesError.self) { try store.importSamples(&stream) }
        #expect(error?.line == 1442)
        stream = Self.stream(good, .csv)
        _ = try store.importSamples(&stream)
        #expect(try Set(store.recording().lines()) == Set(recording.lines()))
        #expect(try store.check().findings == [])
    }
}

extension Recording {
    fileprivate var withoutMarks: Recording {
        var recording = self
        for index in rounds.indices { recording.rounds[index].marks = [] }
        return recording
    }
}
