import DNSWire
import Samples
import Testing

/// Samples files in the formats that spreadsheet programs save.
struct SpreadsheetTests {
    private static func read(_ bytes: [UInt8], portion size: Int = 1 << 16) throws -> Recording {
        var rest = bytes[...]
        var stream = SamplesStream(.csv, file: "x.csv") {
            defer { rest = rest.dropFirst(size) }
            return Array(rest.prefix(size))
        }
        return try stream.rest()
    }

    private static func read(_ text: String) throws -> Recording { try read(Array(text.utf8)) }

    private static func utf16(_ text: String, bigEndian: Bool) -> [UInt8] {
        ("\u{feff}" + text).utf16.flatMap { unit -> [UInt8] in
            let (high, low) = (UInt8(unit >> 8), UInt8(unit & 0xff))
            return bigEndian ? [high, low] : [low, high]
        }
    }

    /// Returns the samples of a recording, one per line.
    private static func lines(_ recording: Recording) -> [String] {
        recording.samples.map { sample in
            let time = sample.observation.roundTrip.map { "\($0)" } ?? "-"
            let target = recording.targets[Int(sample.target)]
            let question = recording.questions[Int(sample.question)]
            return "\(target.label) \(question.name) \(sample.observation.outcome) \(time)"
        }
    }

    private static let header = "resolver;name;outcome;rtt_ms\n"
    private static let expected = ["héma example.com answered 12500000", "b example.com timeout -"]

    @Test(arguments: [
        "resolver,name,outcome,rtt_ms\nhéma,example.com,answered,12.5\nb,example.com,timeout,\n",
        "resolver;name;outcome;rtt_ms\r\nhéma;example.com;answered;12,5\r\n"
            + "b;example.com;timeout;\r\n",
        "\"resolver\";\"name\";\"outcome\";\"rtt_ms\"\n\"héma\";example.com;answered;\"12,5\"\n"
            + "b;example.com;timeout;\n",
        "resolver\tname\toutcome\trtt_ms\nhéma\texample.com\tanswered\t12.5\n"
            + "b\texample.com\ttimeout\t\n",
        "sep=;\r\nresolver;name;outcome;rtt_ms\r\nhéma;example.com;answered;12,500\r\n"
            + "b;example.com;timeout;\r\n",
        "\"sep=,\"\nresolver,name,outcome,rtt_ms\nhéma,example.com,answered,12.5\n"
            + "b,example.com,timeout,\n",
        "resolver;\"a,b\";name;outcome;rtt_ms\nhéma;1,5;example.com;answered;1,25e1\n"
            + "b;;example.com;timeout;\n",
    ])
    func `the header determines the separator of cells`(text: String) throws {
        #expect(try Self.lines(Self.read(text)) == Self.expected)
        for bigEndian in [false, true] {
            for size in [1, 3, 1 << 16] {
                let bytes = Self.utf16(text, bigEndian: bigEndian)
                #expect(try Self.lines(Self.read(bytes, portion: size)) == Self.expected)
            }
        }
    }

    @Test func `text keeps its commas and its characters beyond 16 bits`() throws {
        let text = "resolver;name;outcome;detail\n\u{1f642};example.com;timeout;a, b.c\n"
        for size in [1, 2, 5] {
            let recording = try Self.read(Self.utf16(text, bigEndian: false), portion: size)
            #expect(recording.targets.map(\.label) == ["\u{1f642}"])
            #expect(recording.samples.first?.observation.extras?.detail == Detail("a, b.c"))
        }
    }

    @Test(arguments: [
        ("\(header)a;b;answered;1,5\na;b;answered;2.5\n", "line 3, column rtt_ms: has points"),
        ("\(header)a;b;answered;1.234,5\n", "line 2, column rtt_ms: has points"),
        ("\(header)a;b;answered;1,234,567\n", "save it with decimal points"),
        ("resolver,name,outcome,rtt_ms\na,b,answered,\"1,5\"\n", "rtt_ms: '1,5' is no number"),
        ("sep=;\nresolver,name,outcome\n", "line 2, column resolver: the header lacks"),
        ("sep=;\nresolver;name;outcome\na;b\n", "line 3: has 2 cells where the header has 3"),
        ("sep=x\nresolver;name;outcome\n", "line 1, column resolver: the header lacks"),
        ("sep=;", "column resolver: the header lacks"),
        ("r\0e\0s\0o\0l\0v\0e\0r\0", "line 1: is no UTF-8: save the file as CSV in UTF-8"),
    ])
    func `an ambiguous file is rejected with its line`(text: String, words: String) {
        let error = #expect(throws: SamplesError.self) { try Self.read(text) }
        #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
    }
}
