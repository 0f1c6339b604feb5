import Measurement
import Samples
import Synchronization
import Testing

struct WarmupTests {
    private let simulation = Simulation()
    private let start = Simulation.start

    /// The behaviour of a resolver's TTLs over its queries and over time.
    enum Behaviour: String, CaseIterable {
        case ages, stays, silent, empty, fresh

        /// The number of queries in a warm-up of at most five.
        var queries: Int {
            switch self {
            case .ages, .stays: 2
            case .silent, .empty: 1
            case .fresh: 5
            }
        }

        func ttl(_ count: Int, _ seconds: Double) -> UInt32? {
            switch self {
            case .ages: 300 - UInt32(seconds)
            case .stays: 300
            case .silent, .empty: nil
            // Each query reaches another cache that has just fetched the name, with another TTL.
            case .fresh: 300 + UInt32(count) * 10
            }
        }
    }

    /// Measures one resolver and one name. Returns the round and the time of each query, in
    /// seconds.
    private func times(_ behaviour: Behaviour, warmup: Int) async throws -> [(
        round: Int, at: Double
    )] {
        var plan = try Plan.example(targets: 1, questions: 2, rounds: 2)
        plan.warmup = warmup
        let asked = Mutex<[(round: Int, at: Double)]>([])
        let result = await simulation.measure(plan) { [simulation, start] probe, _ in
            let offset = simulation.now.offset
            let count = asked.withLock { asked in
                if probe.question == 0 { asked.append((probe.round, offset / .seconds(1))) }
                return asked.count
            }
            if behaviour == .silent {
                try? await simulation.sleep(for: .seconds(5))
                return Observation(outcome: .timeout)
            }
            var observation = Observation(outcome: .answered)
            observation.sent = start.advanced(by: offset)
            observation.roundTrip = 1_000_000
            observation.ttl = behaviour.ttl(count, offset / .seconds(1))
            return observation
        }
        #expect(result.wholeRounds == 2)
        return asked.withLock { $0 }
    }

    @Test(arguments: Behaviour.allCases)
    func `a warm-up continues while answers are fresh and age`(behaviour: Behaviour) async throws {
        let asked = try await times(behaviour, warmup: 5)
        let warmups = asked.filter { $0.round < 1 }.map(\.at)
        #expect(warmups.count == behaviour.queries)
        for (one, next) in zip(warmups, warmups.dropFirst()) { #expect(next - one >= 1.1) }
        #expect(asked.count { $0.round >= 1 } == 2)
        // Unneeded warm-up rounds take no time.
        let first = try #require(asked.first { $0.round == 1 }?.at)
        #expect(first < Double(behaviour.queries + 1) * 1.2 + 0.4)
    }

    @Test(arguments: [0, 1, 2, 3])
    func `the option limits the warm-up queries per resolver and name`(most: Int) async throws {
        let asked = try await times(.fresh, warmup: most)
        #expect(asked.count { $0.round < 1 } == most)
    }

    @Test func `hits and misses are in the samples of all labels`() async throws {
        var plan = try Plan.example(targets: 2, questions: 1, rounds: 8)
        plan.targets[1].endpoint = plan.targets[0].endpoint
        plan.interval = .seconds(1)
        let result = await simulation.measure(plan) { [simulation, start] _, _ in
            let offset = simulation.now.offset
            var observation = Observation(outcome: .answered)
            observation.sent = start.advanced(by: offset)
            observation.roundTrip = 1_000_000
            // The name is fetched again every four seconds.
            let second = UInt32(offset / .seconds(1))
            observation.ttl = 4 - second % 4
            return observation
        }
        let states = result.recording.samples.map(\.observation.cache)
        #expect(states[0] == nil)
        #expect(states[1...].count { $0 == .miss } == 1)
        #expect(states[8] == .miss)
        #expect(states[1...].count { $0 == .hit } == 14)
    }
}
