import DNSWire
import Samples
import Testing

/// Results of RIPE Atlas that lack a value which other results of their measurement have, or that a file
/// repeats.
struct AtlasMeasurementTests {
    private static let timeout = ["result": "null", "error": "{\"timeout\":4000}"]
    private static let names = [
        "test": "\"EjQBAAABAAAAAAAABHRlc3QAAAEAAQ==\"",
        "TEST": "\"EjQBAAABAAAAAAAABFRFU1QAAAEAAQ==\"",
        "other": "\"EjQBAAABAAAAAAAABW90aGVyAAABAAE=\"",
    ]

    /// Returns a result of a probe for a name. `members` replace or extend the usual members.
    private static func result(
        probe: Int,
        name: String? = nil,
        _ members: [String: String] = [:]
    ) -> String {
        var usual = [
            "type": "\"dns\"", "fw": "5080", "msm_id": "1", "prb_id": "\(probe)",
            "timestamp": "1714561200", "dst_addr": "\"192.0.2.53\"", "proto": "\"UDP\"",
            "qbuf": name.flatMap { names[$0] } ?? "null", "result": "{\"rt\":1.5,\"size\":40}",
        ]
        usual.merge(members) { $1 }
        let keys = usual.keys.sorted()
        return "{" + keys.map { "\"\($0)\":\(usual[$0] ?? "")" }.joined(separator: ",") + "}"
    }

    private static func stream(_ results: [String]) -> SamplesStream {
        var rest = Array(results.joined(separator: "\n").utf8)
        return SamplesStream(.atlas, file: "x") {
            defer { rest = [] }
            return rest
        }
    }

    /// Returns a sorted list with each sample's probe, resolver, name, type and outcome.
    private static func lines(_ results: [String]) throws -> [String] {
        var stream = stream(results)
        let recording = try stream.rest()
        return recording.samples.map { sample in
            let run = recording.runs[Int(recording.rounds[Int(sample.round)].run)]
            let target = recording.targets[Int(sample.target)]
            let question = recording.questions[Int(sample.question)]
            return "\(run.vantage) \(target.label) \(target.endpoint) \(question.name) "
                + "\(question.type) \(sample.observation.outcome)"
        }
        .sorted()
    }

    /// Returns all rotations of the results' order.
    private static func orders(_ results: [String]) -> [[String]] {
        results.indices.map { Array(results[$0...] + results[..<$0]) }
    }

