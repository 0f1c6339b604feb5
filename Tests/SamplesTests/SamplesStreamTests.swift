import Samples
import Testing

struct SamplesStreamTests {
    /// Reads `bytes` in portions of `size`.
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
    func `a file read in portions is the whole file`(format: SamplesFormat, size: Int) throws {
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
    func `a line feed in a quoted cell ends no row`(size: Int) throws {
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
            recording.samples.map(\.observation.extras?.detail) == ["x\"\"y", "one,\ntwo", nil]
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
    func `an error names the line of the whole file`(
        format: SamplesFormat,
        text: String,
        message: String
    ) throws {
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

    @Test(arguments: [
        (SamplesFormat.csv, "resolver,name,outcome\na,b.example,timeout\n", 3),
        (.csv, "resolver,name,outcome\na,\"", 2), (.csv, "x", 1), (.jsonLines, "x", 1),
        (.jsonLines, "{\"resolver\":\"a\",\"name\":\"n\",\"outcome\":\"timeout\"}\n{\"x\":\"", 2),
    ])
    func `a row without an end is not waited for`(
        format: SamplesFormat,
        start: String,
        line: Int
    ) throws {
        var octets = 0
        var stream = SamplesStream(format, file: "x") {
            defer { octets += 1 << 16 }
            return octets == 0 ? Array(start.utf8) : Array(repeating: 0x61, count: 1 << 16)
        }
        let error = #expect(throws: SamplesError.self) { while try stream.next() != nil {} }
        #expect(error?.description == "x, line \(line): is longer than a row can be")
        #expect(octets < 3 << 20)
    }
}
