import Samples
import Synchronization
import Testing

@testable import Measurement

/// Rounds with a block for each state of the line.
struct LoadBlocksTests {
    private let simulation = Simulation()

    private func plan(rounds: Int) throws -> Plan {
        let plan = try Plan.example(targets: 6, questions: 4, rounds: rounds)
        var targets = plan.targets
        // Two resolvers in three states.
        for index in targets.indices {
            targets[index].label = "r\(index % 2)"
            targets[index].endpoint = "127.0.0.1:\(5300 + index % 2)"
            targets[index].series = [.cached, .loaded, .loadedMarked][index / 2]
        }
        var loaded = Plan(
            targets: targets,
            targetGroups: targets.indices.map { $0 % 2 },
            questions: plan.questions
        )
        loaded.rounds = rounds
        (loaded.rate, loaded.totalRate) = (5, 15)
        loaded.warmup = 1
        loaded.seed = 7
        return loaded
    }

    /// Runs `plan` in simulated time. Each preparation takes two seconds. The task of a query begins after
    /// `delay`, as on a busy machine.
    private func measure(
        _ plan: Plan,
        delay: Duration = .zero,
        prepare: @escaping @Sendable (Int) -> Bool = { _ in true }
    ) async -> (states: [Series], sent: [(Probe, Series?)], run: MeasuredRun) {
        let states = Mutex<[Series]>([])
        let sent = Mutex<[(Probe, Series?)]>([])
        var runner = Runner(plan: plan, run: .example, start: Simulation.start)
        if delay > .zero {
            runner.launch = { [simulation] group, operation in
                group.addTask {
                    try? await simulation.sleep(
                        until: simulation.now.advanced(by: delay),
                        tolerance: nil
                    )
                    await operation()
                }
            }
        }
        runner.prepare = { [simulation] series, _ in
            try? await simulation.sleep(
                until: simulation.now.advanced(by: .seconds(2)),
                tolerance: nil
            )
            let count = states.withLock { states in
                states.append(series)
                return states.count
            }
            return prepare(count)
        }
        let run = await withTaskExecutorPreference(simulation) { [runner] in
            await runner.run(on: simulation) { probe, _ in
                let state = states.withLock(\.last)
                sent.withLock { $0.append((probe, state)) }
                return Observation(outcome: .answered)
            }
        }
        return (states.withLock { $0 }, sent.withLock { $0 }, run)
    }

    @Test func `each query is sent in the state of its series`() async throws {
        let plan = try plan(rounds: 20)
        let (states, sent, run) = await measure(plan)
        #expect(run.wholeRounds == 20 && !run.interrupted)
        #expect(run.recording.samples.count == 20 * 6 * 4)
        let counted = sent.filter { $0.0.round >= 1 }
        #expect(counted.allSatisfy { plan.targets[$0.0.target].series == $0.1 })
        // Only one state fills the caches.
        #expect(sent.filter { $0.0.round < 1 }.count == 2 * 4)
        #expect(states.count == 60)
        for round in 0..<20 {
            #expect(Set(states[(round * 3)..<(round * 3 + 3)]).count == 3)
        }
        // The first state of a round is not always the same.
        #expect(Set(stride(from: 0, to: 60, by: 3).map { states[$0] }).count == 3)
    }

    @Test func `a state lasts until each of its queries has its outcome`() async throws {
        let plan = try plan(rounds: 5)
        let (_, sent, run) = await measure(plan, delay: .seconds(5))
        #expect(run.wholeRounds == 5)
        let counted = sent.filter { $0.0.round >= 1 }
        #expect(counted.count == 5 * 6 * 4)
        #expect(counted.allSatisfy { plan.targets[$0.0.target].series == $0.1 })
        // The queries that fill the caches end before the first state.
        #expect(sent.filter { $0.0.round < 1 }.allSatisfy { $0.1 == nil })
    }

    @Test func `the pace holds within a block`() async throws {
        let plan = try plan(rounds: 3)
        let (_, sent, _) = await measure(plan)
        for round in 1...3 {
            for target in plan.targets.indices {
                let times = sent.filter { $0.0.round == round && $0.0.target == target }
                    .map(\.0.offset).sorted()
                // Four queries in slots of a fifth of a second.
                let span = try #require(times.last) - times[0]
                #expect(span >= .milliseconds(400) && span <= .seconds(1))
            }
        }
    }

    @Test func `a state that is no longer possible ends the run after the last whole round`()
        async throws
    {
        let plan = try plan(rounds: 5)
        // The second block of the third round.
        let (states, sent, run) = await measure(plan) { $0 < 8 }
        #expect(states.count == 8)
        #expect(run.wholeRounds == 2)
        #expect(run.recording.rounds.map(\.isWhole) == [true, true, false])
        #expect(sent.filter { $0.0.round == 3 }.count == 2 * 4)
    }
}
