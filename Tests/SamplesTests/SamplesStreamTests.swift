import Samples
import Testing

struct SamplesStreamTests {
    /// Reads `bytes` in portions of `size` bytes.
    private static func read(
        _ bytes: [UInt8],
        as format: SamplesFormat,
        portion size: Int
    ) throws -> Recording {
        var position = 0
        var stream = SamplesStream(format, file: "x") {
            defer { position = min(position + size, bytes.count) }
            return Array(bytes[position..<min(position + size, bytes.count)])
        }
        return try stream.rest()
    }

    @Test(arguments: SamplesFormat.allCases, [1, 7, 100, 1 << 20])
    func `a file in portions equals the whole file`(format: SamplesFormat, size: Int) throws {
        var bytes: [UInt8] = []
        let example = try Recording.example()
        try SamplesWriter.write(example, as: format) { bytes += $0 }
        let recording = try Self.read(bytes, as: format, portion: size)
        #expect(recording.runs.map(\.key) == example.runs.map(\.key))
        #expect(recording.rounds == example.rounds)
        #expect(recording.targets == example.targets)
        #expect(recording.questions == example.questions)
        #expect(recording.samples == example.samples)
        bytes.removeLast()
        #expect(try Self.read(bytes, as: format, portion: size).samples == example.samples)
    }

    @Test(arguments: [1, 3, 11, 1000])
    func `a line feed in a quoted cell does not end the row`(size: Int) throws {
        let text = """
            resolver,name,outcome,detail
            "a""
            b",example.com,timeout,x""y
            c,example.com,timeout,"one,
            two"

            d,example.com,timeout,
            """
        let recording = try Self.read(Array(text.utf8), as: .csv, portion: size)
        #expect(recording.targets.map(\.label) == ["a\"\nb", "c", "d"])
        #expect(
            recording.samples.map(\.observation.extras?.detail)
                == ["x\"\"y", "one,\ntwo", nil].map { $0.map(Detail.init(_:)) }
        )
    }

    @Test(arguments: [
        (
            SamplesFormat.csv, "resolver,name,outcome\na,b.example,timeout\n\na,b.example,x\n",
            "x, line 4, column outcome: 'x' is none of"
        ),
        (.csv, "", "x, line 1, column resolver: the header lacks this column"),
        (
            .jsonLines,
            """
            {"resolver":"a","name":"b","outcome":"timeout"}

            {"resolver":"a"}
            """,
            "x, line 3, column name: this key is missing"
        ),
    ])
    func `an error names its line`(format: SamplesFormat, text: String, message: String) throws {
        for size in [1, 5, 100] {
            let error = #expect(throws: SamplesError.self) {
                try Self.read(Array(text.utf8), as: format, portion: size)
            }
            #expect(error?.description.hasPrefix(message) == true)
        }
    }

    @Test func `an empty file of JSON lines has no samples`() throws {
        #expect(try Self.read([], as: .jsonLines, portion: 10).samples.isEmpty)
    }

    /// Expects an error from a file that begins with `start` and repeats `filler` without end. The error must
    /// occur before 3 MiB are read.
    private static func expectNoWait(
        _ format: SamplesFormat,
        _ start: String,
        _ filler: String,
        _ message: String
    ) {
        let portion = Array(String(repeating: filler, count: (1 << 16) / filler.utf8.count).utf8)
        var portions = 0
        var stream = SamplesStream(format, file: "x") {
            defer { portions += 1 }
            return portions == 0 ? Array(start.utf8) : portion
        }
        let error = #expect(throws: SamplesError.self) { while try stream.next() != nil {} }
        #expect(error?.description == message)
        #expect(portions < 48)
    }

    @Test(arguments: [
        (SamplesFormat.csv, "resolver,name,outcome\na,b.example,timeout\n", "a", 3),
        (.csv, "resolver,name,outcome\na,\"", "a", 2), (.csv, "x", "a", 1),
        (.csv, "resolver,name,outcome\na,\"", "\n", 2), (.csv, "\"x", "\n", 1),
        (.jsonLines, "x", "a", 1),
        (
            .jsonLines, "{\"resolver\":\"a\",\"name\":\"n\",\"outcome\":\"timeout\"}\n{\"x\":\"",
            "a", 2
        ),
    ])
    func `a row without an end is an error`(
        format: SamplesFormat,
        start: String,
        filler: String,
        line: Int
    ) {
        let message = "x, line \(line): is longer than a row can be"
        Self.expectNoWait(format, start, filler, message)
    }

    @Test(arguments: [
        ("resolver,name,outcome\na,\"", "line 2: has more cells than the header, which has 3"),
        ("resolver,\"", "line 1: the header has more than 1000 columns"),
    ])
    func `an endless number of cells is an error`(start: String, message: String) {
        Self.expectNoWait(.csv, start, "\",\"\n", "x, \(message)")
    }
}