    @Test func `a query without a name gets the name of its measurement, in any order`() throws {
        let results = [
            Self.result(probe: 1, Self.timeout), Self.result(probe: 2, name: "test"),
            Self.result(probe: 3, Self.timeout), Self.result(probe: 4, name: "TEST"),
        ]
        for order in Self.orders(results) {
            let lines = try Self.lines(order).map { $0.lowercased() }
            let end = "192.0.2.53 192.0.2.53:53 test a"
            #expect(
                lines == [
                    "probe-1 \(end) timeout", "probe-2 \(end) answered", "probe-3 \(end) timeout",
                    "probe-4 \(end) answered",
                ]
            )
        }
    }

    @Test func `a query with an unknown name remains a loss, in any order`() throws {
        let results = [
            Self.result(probe: 1, Self.timeout), Self.result(probe: 2, name: "test"),
            Self.result(probe: 3, Self.timeout), Self.result(probe: 4, name: "other"),
            Self.result(probe: 5, Self.timeout),
            Self.result(probe: 6, Self.timeout.merging(["msm_id": "7"]) { $1 }),
            Self.result(probe: 7, Self.timeout.merging(["msm_id": "null"]) { $1 }),
        ]
        let end = "192.0.2.53 192.0.2.53:53"
        for order in Self.orders(results) {
            #expect(
                try Self.lines(order) == [
                    "probe-1 \(end) unknown.invalid A timeout", "probe-2 \(end) test A answered",
                    "probe-3 \(end) unknown.invalid A timeout", "probe-4 \(end) other A answered",
                    "probe-5 \(end) unknown.invalid A timeout",
                    "probe-6 \(end) unknown.invalid A timeout",
                    "probe-7 \(end) unknown.invalid A timeout",
                ]
            )
            var stream = Self.stream(order)
            _ = try stream.rest()
            #expect(stream.atlasRemarks?.withoutQuestion == 5)
        }
    }

    @Test func `an answer without a question keeps its response code`() throws {
        let refused = Self.result(
            probe: 1,
            ["result": "{\"rt\":1.5,\"abuf\":\"AAeBhQAAAAAAAAAA\"}"]
        )
        var stream = Self.stream([refused, Self.result(probe: 2, name: "test")])
        let samples = try stream.rest().samples
        #expect(samples.map(\.observation.responseCode?.description) == [nil, "REFUSED"])
        #expect(samples.map(\.observation.outcome) == [.answered, .failed])
    }

    @Test func `the queries of one result remain together`() throws {
        let query = "\"dst_addr\":\"192.0.2.1\",\"proto\":\"UDP\""
        let entries = [
            "{\(query),\"subid\":1,\"qbuf\":\(Self.names["test"] ?? ""),\"result\":{\"rt\":1}}",
            "{\(query),\"subid\":2,\"error\":{\"timeout\":5000}}",
        ]
        let set = Self.result(
            probe: 1,
            ["result": "null", "resultset": "[\(entries.joined(separator: ","))]"]
        )
        var stream = Self.stream([set, Self.result(probe: 2, name: "test")])
        let recording = try stream.rest()
        let labels = recording.samples.map { recording.targets[Int($0.target)].label }
        #expect(labels == ["192.0.2.53", "system", "system-2"])
    }

    @Test func `a missing resolver is taken from the measurement or counted`() throws {
        let lost = Self.timeout.merging(["dst_addr": "null"]) { $1 }
        let results = [
            Self.result(probe: 1, lost), Self.result(probe: 2, name: "test"),
            Self.result(probe: 3, lost.merging(["msm_id": "7"]) { $1 }),
        ]
        for order in Self.orders(results) {
            #expect(
                try Self.lines(order) == [
                    "probe-1 192.0.2.53 192.0.2.53:53 test A timeout",
                    "probe-2 192.0.2.53 192.0.2.53:53 test A answered",
                ]
            )
            var stream = Self.stream(order)
            _ = try stream.rest()
            #expect(stream.atlasRemarks?.withoutResolver == 1)
            #expect(stream.atlasRemarks?.withoutQuestion == 0)
        }
    }

    @Test func `a repeated result counts once`() throws {
        let results = [
            Self.result(probe: 1, name: "test"), Self.result(probe: 2, Self.timeout),
            Self.result(probe: 1, name: "test", ["timestamp": "1714561260"]),
        ]
        // Downloads may write the same value in different forms.
        let again = results.map { $0.replacing("\"fw\":5080", with: " \"fw\" : \"5080\"") }
        for order in Self.orders(results + again + results) {
            var stream = Self.stream(order)
            #expect(try stream.rest().samples.count == 3)
            #expect(stream.atlasRemarks?.repeated == 6)
        }
    }

    @Test func `equal results without a measurement number count separately`() throws {
        let alike = Self.result(probe: 1, name: "test", ["msm_id": "null"])
        var stream = Self.stream([alike, alike])
        #expect(try stream.rest().samples.count == 2)
        #expect(stream.atlasRemarks?.repeated == 0)
    }

    @Test(arguments: ["4560", "\"4560\"", "4560.0"])
    func `the firmware is read from a number or a text`(firmware: String) throws {
        let text = Self.result(
            probe: 1,
            name: "test",
            ["fw": firmware, "msm_id": "\"1001\"", "timestamp": "\"1714561200\""]
        )
        var stream = Self.stream([text])
        let recording = try stream.rest()
        #expect(recording.runs.map(\.id) == ["atlas-1001"])
        let detail = try #require(recording.samples.first?.observation.extras?.detail)
        #expect(detail.description.hasSuffix("RIPE Atlas probe, firmware 4560; sent to the second"))
    }

    @Test(arguments: ["[]", "{}", "true", "\"\""])
    func `a firmware in another form is left out`(firmware: String) throws {
        var stream = Self.stream([Self.result(probe: 1, name: "test", ["fw": firmware])])
        let sample = try stream.rest().samples.first
        let detail = try #require(sample?.observation.extras?.detail)
        #expect(detail.description.hasSuffix("RIPE Atlas probe; sent to the second"))
    }

    @Test func `an error of a probe becomes the matching outcome`() throws {
        let errors = [
            "{\"TU_BAD_ADDR\":true}", "{\"TU_BAD_ADDR\":\"blocked\"}",
            "{\"socket\":\"connect failed Invalid argument\"}",
            "{\"nameserver\":\"no local resolvers found\"}",
        ]
        let results = errors.enumerated().map { index, error in
            Self.result(probe: index, name: "test", ["result": "null", "error": error])
        }
        var stream = Self.stream(results)
        let outcomes = try stream.rest().samples.map(\.observation.outcome)
        #expect(outcomes == [.unreachable, .blocked, .unreachable, .offline])
    }

    @Test(arguments: [
        (#"{"error": {"detail": "No.", "status": 404, "title": "T", "code": 1}}"#, "'404 No.'"),
        (#"{"error": {"title": "T"}}"#, "'T'"), (#"{"error": "no"}"#, "'no'"),
        (#"{"errors": ["no"]}"#, "'an array'"), (#"{"detail": "no"}"#, "'no'"),
        (#"{"error": {}}"#, "'an object'"),
    ])
    func `an error of the RIPE Atlas API is reported`(text: String, words: String) {
        #expect(SamplesFormat.recognised(in: Array(text.utf8)) == .atlas)
        for results in [[text], [Self.result(probe: 1, name: "test"), text]] {
            var stream = Self.stream(results)
            let error = #expect(throws: SamplesError.self) { try stream.rest() }
            #expect(error?.line == results.count)
            #expect(error?.reason.contains("an error of the API") == true)
            #expect(error?.reason.contains(words) == true, "\(error?.reason ?? "")")
        }
    }

    @Test func `samples with a detail are not an error of the API`() {
        let text = #"{"detail":"x","resolver":"a","name":"b.test","outcome":"timeout"}"#
        #expect(SamplesFormat.recognised(in: Array(text.utf8)) == .jsonLines)
    }
}
