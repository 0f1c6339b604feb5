import Analysis
import DNSWire
import Samples
import Testing

@testable import Reports

/// Reports that name the main cause of failures, and the remedy.
struct FailureReasonTests {
    private static func failed(
        _ outcome: Outcome,
        _ cause: FailureCause,
        _ code: ResponseCode? = nil
    ) -> Observation {
        var observation = Observation.none(outcome)
        observation.responseCode = code
        observation.add(cause: cause)
        return observation
    }

    private static func fixture(
        _ observation: Observation,
        beside other: Bool = false,
        failing: (Int) -> Bool = { _ in true }
    ) throws -> Fixture {
        var fixture = try Fixture(rounds: 3)
        fixture.context.command = "dnstempo compare x"
        fixture.add("x", endpoint: "127.0.0.1:8443") { failing($0) ? observation : .answer(10) }
        if other { fixture.add("y", endpoint: "127.0.0.2:53") { _ in .answer(10) } }
        return fixture
    }

    private struct Example {
        var outcome: Outcome
        var cause: FailureCause
        var code: ResponseCode?
        var sentence: String

        init(
            _ outcome: Outcome,
            _ cause: FailureCause,
            _ sentence: String,
            code: ResponseCode? = nil
        ) {
            (self.outcome, self.cause, self.code) = (outcome, cause, code)
            self.sentence = sentence
        }
    }

    private static let examples: [Example] = [
        Example(
            .malformed,
            FailureCause(.httpStatus, "404"),
            "x answered HTTP 404 to all 30 queries: check the path."
        ),
        Example(
            .malformed,
            FailureCause(.httpStatus, "301 /resolve-here"),
            "x answered HTTP 301 to all 30 queries, a redirect to /resolve-here: use that address."
        ),
        Example(
            .malformed,
            FailureCause(.httpStatus, "405 GET"),
            "x answered HTTP 405 to all 30 queries, and allows GET: add --http-method get."
        ),
        Example(
            .malformed,
            FailureCause(.httpStatus, "429 30"),
            "x answered HTTP 429 to all 30 queries, and asks to wait 30 s: the server limits the rate "
                + "of queries; lower it with --rate."
        ),
        Example(
            .malformed,
            FailureCause(.contentType, "text/html"),
            "x answered all 30 queries with a web page (text/html): sign in to the network if it has "
                + "a captive portal, or check the path."
        ),
        Example(
            .failed,
            FailureCause(.edns),
            "x does not understand EDNS (FORMERR): add --bufsize 0.",
            code: .formErr
        ),
        Example(
            .timeout,
            FailureCause(.otherSource, "127.0.0.2:5353"),
            "x answered all 30 queries from 127.0.0.2:5353 instead of its own address: query that "
                + "address, or look for a device that redirects DNS."
        ),
        Example(
            .timeout,
            FailureCause(.noTCP, "connection refused"),
            "x truncated its answers to all 30 queries, and gave none over TCP (connection refused): "
                + "allow TCP to its port, or choose a larger --bufsize."
        ),
        Example(
            .malformed,
            FailureCause(.connection, "HTTP/2: stream error 1"),
            "x gave no whole response to all 30 queries (HTTP/2: stream error 1): try another transport, "
                + "or report it to its operator."
        ),
        Example(
            .unreachable,
            FailureCause(.certificate, "expired"),
            "x presented a certificate that is not trusted to all 30 queries (expired): check its name "
                + "and this machine's clock, or name its authority with --ca."
        ),
    ]

    @Test(arguments: examples.indices)
    func `the headline and a note name the cause and the remedy`(index: Int) throws {
        let example = Self.examples[index]
        let (cause, sentence) = (example.cause, example.sentence)
        let failed = Self.failed(example.outcome, cause, example.code)
        let alone = try Self.fixture(failed)
        #expect(SummarySentences(of: alone.report.rows).headline == sentence)
        let report = try Self.fixture(failed, beside: true).report
        let notes = report.warnings.filter { $0.code == "failure-cause" }
        let told = notes.map { "\($0.observation.dropLast()): \($0.remedy ?? "")".lowercased() }
        #expect(told == [sentence.lowercased()])
        let text = TextFormat(width: 400).render(report)
        #expect(!text.contains("did not answer"), "\(text)")
        #expect(!text.contains("packet loss"), "\(text)")
        let json = JSONFormat().render(report)
        #expect(json.contains("\"cause\": \"\(cause.kind.rawValue)\""), "\(json)")
    }

