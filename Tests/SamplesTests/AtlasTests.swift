import DNSWire
import Foundation
import Samples
import Testing

/// Results of RIPE Atlas, created from its documentation and from the output of its probes (evtdns.c).
/// dnspython created their messages.
struct AtlasTests {
    private static func fixture() throws -> [UInt8] {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
        return [UInt8](try Data(contentsOf: folder.appending(path: "Fixtures/atlas.json")))
    }

    private static func stream(_ bytes: [UInt8], portion size: Int = 1 << 16) -> SamplesStream {
        var rest = bytes[...]
        return SamplesStream(.atlas, file: "x") {
            defer { rest = rest.dropFirst(size) }
            return Array(rest.prefix(size))
        }
    }

    private static func read(_ bytes: [UInt8], portion size: Int = 1 << 16) throws -> Recording {
        var stream = stream(bytes, portion: size)
        return try stream.rest()
    }

    private static func read(_ text: String) throws -> Recording { try read(Array(text.utf8)) }

    /// Returns one result. `members` replace or extend the usual members.
    private static func result(_ members: [String: String]) -> String {
        var usual = [
            "type": "\"dns\"", "fw": "5080", "msm_id": "1", "prb_id": "2",
            "timestamp": "1714561200", "dst_addr": "\"192.0.2.53\"", "proto": "\"UDP\"",
            "qbuf": "\"EjQBAAABAAAAAAAABHRlc3QAAAEAAQ==\"", "result": "{\"rt\":1.5,\"size\":40}",
        ]
        usual.merge(members) { $1 }
        let keys = usual.keys.sorted()
        return "{" + keys.map { "\"\($0)\":\(usual[$0] ?? "")" }.joined(separator: ",") + "}"
    }

    /// Returns the values of a sample in one line.
    private static func line(_ sample: Sample, of recording: Recording) -> String {
        let (observation, target) = (sample.observation, recording.targets[Int(sample.target)])
        let run = recording.runs[Int(recording.rounds[Int(sample.round)].run)]
        let question = recording.questions[Int(sample.question)]
        let milliseconds = [observation.roundTrip, observation.extras?.connect].map { time in
            time.map { "\(Double($0) / 1e6)" } ?? "-"
        }
        return
            ([run.id, run.vantage, target.label, target.endpoint, "\(target.transport)"]
            + ["\(target.series)", "\(question.name)", "\(question.type)"]
            + ["\(observation.outcome)", observation.responseCode?.description ?? "-"]
            + milliseconds)
            .joined(separator: " ")
    }

