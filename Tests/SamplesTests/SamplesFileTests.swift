import DNSWire
import Samples
import Testing

struct SamplesFileTests {
    private static func write(_ recording: Recording, as format: SamplesFormat) throws -> [UInt8] {
        var bytes: [UInt8] = []
        try SamplesWriter.write(recording, as: format) { bytes += $0 }
        return bytes
    }

    private static func read(_ text: String, as format: SamplesFormat = .csv) throws -> Recording {
        try Recording.read(Array(text.utf8), as: format, file: "x.\(format.rawValue)")
    }

    @Test(arguments: SamplesFormat.allCases)
    func `written samples are read unchanged`(format: SamplesFormat) throws {
        let recording = try Recording.example()
        let bytes = try Self.write(recording, as: format)
        let again = try Recording.read(bytes, as: format, file: "x")
        #expect(again.runs.map(\.key) == recording.runs.map(\.key))
        #expect(again.rounds == recording.rounds)
        #expect(again.targets == recording.targets)
        #expect(again.questions == recording.questions)
        #expect(again.samples == recording.samples)
    }

    @Test(arguments: SamplesFormat.allCases)
    func `names with any bytes are read unchanged`(format: SamplesFormat) throws {
        var recording = try Recording.example()
        let names = ["a\\058//b.example", Self.name(ofLabels: 3)]
        for (index, name) in names.enumerated() {
            recording.questions[index].name = try DomainName(name)
        }
        let bytes = try Self.write(recording, as: format)
        let again = try Recording.read(bytes, as: format, file: "x")
        #expect(again.questions == recording.questions)
    }

    @Test func `different spellings of an endpoint are one endpoint`() throws {
        let places = ["[2001:DB8::1]:53", "[2001:db8:0::1]:53", "[2001:db8::1]:53"]
        let rows = places.map { "x,\($0),udp,example.com,A,answered,1.000" }
        let head = "resolver,endpoint,transport,name,type,outcome,rtt_ms"
        let recording = try Self.read(([head] + rows + [""]).joined(separator: "\n"))
        #expect(recording.targets.map(\.endpoint) == ["[2001:db8::1]:53"])
        #expect(recording.samples.map(\.target) == [0, 0, 0])
    }

    @Test func `names that differ only in case are one question`() throws {
        let rows = ["a.test", "A.test", "a.TEST", "b.test"].map { "x,\($0),timeout\n" }.joined()
        let recording = try Self.read("resolver,name,outcome\n\(rows)")
        #expect(recording.questions.map(\.name.description) == ["a.test", "b.test"])
        #expect(recording.samples.map(\.question) == [0, 0, 0, 1])
    }

