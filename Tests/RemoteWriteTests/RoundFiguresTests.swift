import DNSWire
import Reports
import Samples
import Testing

@testable import RemoteWrite

@Suite struct RoundFiguresTests {
    private static let start = Timestamp(nanoseconds: 1_795_232_112_345_678_901)

    /// Returns rounds with two queries each to a resolver over TLS. The second query gets SERVFAIL.
    private func recording(
        series: Series = .cached,
        marks: RoundMarks = [],
        rounds: Int = 1
    ) throws -> Recording {
        var recording = Recording(
            runs: [Run(id: "r", vantage: "a\nb", timeout: .seconds(5))],
            rounds: (0..<rounds).map { number in
                Round(
                    number: Int32(number + 1),
                    started: Self.start.advanced(by: .seconds(300 * number)),
                    marks: marks
                )
            },
            targets: [
                .init(label: "quad9", endpoint: "9.9.9.9:853", transport: "tls", series: series)
            ],
            questions: [Question(name: try DomainName("example.com"), type: .a)]
        )
        for round in recording.rounds.indices {
            var answered = Observation(outcome: .answered)
            answered.roundTrip = 14_000_000
            answered.extras = .init(
                connect: 8_000_000,
                handshake: 20_000_000,
                connection: .new,
                flags: .unverified
            )
            var failed = Observation(outcome: .failed)
            (failed.responseCode, failed.roundTrip) = (.servFail, 3_000_000)
            for observation in [answered, failed] {
                recording.samples.append(
                    Sample(
                        round: Int32(round),
                        target: 0,
                        question: 0,
                        scheduled: recording.rounds[round].started,
                        observation: observation
                    )
                )
            }
        }
        return recording
    }

    /// Returns the last value of each series. The key contains the labels that distinguish the
    /// series from others of its metric.
    private func values(_ recording: Recording) throws -> [String: Double] {
        let request = WriteRequest(RoundFigures.all(of: recording))
        return request.series.reduce(into: [:]) { values, entry in
            let (key, series) = entry
            let usual: Set<String> = ["endpoint", "resolver", "series", "transport", "vantage"]
            let name = key.labels.filter { !usual.contains($0.name) }
                .map { $0.name == "__name__" ? $0.value : "\($0.name)=\($0.value)" }
                .joined(separator: " ")
            #expect(values[name] == nil)
            values[name] =
                series.samples.last?.value ?? series.histograms.last.map { Double($0.count) }
        }
    }

    private func duration(_ phase: String, of recording: Recording) throws -> Histogram? {
        WriteRequest(RoundFigures.all(of: recording)).series
            .first { $0.key.labels.contains { $0.name == "phase" && $0.value == phase } }?.value
            .histograms.last
    }

    @Test func `a round has its outcomes, codes and phases`() throws {
        let values = try values(recording())
        let durations = "dnstempo_query_duration_seconds"
        let outcomes = Outcome.allCases.map {
            "dnstempo_queries_total outcome=\($0.description)"
        }
        #expect(
            values.filter { $0.value > 0 } == [
                "dnstempo_last_query_timestamp_seconds": Double(Self.start.nanoseconds) * 1e-9,
                "dnstempo_queries_total outcome=answered": 1,
                "dnstempo_queries_total outcome=failed": 1,
                "dnstempo_failed_responses_total rcode=SERVFAIL": 1,
                "dnstempo_unverified_answers_total": 1,
                "\(durations) phase=query": 2, "\(durations) phase=connect": 1,
                "\(durations) phase=handshake": 1,
            ]
        )
        #expect(values.filter { $0.value == 0 }.keys.allSatisfy(outcomes.contains))
        #expect(values.count == 6 + outcomes.count)
    }

    @Test func `a failed query is in the overflow bucket, and its timeout in the sum`() throws {
        let query = try #require(try duration("query", of: recording()))
        #expect(query.count == 2 && abs(query.sum - 5.014) < 1e-9)
        #expect(query.positiveSpans.map(\.length) == [1, 1])
        let ends = query.positiveSpans.reduce(into: Int32(0)) { $0 += $1.offset + 1 }
        #expect(ends - 1 == NativeHistogram.overflow)
        let handshake = try #require(try duration("handshake", of: recording()))
        #expect(handshake.count == 1 && abs(handshake.sum - 0.020) < 1e-9)
    }

    @Test func `the total includes the connection if the series times it`() throws {
        let first = try recording(series: .first)
        #expect(abs(try #require(try duration("total", of: first)).sum - 5.042) < 1e-9)
        #expect(abs(try #require(try duration("query", of: first)).sum - 5.014) < 1e-9)
        #expect(try duration("total", of: recording()) == nil)
    }

    @Test(arguments: [RoundMarks.outage, .suspended, .again])
    func `an excluded round has only its time`(marks: RoundMarks) throws {
        #expect(
            Array(try values(recording(marks: marks)).keys) == [
                "dnstempo_last_query_timestamp_seconds"
            ]
        )
    }

    @Test func `each round of a series starts from zero`() throws {
        let figures = RoundFigures.all(of: try recording(rounds: 3))
        let request = WriteRequest(figures)
        let answered = try #require(
            request.series.first { $0.key.labels.contains { $0.value == "answered" } }
        )
        let samples = answered.value.samples
        #expect(samples.map(\.value) == [0, 1, 0, 1, 0, 1])
        #expect(samples.map(\.timestamp) == samples.map(\.timestamp).sorted())
        #expect(samples[1].timestamp == 1_795_232_112_345)
        // The labels are sorted, as the specification requires, and control characters are escaped.
        let labels = answered.key.labels
        #expect(labels.map(\.name) == labels.map(\.name).sorted())
        #expect(labels.contains { $0.name == "vantage" && $0.value == "a\\u{A}b" })
        // A single round yields the same samples.
        let alone = WriteRequest(figures[1...1]).series[answered.key]
        #expect(alone?.samples == Array(samples[2..<4]))
    }
}