    @Test func `each query is a sample with the values of its keys and messages`() throws {
        let recording = try Self.read(Self.fixture())
        let udp = "192.0.2.53 192.0.2.53:53 udp cached example.com A"
        let tcp = "192.0.2.53 192.0.2.53:53 tcp first example.com A"
        #expect(
            recording.samples.map { Self.line($0, of: recording) } == [
                "atlas-1001 probe-12 \(udp) answered NOERROR 12.345 -",
                "atlas-1002-group-1000 probe-12 ns.example [2001:db8::53]:53 udp cached "
                    + "nowhere.example A answered NXDOMAIN 38.577 -",
                "atlas-1001 probe-13 \(udp) failed SERVFAIL 101.2 -",
                "atlas-1001 probe-14 \(udp) filtered NOERROR 3.25 -",
                "atlas-1001 probe-15 \(udp) answered NOERROR 4.5 -",
                "atlas-1003 probe-11 \(tcp) answered NOERROR 40.5 -",
                "atlas-1003 probe-12 \(tcp) answered NOERROR 20.25 20.25",
                "atlas-1004 probe-12 dot.example 192.0.2.53:853 tls first example.com A "
                    + "answered NOERROR 25.0 50.125",
                "atlas-1005 probe-11 system 192.168.1.1:53 udp cached example.com A "
                    + "answered NOERROR 1.75 -",
                "atlas-1005 probe-11 system-2 10.1.1.1:53 udp cached example.com A timeout - - -",
                "atlas-1006 probe-11 192.0.2.53 192.0.2.53:53 udp cached hostname.bind TXT "
                    + "answered NOERROR 9.5 -",
                "atlas-1001 probe-16 \(udp) malformed - 7.0 -",
                "atlas-1001 probe-17 \(udp) malformed - 8.0 -",
                "atlas-1001 probe-18 \(udp) answered - 6.0 -",
                "atlas-1008 probe-11 127.0.0.1 127.0.0.1:53 udp cached example.com A "
                    + "unreachable - - -",
                "atlas-1001 probe-11 \(udp) timeout - - -",
                "atlas-1004 probe-13 dot.example 192.0.2.53:853 tls first example.com A "
                    + "unreachable - - -",
                "atlas-1004 probe-14 dot.example  tls first example.com A unreachable - - -",
                "atlas-1007 probe-11 192.0.2.53 192.0.2.53:53 udp cached unknown.invalid A "
                    + "timeout - - -",
                "atlas-1005 probe-12 system  udp cached example.com A offline - - -",
            ]
        )
        #expect(recording.runs.allSatisfy { $0.origin == .imported && $0.timeout == .seconds(5) })
        #expect(recording.samples.allSatisfy { $0.observation.clock == .user })
        #expect(Set(recording.rounds.map(\.number)) == [7_537_621])
    }

    @Test func `values of messages are in columns or in the detail`() throws {
        let samples = try Self.read(Self.fixture()).samples
        let answered = try #require(samples.first).observation
        #expect(answered.ttl == 300 && answered.answers == 2 && answered.size == 93)
        #expect(answered.extras?.site == "s1.ams" && answered.extras?.extendedErrors == "3")
        let words = samples.map { $0.observation.extras?.detail?.description ?? "" }
        let end = "RIPE Atlas probe, firmware 5080; sent to the second"
        #expect(
            words == [
                "retried, last of 2 tries; \(end)", end, end, end, "truncated; \(end)",
                "rtt_ms includes opening the connection; "
                    + "RIPE Atlas probe, firmware 5020; sent to the second",
                end, "connect_ms includes the handshake; \(end)", end, end,
                "class CH; \(end)", "the response ends inside a record; \(end)",
                "the response has another question; \(end)", "response code not kept; \(end)",
                "TU_BAD_ADDR; \(end)", end, "TUCONNECT: Connection refused; \(end)",
                "TUDNS: temporary failure in name resolution; \(end)", end,
                "nameserver: no local resolvers found; \(end)",
            ]
        )
        // A probe checks only the certificates of HTTPS.
        let flagged = samples.indices.filter { samples[$0].observation.flags == .unverified }
        #expect(flagged == [7, 16, 17])
        #expect(samples.map(\.observation.flags).allSatisfy { $0 == .unverified || $0 == [] })
        #expect(samples.map(\.scheduled.description).last == "2024-05-01T11:00:21.000000Z")
        #expect(samples[9].observation.sent?.description == "2024-05-01T11:00:13.000000Z")
    }

    @Test func `results that are not complete samples are counted`() throws {
        var stream = Self.stream(try Self.fixture())
        _ = try stream.rest()
        let remarks = try #require(stream.atlasRemarks)
        #expect(remarks.others == ["ping": 1])
        #expect(remarks.withoutResult == 1 && remarks.withoutQuestion == 1)
        #expect(remarks.undivided == 1)
    }

    @Test(arguments: [1, 7, 1000])
    func `an array in portions equals one object per line`(size: Int) throws {
        let bytes = try Self.fixture()
        let whole = try Self.read(bytes)
        #expect(try Self.read(bytes, portion: size).samples == whole.samples)
        let text = String(decoding: bytes, as: UTF8.self)
        let lines = text.split(separator: "\n").map { line in
            line.trimmingPrefix("[").replacing(/[\],]$/, with: "")
        }
        let apart = try Self.read(Array(lines.joined(separator: "\n").utf8), portion: size)
        #expect(apart.samples == whole.samples)
        #expect(SamplesFormat.recognised(in: bytes) == .atlas)
        #expect(SamplesFormat.recognised(in: Array(lines.joined().utf8)) == .atlas)
    }

    @Test(
        arguments: [
            ("AAeFBQABAAAAAAAABHRlc3QAAAEAAQAAKRAAAAAAAAAA", Outcome.failed, ResponseCode.refused),
            ("AAeBgAABAAAAAAAABHRlc3QAAAEAAQAAKRAAAAAAAAAA", .answered, .noError),
        ]
    )
    func `an answer with an uncounted OPT record has a flag`(
        message: String,
        outcome: Outcome,
        code: ResponseCode
    ) throws {
        let recording = try Self.read(Self.result(["result": "{\"rt\":1,\"abuf\":\"\(message)\"}"]))
        let observation = try #require(recording.samples.first?.observation)
        #expect(observation.outcome == outcome && observation.responseCode == code)
        #expect(observation.flags == .trailingBytes && observation.extras?.cause == nil)
    }

    @Test func `an error with a broken message has a cause`() throws {
        let errors = [
            ("\"error\":{\"idmismatch\":1}", FailureCause(.message, "has another ID")),
            ("\"error\":{\"timeout\":5000}", nil),
        ]
        for (error, cause) in errors {
            let text =
                #"{"type":"dns","msm_id":1,"prb_id":1,"timestamp":1714561215,"#
                + #""dst_addr":"192.0.2.1",\#(error)}"#
            let recording = try Self.read(Array(text.utf8))
            #expect(recording.samples.map(\.observation.extras?.cause) == [cause], "\(error)")
        }
    }

    @Test func `samples files of this program are recognised by their format`() throws {
        for format in SamplesFormat.allCases {
            var bytes: [UInt8] = []
            try SamplesWriter.write(.example(), as: format) { bytes += $0 }
            let found = SamplesFormat.recognised(in: bytes)
            #expect(found == (format == .csv ? nil : format))
        }
    }

    @Test func `rows that wait for a name are limited by their size in bytes`() throws {
        let detail = String(repeating: "x", count: 1_000_000)
        let rows = (1...20).map { probe in
            Self.result([
                "qbuf": "null", "prb_id": "\(probe)", "dnstempo": "{\"detail\":\"\(detail)\"}",
            ])
        }
        var stream = Self.stream(Array((rows + [Self.result([:])]).joined(separator: "\n").utf8))
        let recording = try stream.rest()
        let names = recording.samples.map { recording.questions[Int($0.question)].name.description }
        // Up to 16 MiB of rows can wait for a name. The other rows are kept without a name.
        #expect(names.count == 20 + 1 && names.count { $0 == "test" } == 16 + 1)
        #expect(stream.atlasRemarks?.withoutQuestion == 4)
    }

    @Test func `lost and answered queries are in one round`() throws {
        let lost = Self.result(["result": "null", "error": "{\"timeout\":4000}"])
        let recording = try Self.read([Self.result([:]), lost].joined(separator: "\n"))
        #expect(recording.runs.map(\.timeout) == [.seconds(5)])
        #expect(recording.rounds.count == 1)
        #expect(recording.samples.map(\.observation.outcome) == [.answered, .timeout])
        let detail = recording.samples.last?.observation.extras?.detail?.description
        #expect(detail?.hasPrefix("timed out after 4s; ") == true)
    }

    @Test(arguments: [
        ("x", "byte 1: a result is an object, in { }"),
        ("[1]", "byte 2: a result is an object, in { }"),
        ("[{}{}]", "byte 4: a comma is missing between two results"),
        ("[{},]", "byte 5: a result is an object, in { }"), ("[{}", "byte 4: the array of"),
        ("[", "byte 2: the array of results does not end"), ("{\"a", "byte 1: a result does not"),
        ("\n {\"a\":\n x}", "line 3, byte 10: a value is a string, a number, an object"),
        ("{\"a\":\"\\x\"}", "byte 9: a string has an escape"), ("{a}", "byte 2: a key is"),
        ("{\"a\":[1", "byte 1: a result does not end"), ("{\"a\":[1}", "byte 8: an array does"),
        ("{\"a\":01-}", "byte 6: a value is"), ("{\"a\":nan}", "byte 6: a value is"),
        (deep, "byte 37: objects and arrays are nested more than 32 levels deep"),
    ])
    func `an error in JSON names its line and byte`(text: String, words: String) {
        let error = #expect(throws: SamplesError.self) { try Self.read(text) }
        #expect(error?.description.hasPrefix("x, line ") == true)
        #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
    }

    private static let deep =
        "{\"a\":" + String(repeating: "[", count: 50_000) + String(repeating: "]", count: 50_000)
        + "}"

    @Test(
        arguments: [
            (["timestamp": "null"], "the key timestamp is missing"),
            (["timestamp": "1e300"], "the key timestamp: 1e300 is no whole number"),
            (["timestamp": "99999999999"], "the key timestamp: 99999999999 is no time in seconds"),
            (["timestamp": "1.5"], "the key timestamp: 1.5 is no whole number"),
            (["msm_id": "\"x\""], "the key msm_id: 'x' is no whole number"),
            (["prb_id": "1e999"], "the key prb_id: 1e999 is no whole number"),
            (["result": "{\"rt\":-1}"], "the key rt: -1 is no number of milliseconds"),
            (["result": "{\"rt\":1e30}"], "the key rt: 1e30 is no number of milliseconds"),
            (["result": "{\"rt\":\"1\"}"], "the key rt: '1' is no number of milliseconds"),
            (["result": "{\"size\":-1}"], "the key size: -1 is no whole number from 0 to"),
            (["result": "{\"ANCOUNT\":65536}"], "column answers: '65536' is no whole number"),
            (["result": "{\"abuf\":\"AB=C\"}"], "the key abuf: 'AB=C' is no base64"),
            (["result": "{\"abuf\":\"ABC\"}"], "the key abuf: 'ABC' is no base64"),
            (["qbuf": "7"], "the key qbuf: 7 is no base64"),
            (["dst_port": "\"x\""], "the key dst_port: 'x' is no port"),
            (["dst_port": "65536"], "the key dst_port: 65536 is no port"),
            (["dst_addr": "[]"], "the key dst_addr: an array is no string"),
            (["dst_name": long], "column resolver: is longer than 255 bytes"),
            (["dnstempo": "{\"name\":[]}"], "the key name is neither a string nor a number"),
            (["dnstempo": "{\"name\":\"a..b\"}"], "column name: 'a..b' has an empty label"),
        ] as [([String: String], String)]
    )
    func `an error names the wrong key`(members: [String: String], words: String) {
        let error = #expect(throws: SamplesError.self) { try Self.read(Self.result(members)) }
        #expect(error?.description.hasPrefix("x, line 1, byte 1") == true)
        #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
        #expect((error?.description.count ?? 0) < 200)
    }

    private static let long = "\"\(String(repeating: "é", count: 128))\""

    @Test func `control characters in names are kept, and escaped in files`() throws {
        let recording = try Self.read(Self.result(["dst_name": #""a\u001b[31m\nb""#]))
        #expect(recording.targets.map(\.label) == ["a\u{1b}[31m\nb"])
        for format in SamplesFormat.allCases {
            var bytes: [UInt8] = []
            try SamplesWriter.write(recording, as: format) { bytes += $0 }
            #expect(bytes.allSatisfy { $0 == 0x0a || (0x20..<0x7f).contains($0) })
        }
    }

    @Test func `a result without an end is an error`() throws {
        var octets = 0
        var stream = SamplesStream(.atlas, file: "x") {
            defer { octets += 1 << 16 }
            return octets == 0 ? Array("[{\"a\":\"".utf8) : Array(repeating: 0x61, count: 1 << 16)
        }
        let error = #expect(throws: SamplesError.self) { while try stream.next() != nil {} }
        #expect(error?.description == "x, line 1, byte 2: a result is longer than one can be")
        #expect(octets < 3 << 20)
    }

    @Test func `the first and the last possible time are written and read`() throws {
        let moments = [Int64.min, .min + 1, -1, 0, .max].map { Timestamp(nanoseconds: $0) }
        var recording = try Recording.example()
        recording.samples = moments.map { moment in
            var sample = recording.samples[0]
            sample.scheduled = moment
            sample.observation.sent = moment
            return sample
        }
        var bytes: [UInt8] = []
        try SamplesWriter.write(recording, as: .atlas) { bytes += $0 }
        #expect(try Self.read(bytes).samples.map(\.scheduled) == moments)
    }

    @Test(arguments: ["", "Z", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy", "/+8A"])
    func `base64 is accepted if Foundation accepts it`(text: String) throws {
        let result = try? Self.read(Self.result(["result": "{\"rt\":1,\"abuf\":\"\(text)\"}"]))
        let octets = Data(base64Encoded: text)
        #expect((result != nil) == (octets != nil))
        guard let octets, !octets.isEmpty else { return }
        let detail = result?.samples.first?.observation.extras?.detail?.description
        #expect(detail?.contains("\(octets.count) bytes") == true)
    }
}
