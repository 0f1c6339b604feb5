import Measurement
import Samples
import Testing

struct RunProgressTests {
    private static func sample(of target: Int32, _ outcome: Outcome, ms: Int64 = 0) -> Sample {
        var observation = Observation(outcome: outcome)
        if outcome == .answered { observation.roundTrip = ms * 1_000_000 }
        return Sample(
            round: 0,
            target: target,
            question: 0,
            scheduled: Timestamp(nanoseconds: 0),
            observation: observation
        )
    }

    private static func counted(_ samples: [Sample]) -> CountedSamples {
        CountedSamples(of: Recording(samples: samples))
    }

    @Test func `the view counts all recorded queries`() throws {
        let plan = try Plan.example(targets: 3, questions: 10, rounds: 4)
        let progress = RunProgress(of: plan)
        for ms in [30, 10, 20] {
            progress.note(Self.sample(of: 0, .answered, ms: Int64(ms)), inRound: 1)
        }
        progress.note(Self.sample(of: 0, .timeout), inRound: 1)
        progress.note(Self.sample(of: 1, .failed), inRound: 1)
        progress.note(Self.sample(of: 1, .offline), inRound: 1)
        let view = progress.snapshot(after: .seconds(3))
        #expect(view.done == 6 && view.scope.queries == 120)
        #expect(view.remaining == .seconds(5))
        #expect(view.round == 1)
        #expect(view.targets.map(\.counts.answered) == [3, 0, 0])
        #expect(view.targets.map(\.counts.failed) == [1, 1, 0])
        #expect(view.targets.map(\.times) == [[30, 10, 20, .infinity], [.infinity], []])
        #expect(view.targets.map(\.median) == [20, nil, nil])
        #expect(progress.snapshot(after: .seconds(100)).remaining == .zero)
    }

    @Test func `a finished round replaces the counts with corrected counts`() throws {
        let progress = RunProgress(of: try Plan.example(targets: 2, questions: 2))
        let answered = Self.sample(of: 0, .answered, ms: 10)
        for _ in 0..<2 { progress.note(answered, inRound: 1) }
        progress.note(Self.sample(of: 1, .answered, ms: 20), inRound: 1)
        #expect(progress.snapshot(after: .zero).targets.map(\.counts.answered) == [2, 1])
        #expect(progress.snapshot(after: .zero).settledRound == 0)
        // The second answer contained a block page.
        progress.settle(round: 1, Self.counted([answered, Self.sample(of: 0, .filtered)]))
        var view = progress.snapshot(after: .zero)
        #expect(view.targets.map(\.counts.answered) == [1, 0])
        #expect(view.done == 3 && view.settledRound == 1)
        progress.take(earlier: Self.counted([Self.sample(of: 1, .timeout)]))
        view = progress.snapshot(after: .zero)
        #expect(view.targets.map(\.counts.failed) == [0, 1] && view.done == 3)
    }

    /// A round in progress is identified by its number, so that no query is counted twice.
    @Test func `rounds of a watch count each query once`() async throws {
        let simulation = Simulation()
        let plan = try Plan.example(targets: 3, questions: 4)
        let progress = RunProgress(of: plan)
        let runner = Runner(plan: plan, run: .example, start: Timestamp(nanoseconds: 0))
        for number in 1...5 {
            let round = await withTaskExecutorPreference(simulation) {
                await runner.round(
                    number,
                    on: simulation,
                    send: { _, _ in Observation(outcome: .answered) },
                    onSample: { progress.note($0, inRound: $1) }
                )
            }
            progress.settle(round: number, CountedSamples(of: try #require(round)))
            let view = progress.snapshot(after: .zero)
            #expect(view.targets.map(\.counts.answered) == [4 * number, 4 * number, 4 * number])
            #expect(view.targets.allSatisfy { $0.times.count == 4 * number })
            #expect(view.round == number && view.settledRound == number)
        }
    }

    @Test func `a sample without a target is ignored`() throws {
        let progress = RunProgress(of: try Plan.example(targets: 1, questions: 1))
        for target in [-1, 1, Int32.max] {
            progress.note(Self.sample(of: target, .answered), inRound: 1)
        }
        progress.settle(round: 7, Self.counted([Self.sample(of: -3, .answered)]))
        #expect(progress.snapshot(after: .zero).targets.map(\.counts.answered) == [0])
    }

    @Test func `the median of many times is estimated from a uniform sample`() throws {
        let progress = RunProgress(of: try Plan.example(targets: 1, questions: 1))
        // The median of a sample with mostly early or mostly late times would be far from the
        // middle.
        for ms in 1...100_000 {
            progress.note(Self.sample(of: 0, .answered, ms: Int64(ms)), inRound: 1)
        }
        let median = try #require(progress.snapshot(after: .zero).targets.first?.median)
        #expect(abs(median - 50_000) < 6000)
    }
}

extension RunProgress.Target {
    /// The median of ``times`` in milliseconds; `nil` if it exceeds the timeout, or no query was
    /// sent.
    var median: Double? {
        let sorted = times.sorted()
        guard !sorted.isEmpty else { return nil }
        let median = sorted[(sorted.count - 1) / 2]
        return median.isFinite ? median : nil
    }
}