    @Test func `the columns of a CSV file are stable`() throws {
        let text = String(decoding: try Self.write(.example(), as: .csv), as: UTF8.self)
        let lines = text.split(separator: "\n")
        #expect(
            lines[0] == """
                run,round,scheduled,sent,vantage,resolver,endpoint,transport,series,name,type,\
                outcome,rcode,rtt_ms,connect_ms,handshake_ms,udp_ms,ttl,answers,bytes,late_ms,\
                clock,timeout_ms,cache,site,ede,connection,detail,flags,round_marks,origin,\
                network_rtt_ms,edge_ms,warmup_hits,warmup_misses,warmup_miss_ms,cause,cause_value,\
                wire_bytes_out,wire_bytes_in,wire_packets
                """
        )
        #expect(
            lines[1] == """
                20261121T033512Z-0badcafe,1,2026-11-21T03:35:12.122456Z,\
                2026-11-21T03:35:12.123456789Z,here,home,[fe80::1%eth0]:53,udp,cached,\
                example.com,A,answered,NOERROR,14.200,,,,4294967295,0,512,1.000,kernel,5000.000,\
                hit,,,,,,,import,,,,,,,,,,
                """
        )
        #expect(lines[2].contains(#","'=cmd, ""x""",'+plus,127.0.0.1:853,tls,uncached,"#))
        let blocked = ",blocked,,,,,,,,,0.000,kernel-rx,1500.000,,,,,,,,import,,,,,,,,,,"
        #expect(lines[8].hasSuffix(blocked))
    }

    @Test func `an unknown cause of a later version is read as nil`() throws {
        let rows = ["x,a.test,timeout,later-word,1", "x,a.test,timeout,no-tcp,Connection refused"]
        let head = "resolver,name,outcome,cause,cause_value"
        let recording = try Self.read(([head] + rows + [""]).joined(separator: "\n"))
        #expect(
            recording.samples.map(\.observation.extras?.cause) == [
                nil, FailureCause(.noTCP, "Connection refused"),
            ]
        )
    }

    @Test func `JSON lines have the columns as keys`() throws {
        let text = String(decoding: try Self.write(.example(), as: .jsonLines), as: UTF8.self)
        #expect(
            text.split(separator: "\n").first == """
                {"run":"20261121T033512Z-0badcafe","round":1,\
                "scheduled":"2026-11-21T03:35:12.122456Z","sent":"2026-11-21T03:35:12.123456789Z",\
                "vantage":"here","resolver":"home","endpoint":"[fe80::1%eth0]:53",\
                "transport":"udp","series":"cached","name":"example.com","type":"A",\
                "outcome":"answered","rcode":"NOERROR","rtt_ms":14.200,"connect_ms":null,\
                "handshake_ms":null,"udp_ms":null,"ttl":4294967295,"answers":0,"bytes":512,\
                "late_ms":1.000,"clock":"kernel","timeout_ms":5000.000,"cache":"hit","site":null,\
                "ede":null,"connection":null,"detail":null,"flags":null,"round_marks":null,\
                "origin":"import","network_rtt_ms":null,"edge_ms":null,\
                "warmup_hits":null,"warmup_misses":null,"warmup_miss_ms":null,\
                "cause":null,"cause_value":null,\
                "wire_bytes_out":null,"wire_bytes_in":null,"wire_packets":null}
                """
        )
    }

    @Test(arguments: [
        ("\u{1b}[31mred\u{7f}\u{85}", #"\027[31mred\127\194\133"#), ("a\r\nb", #"a\013\010b"#),
    ])
    func `control characters do not reach a spreadsheet or a terminal`(
        detail: String,
        cell: String
    ) throws {
        var recording = try Recording.example()
        recording.samples = [recording.samples[0]]
        recording.samples[0].observation.extras = .init(detail: Detail(detail))
        let csv = String(decoding: try Self.write(recording, as: .csv), as: UTF8.self)
        #expect(csv.hasSuffix(",\(cell),,,import,,,,,,,,,,\n"))
        let lines = try Self.write(recording, as: .jsonLines)
        #expect(lines.allSatisfy { $0 == 0x0a || (0x20..<0x7f).contains($0) })
        let again = try Recording.read(lines, as: .jsonLines, file: "x")
        #expect(again.samples == recording.samples)
    }

    @Test(
        arguments: [
            (",flags", ",later unverified slept", [.unverified, .slept]),
            (",flags", ",", []),
            // Files of versions without flags have no such column.
            ("", "", [.unverified, .strays, .clockStep, .noEvidence, .slept, .tampering]),
        ] as [(String, String, SampleFlags)]
    )
    func `flags are read from their column, or from the details of old files`(
        title: String,
        cell: String,
        flags: SampleFlags
    ) throws {
        let words =
            "certificate not verified; ignored 1 with a wrong ID; the clock was set by 1.0 seconds"
            + "; no evidence; the machine slept; untruth: lies"
        let recording = try Self.read(
            "resolver,name,outcome,detail\(title)\nr,n,timeout,\(words)\(cell)\n"
        )
        #expect(recording.samples.map(\.observation.flags) == [flags])
    }

    @Test(arguments: SamplesFormat.allCases)
    func `a part of a round keeps the marks of the round`(format: SamplesFormat) throws {
        var recording = try Recording.example()
        let addresses = ["192.0.2.1", "198.51.100.1", "203.0.113.1", "192.0.2.9"]
        recording.runs = [.example]
        recording.rounds = [Round(number: 1)]
        recording.targets = addresses.map {
            Recording.Target(label: $0, endpoint: "\($0):853", transport: "tls", series: .cached)
        }
        recording.samples = addresses.indices.map { index in
            Sample(
                round: 0,
                target: Int32(index),
                question: 0,
                scheduled: Timestamp(nanoseconds: 0),
                observation: Observation(outcome: index < 3 ? .timeout : .answered)
            )
        }
        recording.markRounds()
        recording.samples.removeLast()
        let bytes = try Self.write(recording, as: format)
        let again = try Recording.read(bytes, as: format, file: "x")
        #expect(again.samples.count == 3)
        #expect(again.rounds.map(\.marks) == [[]])
    }

    @Test(
        arguments: [
            ("", "", .outage), (",round_marks", ",", []), (",round_marks", ",again", .again),
        ] as [(String, String, RoundMarks)]
    )
    func `samples determine missing marks`(title: String, cell: String, marks: RoundMarks) throws {
        let rows = ["192.0.2.1", "198.51.100.1", "203.0.113.1"]
            .map { "\($0),\($0):53,n,timeout\(cell)\n" }.joined()
        let recording = try Self.read("resolver,endpoint,name,outcome\(title)\n\(rows)")
        #expect(recording.rounds.map(\.marks) == [marks])
    }

    @Test(arguments: [
        (
            SamplesFormat.csv,
            """
            \u{feff}colour,outcome,rtt_ms,name,resolver,"rcode"\r
            blue,answered,1.5,example.com,"home",NXDOMAIN\r
            \r
            "a ""b"",
            c",timeout,,example.com,home,\r
            """
        ),
        (
            .jsonLines,
            """
            \u{feff}{ "colour": "\\ud83d\\ude42", "rtt_ms": 1.5, "name" : "example.com",
            """ + #" "resolver":"\u0068ome", "outcome":"answered","rcode":"NXDOMAIN"}"#
                + "\r\n\n" + #"{"name":"example.com","resolver":"home","outcome":"timeout"}"#
        ),
    ])
    func `unknown columns are ignored`(format: SamplesFormat, text: String) throws {
        let recording = try Self.read(text, as: format)
        #expect(
            recording.targets == [
                .init(label: "home", endpoint: "", transport: "udp", series: .cached)
            ]
        )
        #expect(recording.samples.count == 2)
        var answered = Observation(outcome: .answered, clock: nil)
        answered.responseCode = .nxDomain
        answered.roundTrip = 1_500_000
        #expect(recording.samples.first?.observation == answered)
        #expect(recording.samples.last?.observation == Observation(outcome: .timeout, clock: nil))
        #expect(recording.runs.map(\.key) == [Run(id: "", vantage: "", timeout: .seconds(5)).key])
    }

    @Test(
        arguments: [
            ("5000", 5_000_000_000), ("0.0000015", 2), ("1.5e-3", 1500), ("12.345678", 12_345_678),
        ] as [(String, Int64)]
    )
    func `milliseconds are read to the nanosecond`(text: String, nanoseconds: Int64) throws {
        let recording = try Self.read("resolver,name,outcome,rtt_ms\nr,n,answered,\(text)\n")
        #expect(recording.samples.first?.observation.roundTrip == nanoseconds)
    }

    @Test(arguments: [
        ("", "line 1, column resolver:"),
        ("resolver,name,outcome,name\n", "line 1, column name:"),
        ("resolver,name,outcome" + String(repeating: ",", count: 998) + "\n", "than 1000 columns"),
        ("resolver,name,outcome\nr,n\n", "line 2: has 2 cells where the header has 3"),
        ("resolver,name,outcome\nr,n,answered,\n", "line 2: has more cells than the header, which"),
        ("resolver,name,outcome\n,n,timeout\n", "line 2, column resolver: is empty"),
        ("resolver,name,outcome\n\nr,n,\"lost\n", "line 3: a quoted cell"),
        ("resolver,name,outcome\nr,n,lost\n", "line 2, column outcome: 'lost' is none of answered"),
        ("resolver,name,outcome\nr,n,\n", "line 2, column outcome: is empty"),
        ("resolver,name,outcome\nr,a..b,timeout\n", "line 2, column name: 'a..b'"),
        ("resolver,name,outcome,type\nr,n,timeout,AAAAA\n", "column type: 'AAAAA'"),
        ("resolver,name,outcome,rcode\nr,n,failed,NO\n", "column rcode: 'NO'"),
        ("resolver,name,outcome,rtt_ms\nr,n,answered,-1\n", "column rtt_ms: '-1'"),
        ("resolver,name,outcome,rtt_ms\nr,n,answered,1e300\n", "column rtt_ms: '1e300'"),
        ("resolver,name,outcome,rtt_ms\nr,n,answered,nan\n", "column rtt_ms: 'nan'"),
        ("resolver,name,outcome,ttl\nr,n,answered,4294967296\n", "column ttl: '4294967296'"),
        ("resolver,name,outcome,sent\nr,n,answered,now\n", "column sent: 'now'"),
        ("resolver,name,outcome,sent\nr,\"\n\n\",answered,now\n", "line 2, column"),
        ("resolver,name,outcome,sent\nr,n,answered,999999-01-01T00:00:00Z", "column sent:"),
        ("resolver,name,outcome,rtt_ms\nr,n,answered,1e999\n", "column rtt_ms: '1e999'"),
        ("resolver,name,outcome,rtt_ms\nr,n,answered,3153600000001\n", "column rtt_ms: '315360"),
        ("resolver,name,outcome,type\nr,n,timeout,\(long)\n", "column type: is longer than 255"),
        ("resolver,name,outcome\n\(long),n,timeout\n", "column resolver: is longer than 255"),
        ("resolver,name,outcome\n\(hidden),n,timeout\n", "column resolver: is longer than 255"),
        ("resolver,name,outcome\nr,\(long),timeout\n", "column name: 'éé"),
        ("resolver,name,outcome\nr,\(name(ofLabels: 4)),timeout\n", "column name: '\\255\\255"),
        ("resolver,name,outcome,endpoint\nr,n,timeout,\(long)\n", "column endpoint: is longer"),
        ("resolver,name,outcome,run\nr,n,timeout,\(long)\n", "column run: is longer"),
        ("resolver,name,outcome,vantage\nr,n,timeout,\(long)\n", "column vantage: is longer"),
        ("resolver,name,outcome,transport\nr,n,timeout,\(long)\n", "column transport: is longer"),
    ])
    func `an error in a cell names file, line and column`(text: String, words: String) {
        let error = #expect(throws: SamplesError.self) { try Self.read(text) }
        #expect(error?.description.hasPrefix("x.csv, ") == true)
        #expect(error?.description.contains(words) == true)
        #expect((error?.description.count ?? 0) < 200)
    }

    private static let long = String(repeating: "é", count: 128)
    /// A text that is within the limit only before its control characters are escaped.
    private static let hidden = String(repeating: "\u{1}", count: 64)

    /// Returns a name of `count` labels with the maximum length of 63 bytes. Each byte is written as an
    /// escape.
    private static func name(ofLabels count: Int) -> String {
        let label = String(repeating: "\\255", count: 63)
        return Array(repeating: label, count: count).joined(separator: ".")
    }

    @Test func `long texts are cut to their limits`() throws {
        let recording = try Self.read(
            "resolver,name,outcome,site,ede,detail\nr,n,timeout,\(Self.long),\(Self.long),"
                + "certificate not verified \(Self.long)\(Self.long)\n"
        )
        let extras = try #require(recording.samples.first?.observation.extras)
        #expect(extras.site == String(repeating: "é", count: 62) + "…")
        #expect(extras.extendedErrors == extras.site)
        #expect(extras.detail?.description.count == 200)
        #expect(extras.detail?.description.hasSuffix("é…") == true)
        #expect(extras.flags == .unverified)
    }

    @Test(arguments: [
        ("[]", "a line is one object"), ("{\"name\":1", "does not end"), ("{name:1}", "a key is"),
        ("{\"name\" 1}", "colon"), ("{\"name\":[1]}", "a value is"), ("{} {}", "something follows"),
        ("{\"name\":\"a", "a string does not end"), ("{\"name\":\"\\x\"}", "an escape"),
        ("{\"name\":\"\\u12\"}", "four hexadecimal"), ("{\"name\":\"n\"}", "column resolver"),
        ("{\"name\":\"\\", "does not end"),
    ])
    func `an error names a line that is not a JSON object`(line: String, words: String) {
        let error = #expect(throws: SamplesError.self) {
            try Self.read("\n" + line, as: .jsonLines)
        }
        #expect(error?.description.hasPrefix("x.jsonl, line 2") == true)
        #expect(error?.description.contains(words) == true)
    }

    @Test func `samples are written in pieces as they arrive`() throws {
        let recording = try Recording.example()
        var pieces: [Int] = []
        var writer = SamplesWriter(.csv, for: recording) { pieces.append($0.count) }
        for _ in 0..<1000 { try writer.append(recording.samples) }
        #expect(pieces.count > 10)
        try writer.flush()
        let count = pieces.count
        try writer.flush()
        #expect(pieces.count == count)
        #expect(pieces.allSatisfy { $0 < 70_000 })
    }
}

extension Recording {
    /// Reads all samples of a file in memory.
    fileprivate static func read(
        _ bytes: [UInt8],
        as format: SamplesFormat,
        file: String
    ) throws -> Recording {
        var rest = bytes
        var stream = SamplesStream(format, file: file) {
            defer { rest = [] }
            return rest
        }
        return try stream.rest()
    }
}
