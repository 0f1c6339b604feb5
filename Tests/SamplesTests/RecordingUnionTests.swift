import Samples
import Testing

struct RecordingUnionTests {
    private static let labels = ["quad9", "google", "cloudflare"]

    /// Returns rounds at intervals of a minute. `isThere` receives the round's number and the target's index,
    /// and returns whether the sample exists.
    private func recording(
        _ numbers: ClosedRange<Int32>,
        run: String = "r",
        after start: Int64 = 0,
        where isThere: (Int32, Int) -> Bool = { _, _ in true }
    ) throws -> Recording {
        var recording = Recording(
            runs: [Run(id: run, vantage: "here", timeout: .seconds(5))],
            targets: Self.labels.map {
                Recording.Target(label: $0, endpoint: "\($0):53", transport: "udp", series: .cached)
            },
            questions: try Recording.example().questions
        )
        for number in numbers {
            let round = Int32(recording.rounds.count)
            recording.rounds.append(Round(number: number))
            for target in Self.labels.indices where isThere(number, target) {
                let second = start + Int64(number) * 60 + Int64(target)
                var observation = Observation(outcome: .answered)
                observation.roundTrip = Int64(target + 1) * 1_000_000
                observation.sent = Timestamp(nanoseconds: second * 1_000_000_000 + 1000)
                recording.samples.append(
                    Sample(
                        round: round,
                        target: Int32(target),
                        question: 0,
                        scheduled: Timestamp(nanoseconds: second * 1_000_000_000),
                        observation: observation
                    )
                )
            }
        }
        recording.markRounds()
        return recording
    }

    private func union(_ recordings: Recording...) -> Recording {
        var union = RecordingUnion()
        for recording in recordings { union.add(recording) }
        return union.recording
    }

    @Test func `parts of rounds are joined to whole rounds`() throws {
        let whole = try recording(1...9)
        let parts = union(try recording(1...9) { $1 == 0 }, try recording(1...9) { $1 > 0 })
        #expect(parts.rounds == whole.rounds)
        #expect(parts.samples == whole.samples)
    }

    @Test func `samples that several recordings have count once`() throws {
        let whole = try recording(1...15)
        let parts = union(try recording(1...10), try recording(5...15), whole)
        #expect(parts.rounds == whole.rounds)
        #expect(parts.samples == whole.samples)
    }

    @Test func `equal samples count as often as in the recording with most of them`() throws {
        var twice = try recording(1...1)
        twice.samples += twice.samples
        #expect(union(try recording(1...1), twice, twice).samples.count == 6)
    }

    @Test func `rounds of different runs remain separate`() throws {
        let both = union(try recording(1...5), try recording(1...5, run: "other"))
        #expect(both.rounds.count == 10 && both.samples.count == 30)
    }

    /// The two files have rounds of different days, and no name for the run.
    @Test func `runs without a name at other times are different runs`() throws {
        let first = try recording(1...5, run: "")
        let second = try recording(1...5, run: "", after: 86_400)
        let both = union(first, second, first, second)
        #expect(both.rounds.count == 10 && both.samples.count == 30)
        let parts = union(
            try recording(1...5, run: "") { $1 != 1 },
            try recording(1...5, run: "") { $1 == 1 }
        )
        #expect(parts.rounds == first.rounds)
        #expect(parts.samples == first.samples)
    }

    @Test func `a silent part does not mark a round with answers as an outage`() throws {
        var silent = try recording(1...2) { number, target in number == 2 || target < 2 }
        silent.rounds[0].marks = [.outage, .again]
        silent.rounds[1].marks = .outage
        var answered = try recording(1...1) { $1 == 2 }
        answered.rounds[0].marks = .suspended
        let marks = union(silent, answered).rounds.map(\.marks)
        #expect(marks == [[.again, .suspended], .outage])
        for index in silent.samples.indices {
            silent.samples[index].observation = Observation(outcome: .timeout)
        }
        var part = silent
        part.rounds[0].marks = []
        part.rounds[1].marks = []
        #expect(union(silent, part).rounds.map(\.marks) == [[.outage, .again], .outage])
    }
}
