import Measurement
import Samples
import Synchronization
import Testing

/// Rounds on a machine that is suspended. The simulation's clock continues during a suspension,
/// like CLOCK_BOOTTIME. Another clock stops.
struct SuspendedRoundTests {
    private let simulation = Simulation()

    /// Returns the marks of a round with a suspension of this length after its third query.
    private func marks(asleep: Duration, on standing: StandingClock) async throws -> RoundMarks {
        var plan = try Plan.example(targets: 2, questions: 10)
        plan.rate = 10
        plan.totalRate = 20
        var runner = Runner(plan: plan, run: .example, start: Timestamp(nanoseconds: 0))
        runner.sleep = SleepMeter(simulation, standing)
        let sent = Mutex(0)
        let taken = await withTaskExecutorPreference(simulation) { [runner] in
            await runner.round(
                3,
                on: simulation,
                send: { [simulation] _, _ in
                    let isThird = sent.withLock {
                        $0 += 1
                        return $0 == 3
                    }
                    if isThird {
                        simulation.stall(asleep)
                        standing.stand(for: asleep)
                    }
                    return Observation(outcome: .answered)
                }
            )
        }
        let round = try #require(taken?.rounds.first)
        #expect(taken?.samples.count == 20 && round.isWhole && round.number == 3)
        return round.marks
    }

    @Test(arguments: [
        (asleep: Duration.zero, marks: RoundMarks()), (.milliseconds(90), RoundMarks()),
        (.milliseconds(110), .suspended), (.seconds(30_000), .suspended),
    ])
    func `a round during a suspension is marked`(asleep: Duration, marks: RoundMarks) async throws {
        let standing = StandingClock(simulation)
        #expect(try await self.marks(asleep: asleep, on: standing) == marks)
    }

    @Test func `rounds in progress during a suspension are marked`() async throws {
        var plan = try Plan.example(targets: 1, questions: 1, rounds: 6)
        plan.interval = .seconds(10)
        let standing = StandingClock(simulation)
        var runner = Runner(plan: plan, run: .example, start: Timestamp(nanoseconds: 0))
        runner.sleep = SleepMeter(simulation, standing)
        let slept = Mutex<[Int: Bool]>([:])
        _ = await withTaskExecutorPreference(simulation) { [runner] in
            await runner.run(
                on: simulation,
                send: { [simulation] probe, _ in
                    // The query of the third round waits until the fourth round has begun.
                    if probe.round == 3 { try? await simulation.sleep(for: .seconds(12)) }
                    if probe.round == 4 {
                        simulation.stall(.milliseconds(500))
                        standing.stand(for: .milliseconds(500))
                    }
                    return Observation(outcome: .answered)
                },
                onRound: { recording in
                    let round = recording.rounds[0]
                    slept.withLock { $0[Int(round.number)] = round.marks == .suspended }
                }
            )
        }
        let expected = [1: false, 2: false, 3: true, 4: true, 5: false, 6: false]
        #expect(slept.withLock { $0 } == expected)
    }

    /// Returns the due times of the queries of three rounds, by round. The second round contains a
    /// suspension of this length. The runner's clock stops during the suspension, like
    /// CLOCK_MONOTONIC.
    private func schedule(asleep: Duration) async throws -> [[Int64]] {
        let simulation = Simulation()
        let standing = StandingClock(simulation)
        var plan = try Plan.example(targets: 2, questions: 2, rounds: 3)
        plan.interval = .seconds(10)
        var runner = Runner(plan: plan, run: .example, start: Timestamp(nanoseconds: 0))
        runner.sleep = SleepMeter(simulation, standing)
        let run = await withTaskExecutorPreference(simulation) { [runner] in
            await runner.run(
                on: standing,
                send: { probe, _ in
                    if probe.round == 2, probe.position == 0 {
                        simulation.stall(asleep)
                        standing.stand(for: asleep)
                    }
                    return Observation(outcome: .answered)
                }
            )
        }
        let moments = Dictionary(grouping: run.recording.samples, by: \.round)
        #expect(run.recording.rounds.map { Int($0.number) } == [1, 2, 3])
        return (0..<3).map { (moments[$0] ?? []).map(\.scheduled.nanoseconds).sorted() }
    }

    @Test(arguments: [Duration.milliseconds(90), .seconds(30_000)])
    func `queries after a suspension are all delayed equally`(asleep: Duration) async throws {
        let awake = try await schedule(asleep: .zero)
        let late = try await schedule(asleep: asleep)
        let delay: Int64 = asleep > SleepMeter.least ? 30_000_000_000_000 : 0
        #expect(awake.map(\.count) == [4, 4, 4])
        #expect(late == [awake[0], awake[1], awake[2].map { $0 + delay }])
    }

    @Test func `a suspension before the round is ignored`() async throws {
        let standing = StandingClock(simulation)
        let meter = SleepMeter(simulation, standing)
        simulation.stall(.seconds(3_600))
        standing.stand(for: .seconds(3_600))
        #expect(meter.total == .seconds(3_600))
        #expect(try await marks(asleep: .zero, on: standing) == [])
    }

    @Test func `a busy machine is not suspended`() async throws {
        let standing = StandingClock(simulation)
        simulation.stall(.seconds(10))
        #expect(SleepMeter(simulation, standing).total == .zero)
        #expect(SleepMeter.system.total < SleepMeter.least)
    }
}

/// A clock that stops while the machine is suspended, like CLOCK_MONOTONIC.
private final class StandingClock: Clock {
    private let going: Simulation
    private let asleep = Mutex(Duration.zero)

    init(_ going: Simulation) { self.going = going }

    var now: Simulation.Instant { going.now.advanced(by: .zero - asleep.withLock { $0 }) }
    var minimumResolution: Duration { going.minimumResolution }

    func stand(for time: Duration) { asleep.withLock { $0 += time } }

    func sleep(until deadline: Simulation.Instant, tolerance: Duration?) async throws {
        try await going.sleep(
            until: deadline.advanced(by: asleep.withLock { $0 }),
            tolerance: tolerance
        )
    }
}