    @Test(arguments: [
        (
            Outcome.unreachable, FailureCause(.refused),
            "refused the connection for all 30 queries",
            "Check its port, or use another transport.",
            "The resolver does not offer this transport at this port: use another transport."
        ),
        (
            .timeout, FailureCause(.silence, "connection"),
            "did not answer the attempt to connect for all 30 queries",
            "Check its port, or use another transport.",
            "The port is blocked by a network on the way, or by the resolver: use another transport or "
                + "network."
        ),
        (
            .timeout, FailureCause(.silence, "handshake"),
            "accepted the connection for all 30 queries, and did not answer the handshake",
            "Use another transport; the path may drop large packets.",
            "Use another transport; the path may drop large packets."
        ),
        (
            .timeout, FailureCause(.mtu, "1400"),
            "lost the handshake of all 30 queries on the path: packets of 1400 bytes arrive, full-sized "
                + "ones do not",
            "Set the MTU of this machine's interface to 1400, or limit the segment size (MSS) on the "
                + "router.",
            "Set the MTU of this machine's interface to 1400, or limit the segment size (MSS) on the "
                + "router."
        ),
    ])
    func `answers over UDP tell a blocked port from a dead resolver`(
        outcome: Outcome,
        cause: FailureCause,
        words: String,
        remedy: String,
        remedyBesideUDP: String
    ) throws {
        for isReached in [false, true] {
            var fixture = try Fixture(rounds: 3)
            fixture.context.command = "dnstempo compare x"
            let observation = Self.failed(outcome, cause)
            fixture.add("x", endpoint: "127.0.0.1:853", transport: "tls") { _ in observation }
            let other = isReached ? "127.0.0.1:53" : "127.0.0.2:53"
            fixture.add("y", endpoint: other) { _ in .answer(10) }
            let note = fixture.report.warnings.first { $0.code == "failure-cause" }
            let contrast = isReached ? ", while UDP to the same address was answered" : ""
            #expect(note?.observation == "x \(words)\(contrast).")
            #expect(note?.remedy == (isReached ? remedyBesideUDP : remedy))
            // Nothing of the resolver was received.
            let row = fixture.report.rows.first { $0.target.label == "x" }
            #expect(row?.counts.lost == 30)
        }
    }

    @Test func `a response code is a reason without a typed cause`() throws {
        let alone = try Self.fixture(.failure(.refused))
        #expect(
            SummarySentences(of: alone.report.rows).headline
                == "x answered REFUSED to all 30 queries: check whether it serves this network."
        )
        #expect(alone.report.warnings.allSatisfy { $0.code != "failure-cause" })
    }

    @Test func `silence has no reason`() throws {
        let alone = try Self.fixture(.none(.timeout))
        #expect(FailureReason(of: alone.report.rows[0]) == nil)
        #expect(
            SummarySentences(of: alone.report.rows).headline.hasPrefix(
                "x did not answer: all 30 queries were lost."
            )
        )
    }

    @Test func `some failures of many queries are counted in the note`() throws {
        let failed = Self.failed(.malformed, FailureCause(.httpStatus, "429"))
        let report = try Self.fixture(failed, failing: { $0 % 3 == 0 }).report
        let notes = report.warnings.filter { $0.code == "failure-cause" }
        #expect(
            notes.map(\.text) == [
                "x answered HTTP 429 to 10 of 30 queries. This cause explains most of the failures. The "
                    + "server limits the rate of queries; lower it with --rate."
            ]
        )
        let rare = try Self.fixture(failed, failing: { $0 == 0 }).report
        #expect(rare.warnings.allSatisfy { $0.code != "failure-cause" })
    }

    @Test func `text of the server is escaped`() throws {
        let failed = Self.failed(.malformed, FailureCause(.httpStatus, "301 \u{1B}[31mx"))
        let headline = SummarySentences(of: try Self.fixture(failed).report.rows).headline
        #expect(headline.contains("\\u{1B}[31mx"), "\(headline)")
    }

    @Test func `a notice names the cause`() throws {
        let target = Recording.Target(
            label: "x",
            endpoint: "192.0.2.1:853",
            transport: "tls",
            series: .cached
        )
        var other = target
        other.label = "y"
        let now = Timestamp(nanoseconds: 1_795_233_312_000_000_000)
        let rounds = (0..<2).map { index in
            RoundResponses(
                started: now.advanced(by: .seconds(300 * index)),
                marks: [],
                resolvers: [
                    .init(target: target, sent: 2, responses: 0),
                    .init(target: other, sent: 2, responses: 2),
                ]
            )
        }
        var counts = OutcomeCounts()
        counts.count(
            .unreachable,
            responseCode: nil,
            cause: FailureCause(.certificate, "expired"),
            times: 4
        )
        let notices = NoticeRules(past: [], now: now)
            .reachability(rounds, outcomes: [target: counts])
        #expect(notices.count == 1)
        let text = notices.first?.text(.utc) ?? ""
        #expect(text.contains("no answer to 4 queries in 2 rounds"), "\(text)")
        #expect(
            text.contains("It presented a certificate that is not trusted to all 4 queries"),
            "\(text)"
        )
        #expect(!text.contains("no response"), "\(text)")
    }
}
