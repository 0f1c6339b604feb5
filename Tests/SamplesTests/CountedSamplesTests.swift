import DNSWire
import Samples
import Testing

struct CountedSamplesTests {
    private let recording: Recording

    /// Creates two rounds with a browser's queries and a cached query. `recording(marks:)` can mark the
    /// second round.
    init() throws { recording = try Self.recording() }

    private static func recording(marks: RoundMarks = []) throws -> Recording {
        let name = try DomainName("a.example")
        let asked: [(target: Int32, question: Int32)] = [(0, 0), (0, 1), (1, 0)]
        return Recording(
            runs: [Run(id: "r", vantage: "desk", timeout: .seconds(5))],
            rounds: [Round(number: 1), Round(number: 2, marks: marks)],
            targets: [Series.browser, .cached].map {
                .init(label: "r", endpoint: "127.0.0.1:5311", transport: "udp", series: $0)
            },
            questions: [.a, .https].map { Question(name: name, type: $0) },
            samples: [Int32(0), 1].flatMap { round in
                asked.map { asked in
                    var observation = Observation(outcome: .answered)
                    observation.roundTrip = 12_000_000
                    return Sample(
                        round: round,
                        target: asked.target,
                        question: asked.question,
                        scheduled: Timestamp(nanoseconds: 0),
                        observation: observation
                    )
                }
            }
        )
    }

    private func targets(_ counted: CountedSamples) -> [[Int32]] {
        counted.recording.samplesByRound().map { $0.map(\.target) }
    }

    @Test func `browser samples become look-ups, and other samples remain queries`() {
        let counted = CountedSamples(of: recording)
        #expect(targets(counted) == [[0, 1], [0, 1]])
        #expect(counted.recording.samples.allSatisfy { $0.question == 0 })
    }

    @Test(arguments: [RoundMarks.outage, .suspended, .again, [.offline, .outage]])
    func `rounds that do not count remain without samples`(marks: RoundMarks) throws {
        let counted = CountedSamples(of: try Self.recording(marks: marks))
        #expect(targets(counted) == [[0, 1], []])
        #expect(counted.recording.rounds.map(\.marks) == [[], marks])
    }

    @Test func `offline rounds count, because their outcomes show unsent queries`() throws {
        #expect(targets(CountedSamples(of: try Self.recording(marks: .offline))).last == [0, 1])
    }

    @Test func `parts of a recording add up to the whole`() {
        var counted = CountedSamples(of: recording).filter { $0.round == 0 }
        #expect(targets(counted) == [[0, 1], []])
        let other = recording.rounds(of: recording.runs[0])
        counted.merge(CountedSamples(of: other).filter { $0.target == 1 })
        #expect(targets(counted) == [[0, 1], [], [1], [1]])
    }
}
