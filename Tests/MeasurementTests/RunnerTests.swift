import Catalogue
import Measurement
import Samples
import Synchronization
import Testing

struct RunnerTests {
    private let simulation = Simulation()
    private let start = Simulation.start

    @Test(arguments: [(until: 3, rounds: 3), (until: 1, rounds: 1), (until: 50, rounds: 20)])
    func `an open run ends if no further round is requested`(until: Int, rounds: Int) async throws {
        var plan = try Plan.example(targets: 2, questions: 5, rounds: 20)
        plan.isOpenEnded = true
        let ended = Mutex(0)
        let result = await simulation.measure(
            plan,
            choice: { _ in ended.withLock { $0 } < until ? .whole : .end },
            onRound: { round in ended.withLock { $0 = Int(round.rounds[0].number) } }
        ) { _, _ in Observation(outcome: .answered) }
        #expect(result.wholeRounds == rounds)
        #expect(!result.interrupted)
        let planned = (1...rounds).flatMap { plan.probes(inRound: $0) }
        #expect(
            result.recording.samples.map(\.scheduled)
                == planned.map { start.advanced(by: $0.offset) }
        )
    }

    @Test func `an open run that ends completes the rounds in progress`() async throws {
        var plan = try Plan.example(targets: 2, questions: 1, rounds: 20)
        plan.isOpenEnded = true
        let ended = Mutex(0)
        let result = await simulation.measure(
            plan,
            choice: { _ in ended.withLock { $0 } < 1 ? .whole : .end },
            onRound: { round in ended.withLock { $0 = Int(round.rounds[0].number) } }
        ) { [simulation] probe, _ in
            if probe.round == 1 { try? await simulation.sleep(for: .seconds(1)) }
            return Observation(outcome: .answered)
        }
        #expect(result.wholeRounds > 2 && result.wholeRounds < 20)
        #expect(result.recording.samples.count == result.wholeRounds * 2)
    }

    @Test func `a run with a fixed number of rounds completes all of them`() async throws {
        let plan = try Plan.example(targets: 2, questions: 1, rounds: 4)
        let result = await simulation.measure(plan, choice: { _ in .end }) { _, _ in
            Observation(outcome: .answered)
        }
        #expect(result.wholeRounds == 4)
    }

    @Test func `a day of rounds is measured as planned`() async throws {
        var plan = try Plan.example(targets: 3, questions: 10, rounds: 288)
        plan.interval = .seconds(300)
        let result = await simulation.measure(plan) { [simulation] probe, _ in
            try? await simulation.sleep(for: .milliseconds(10 + probe.target))
            return Observation(outcome: .answered)
        }
        #expect(result.recording.samples.count == 288 * 30)
        #expect(result.wholeRounds == 288)
        #expect(!result.interrupted)
        #expect(result.recording.samples.allSatisfy { $0.observation.lateness == 0 })
        let planned = (1...288).flatMap { plan.probes(inRound: $0) }
        for (sample, probe) in zip(result.recording.samples, planned) {
            #expect(sample.scheduled == start.advanced(by: probe.offset))
            #expect(Int(sample.target) == probe.target && Int(sample.round) == probe.round - 1)
        }
        #expect(simulation.now.offset > .seconds(287 * 300))
        #expect(simulation.now.offset < .seconds(288 * 300))
    }

    @Test func `a silent resolver delays no other query`() async throws {
        var plan = try Plan.example(targets: 4, questions: 5, rounds: 20)
        plan.rate = 100
        plan.totalRate = 400
        let result = await simulation.measure(plan) { [simulation] probe, _ in
            guard probe.target == 0 else { return Observation(outcome: .answered) }
            try? await simulation.sleep(for: .seconds(5))
            return Observation(outcome: .timeout)
        }
        #expect(result.recording.samples.count == 400)
        #expect(result.recording.samples.allSatisfy { $0.observation.lateness == 0 })
        let order = result.recording.samples.map(\.scheduled)
        #expect(order == order.sorted())
        #expect(simulation.now.offset < .seconds(7))
    }

    @Test func `lateness is recorded, with the delay of the transport`() async throws {
        var plan = try Plan.example(targets: 2, questions: 10)
        plan.rate = 100
        plan.totalRate = 200
        let sent = Mutex(0)
        let result = await simulation.measure(plan) { [simulation] _, lateness in
            let count = sent.withLock {
                $0 += 1; return $0
            }
            if count == 3 { simulation.stall(.milliseconds(40)) }
            var observation = Observation(outcome: .answered)
            if lateness > .zero { observation.lateness = 7 }
            return observation
        }
        let planned = plan.probes(inRound: 1)
        let resumed = planned[2].offset + .milliseconds(40)
        for (place, (sample, probe)) in zip(result.recording.samples, planned).enumerated() {
            let isLate = place > 2 && probe.offset < resumed
            let lateness = isLate ? (resumed - probe.offset).nanoseconds + 7 : 0
            #expect(sample.observation.lateness == lateness)
        }
        #expect(result.recording.samples.contains { $0.observation.lateness > 0 })
        #expect(result.postponed == .zero)
    }

    @Test func `after a long pause the plan continues without a burst`() async throws {
        let plan = try Plan.example(targets: 2, questions: 10)
        let times = Mutex<[Duration]>([])
        let result = await simulation.measure(plan) { [simulation] probe, _ in
            let count = times.withLock {
                $0.append(simulation.now.offset); return $0.count
            }
            if count == 4 { simulation.stall(.seconds(3600)) }
            return Observation(outcome: .answered)
        }
        let offsets = plan.probes(inRound: 1).map(\.offset)
        let expected =
            offsets.prefix(4) + [offsets[3] + .seconds(3600)]
            + offsets.dropFirst(5).map { $0 + result.postponed }
        #expect(times.withLock { $0 } == Array(expected))
        #expect(result.postponed > .seconds(3599))
        #expect(
            result.recording.samples[19].scheduled
                == start.advanced(by: offsets[19] + result.postponed)
        )
    }

    @Test func `cancellation stops sending and keeps the measurements`() async throws {
        let plan = try Plan.example(targets: 3, questions: 10, rounds: 100)
        let runner = Runner(plan: plan, run: .example, start: start)
        // Both tasks begin in one job of the simulation. The simulated time continues only when
        // that job waits.
        let both = Task(executorPreference: simulation) { [simulation] () -> MeasuredRun in
            let task = Task(executorPreference: simulation) {
                await runner.run(
                    on: simulation,
                    send: { probe, _ in
                        // The third resolver never answers.
                        let wait = probe.target == 2 ? Duration.seconds(5) : .milliseconds(3)
                        do { try await simulation.sleep(for: wait) } catch { return nil }
                        return Observation(outcome: probe.target == 2 ? .timeout : .answered)
                    }
                )
            }
            let stopper = Task(executorPreference: simulation) {
                try await simulation.sleep(until: .init(offset: .seconds(10)), tolerance: nil)
                task.cancel()
            }
            try await stopper.value
            return await task.value
        }
        let result = try await both.value
        #expect(result.interrupted)
        #expect(simulation.now.offset == .seconds(10))
        let planned = (1...6).flatMap { plan.probes(inRound: $0) }.filter {
            $0.offset + (($0.target == 2) ? .seconds(5) : .milliseconds(3)) <= .seconds(10)
        }
        #expect(result.recording.samples.map(\.target) == planned.map { Int32($0.target) })
        #expect(result.wholeRounds == 2)
    }

    @Test func `every query runs on the preferred executor`() async throws {
        let plan = try Plan.example(targets: 2, questions: 3)
        let result = await simulation.measure(plan) { [simulation] _, _ in
            let before = simulation.isCurrent
            try? await simulation.sleep(for: .milliseconds(1))
            return Observation(outcome: before && simulation.isCurrent ? .answered : .blocked)
        }
        #expect(
            result.recording.samples.map(\.observation.outcome)
                == Array(repeating: .answered, count: 6)
        )
    }

    @Test func `rounds are complete and in order, even if an early round ends last`() async throws {
        var plan = try Plan.example(targets: 3, questions: 1, rounds: 4)
        plan.warmup = 2
        let rounds = Mutex(Recording())
        let warmups = Mutex(0)
        let result = await simulation.measure(
            plan,
            onRound: { round in rounds.withLock { $0.merge(round) } }
        ) { [simulation] probe, _ in
            if probe.round < 1 { warmups.withLock { $0 += 1 } }
            if probe.round == 1 { try? await simulation.sleep(for: .seconds(5)) }
            return Observation(outcome: .answered)
        }
        // These answers contain no TTL, so a second warm-up query would be useless.
        #expect(warmups.withLock { $0 } == 3)
        let told = rounds.withLock { $0 }
        #expect(told.rounds.map(\.number) == [1, 2, 3, 4] && told.rounds.allSatisfy(\.isWhole))
        #expect(told.rounds == result.recording.rounds)
        #expect(told.samples == result.recording.samples)
    }

    @Test(arguments: [
        (unreachable: [0, 1, 2], outcome: Outcome.offline),
        (unreachable: [0, 2], outcome: Outcome.unreachable),
    ])
    func `a round without any route is offline`(unreachable: [Int], outcome: Outcome) async throws {
        let plan = try Plan.example(targets: 3, questions: 2)
        let result = await simulation.measure(plan) { probe, _ in
            guard unreachable.contains(probe.target) else { return Observation(outcome: .timeout) }
            var observation = Observation(outcome: .unreachable)
            observation.noRoute = true
            return observation
        }
        for sample in result.recording.samples {
            let expected = unreachable.contains(Int(sample.target)) ? outcome : .timeout
            #expect(sample.observation == Observation(outcome: expected))
        }
    }

    /// An address to which no query can be sent is not evidence of a missing network, in any
    /// network.
    @Test(arguments: ["[2001:db8::1]:53", "[fe80::1%eth9]:53", "192.168.1.1:53"], [false, true])
    func `an invalid address does not affect offline rounds`(
        endpoint: String,
        isOnline: Bool
    ) async throws {
        var plan = try Plan.example(targets: 3, questions: 2)
        plan.targets[0].endpoint = endpoint
        plan.targets[1].endpoint = "192.168.1.2:53"
        plan.targets[2].endpoint = "192.168.1.3:53"
        let result = await simulation.measure(plan) { probe, _ in
            guard probe.target == 0 || !isOnline else { return Observation(outcome: .timeout) }
            var observation = Observation(outcome: .unreachable)
            observation.noRoute = probe.target > 0
            observation.wrongAddress = probe.target == 0
            return observation
        }
        for sample in result.recording.samples {
            let others = isOnline ? Outcome.timeout : .offline
            let expected = sample.target == 0 ? Outcome.unreachable : others
            #expect(sample.observation == Observation(outcome: expected))
        }
    }

    @Test func `with only invalid addresses no round is offline`() async throws {
        let result = await simulation.measure(try Plan.example(targets: 1, questions: 2)) { _, _ in
            var observation = Observation(outcome: .unreachable)
            observation.wrongAddress = true
            return observation
        }
        #expect(result.recording.samples.allSatisfy { $0.observation.outcome == .unreachable })
        #expect(result.recording.rounds.allSatisfy { $0.marks.isEmpty })
    }

    /// A failed router is unreachable. The resolvers behind it are offline.
    @Test func `resolvers behind a failed router are offline`() async throws {
        var plan = try Plan.example(targets: 3, questions: 2)
        plan.targets[0].endpoint = "192.168.1.1:53"
        plan.targets[1].endpoint = "192.0.2.1:53"
        plan.targets[2].endpoint = "198.51.100.1:53"
        let result = await simulation.measure(plan) { probe, _ in
            var observation = Observation(outcome: .unreachable)
            observation.noRoute = probe.target > 0
            return observation
        }
        for sample in result.recording.samples {
            #expect(sample.observation.outcome == (sample.target == 0 ? .unreachable : .offline))
        }
        #expect(result.recording.rounds.map(\.marks) == [[]])
    }

    @Test(arguments: [
        // The local resolver's cached answers show that only the other resolvers are unreachable.
        (Outcome.answered, Outcome.unreachable, RoundMarks()),
        (Outcome.failed, Outcome.offline, RoundMarks([.offline, .outage])),
        (Outcome.unreachable, Outcome.offline, RoundMarks([.offline, .outage])),
        (Outcome.timeout, Outcome.offline, RoundMarks([.offline, .outage])),
        (Outcome.blocked, Outcome.offline, RoundMarks.offline),
    ])
    func `without a network a failing local resolver means no route`(
        local: Outcome,
        far: Outcome,
        marks: RoundMarks
    ) async throws {
        var plan = try Plan.example(targets: 3, questions: 2)
        plan.targets[1].endpoint = "192.0.2.1:53"
        plan.targets[2].endpoint = "198.51.100.1:53"
        let result = await simulation.measure(plan) { probe, _ in
            guard probe.target > 0 else { return Observation(outcome: local) }
            var observation = Observation(outcome: .unreachable)
            observation.noRoute = true
            return observation
        }
        for sample in result.recording.samples {
            #expect(sample.observation.outcome == (sample.target == 0 ? local : far))
        }
        #expect(result.recording.rounds.map(\.marks) == [marks])
        var again = result.recording
        again.rounds[0].marks = []
        again.markRounds()
        #expect(again.rounds.map(\.marks) == [marks])
    }
}
