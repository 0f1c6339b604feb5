import Measurement
import Samples
import Synchronization
import Testing

/// Plans that ask each question once, and some of them again at the end.
struct AskedOnceTests {
    private let simulation = Simulation()

    private func ended(_ plan: Plan) async -> MeasuredRun {
        await simulation.measure(plan, from: .init(nanoseconds: 0)) { _, _ in
            Observation(outcome: .answered)
        }
    }

    @Test(arguments: 1...20)
    func `no name is asked again within the next ten queries`(seed: UInt64) async throws {
        var plan = try Plan.example(targets: 1, questions: 60, rounds: 20)
        plan.seed = seed
        let order = await ended(plan.askingOnce()).recording.samples
            .sorted { $0.scheduled < $1.scheduled }.map(\.question)
        let again = order.enumerated().compactMap { place, question in
            order[(place + 1)...].firstIndex(of: question).map { $0 - place }
        }
        #expect(again.count == 30 && again.allSatisfy { $0 > 10 }, "\(again)")
    }

    @Test(arguments: [(600, 63), (205, 24), (7, 2)])
    func `each resolver gets each name once, and thirty names again at the end`(
        names: Int,
        rounds: Int
    ) async throws {
        var plan = try Plan.example(targets: 3, questions: names, rounds: 20)
        (plan.rate, plan.totalRate) = (5, 15)
        plan = plan.askingOnce()
        #expect(plan.rounds == rounds)
        let run = await ended(plan)
        #expect(run.wholeRounds == rounds && !run.interrupted)
        let samples = run.recording.samples
        let again = min(30, names)
        #expect(samples.count == 3 * (names + again) && plan.probeCount == samples.count)
        func asked(_ isAgain: Bool) -> [[Int]] {
            samples.filter {
                plan.asksAgain(inRound: Int(run.recording.rounds[Int($0.round)].number)) == isAgain
            }
            .map { [Int($0.target), Int($0.question)] }
        }
        #expect(Set(asked(false)).count == 3 * names && asked(false).count == 3 * names)
        #expect(Set(asked(true)).count == 3 * again && asked(true).count == 3 * again)
        let end = samples.map(\.scheduled.nanoseconds).max() ?? 0
        #expect(Duration.nanoseconds(end) <= plan.estimatedDuration)
        // Fifteen queries per second in total, and five per resolver.
        let polite = Double(names + again) / 5
        #expect(abs(plan.estimatedDuration / .seconds(1) - polite) < 0.01)
    }
}
