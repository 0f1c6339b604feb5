import Samples
import Synchronization
import Testing

@testable import Measurement

/// Rounds that ask only a part of a plan.
struct RoundPartTests {
    private let simulation = Simulation()

    private func plan(targets: Int, questions: Int) throws -> Plan {
        var plan = try Plan.example(targets: targets, questions: questions, rounds: 20)
        (plan.isOpenEnded, plan.asksInParts) = (true, true)
        (plan.rate, plan.totalRate) = (5, 15)
        plan.warmup = 1
        return plan
    }

    /// Runs `plan` in simulated time. Returns the sent queries in order, and the recorded run.
    private func measure(
        _ plan: Plan,
        choice: @escaping @Sendable (Int) -> RoundChoice
    ) async -> (sent: [Probe], run: MeasuredRun) {
        let sent = Mutex<[Probe]>([])
        let run = await simulation.measure(plan, from: .init(nanoseconds: 0), choice: choice) {
            probe,
            _ in
            sent.withLock { $0.append(probe) }
            return Observation(outcome: .answered)
        }
        return (sent.withLock { $0 }, run)
    }

    @Test func `a round asks its part, after a warm-up of new resolvers`() async throws {
        let plan = try plan(targets: 4, questions: 5)
        let parts = [
            RoundPart(targets: [0, 1, 2, 3], questions: [4], warmed: [4, 2]),
            RoundPart(targets: [0, 1, 2, 3], questions: [2]),
            RoundPart(targets: [0, 3], questions: [4, 2, 0], warmed: [0]),
        ]
        let (sent, run) = await measure(plan) { number in
            number <= parts.count ? .part(parts[number - 1]) : .end
        }
        #expect(run.wholeRounds == 3 && !run.interrupted)
        let asked = run.recording.samples.map { [Int($0.round), Int($0.target), Int($0.question)] }
        var expected: [[Int]] = []
        for (round, part) in parts.enumerated() {
            for question in part.questions {
                expected += part.targets.map { [round, $0, question] }
            }
        }
        #expect(Set(asked) == Set(expected) && asked.count == expected.count)
        let warmed = sent.filter { $0.round == 0 }.map { [$0.target, $0.question] }
        let fresh = [
            [0, 4], [1, 4], [2, 4], [3, 4], [0, 2], [1, 2], [2, 2], [3, 2], [0, 0], [3, 0],
        ]
        #expect(Set(warmed) == Set(fresh) && warmed.count == 10)
        #expect(sent.map(\.offset) == sent.map(\.offset).sorted())
    }

    @Test func `the pace holds while parts grow and shrink`() async throws {
        let plan = try plan(targets: 12, questions: 10)
        let rotation = Mutex(QuestionRotation(plan))
        let (sent, _) = await measure(plan) { number in
            let targets = number < 6 ? Array(0..<12) : [0, 7]
            return .part(
                rotation.withLock { rotation in
                    rotation.part(of: targets, inRound: number) { min($0, number < 6 ? 3 : 10) }
                }
            )
        }
        let times = sent.map(\.offset)
        for length in [20, 50] {
            let shortest = zip(times, times.dropFirst(length)).map { $1 - $0 }.min() ?? .zero
            // Two volleys may be only half a block apart.
            #expect(shortest >= .seconds(Double(length - 14) / 15))
        }
        let own = sent.filter { $0.target == 7 }.map(\.offset)
        let shortest = zip(own, own.dropFirst(10)).map { $1 - $0 }.min() ?? .zero
        #expect(shortest >= .seconds(8.0 / 5))
    }

    @Test func `the names in use are few with many resolvers, and each is warmed once`() throws {
        let plan = try plan(targets: 30, questions: 10)
        var rotation = QuestionRotation(plan)
        let many = Array(0..<30)
        let first = rotation.part(of: many, inRound: 1) { $0 }
        #expect(first.questions.count == 3 && Set(first.warmed) == Set(first.questions))
        for round in 2..<40 {
            let part = rotation.part(of: many, inRound: round) { _ in 1 }
            #expect(part.warmed.isEmpty && part.questions.count == 1)
            #expect(Set(first.questions).isSuperset(of: part.questions))
        }
        let later = rotation.part(of: Array(0..<20), inRound: 40) { $0 }
        #expect(Set(later.questions) == Set(0..<10) && later.warmed.count == 7)
        #expect(Set(later.warmed).isDisjoint(with: first.warmed))
        // With many resolvers again, all names stay in use.
        let again = rotation.part(of: many, inRound: 41) { $0 }
        #expect(again.questions.count == 10 && again.warmed.isEmpty)
    }
}
