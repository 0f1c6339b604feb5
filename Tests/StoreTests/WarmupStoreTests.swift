import Fixtures
import Samples
import Statistics
import Store
import Testing

/// The cache hits and misses of warm-ups in the hourly sums.
struct WarmupStoreTests {
    private let folder = TemporaryFolder()

    private func store(_ name: String, run: String, seed: UInt64 = 1) throws -> Store {
        var simulation = try Simulation(seed: seed)
        let store = try Store(path: folder.file(name), durability: .off)
        _ = try simulation.fill(store, run: run, rounds: 40)
        return store
    }

    /// Returns the cache hits and misses of the samples' warm-ups, by the start of the hour and by resolver.
    private func told(_ samples: Recording) -> [Timestamp: [String: HitShare]] {
        var told: [Timestamp: [String: HitShare]] = [:]
        for sample in samples.samples {
            guard let tally = sample.observation.extras?.warmup else { continue }
            let hour = Timestamp(hoursSinceEpoch: sample.moment.hoursSinceEpoch)
            let label = samples.targets[Int(sample.target)].label
            told[hour, default: [:]][label, default: HitShare()].add(tally)
        }
        return told
    }

    private func told(_ sums: [HourlySum]) -> [Timestamp: [String: HitShare]] {
        var told: [Timestamp: [String: HitShare]] = [:]
        for sum in sums where sum.figures.warmups != HitShare() {
            told[sum.hour, default: [:]][sum.target.label, default: HitShare()]
                .merge(sum.figures.warmups)
        }
        return told
    }

    @Test func `sums keep the cache hits of their samples after pruning`() throws {
        let store = try store("s", run: "r")
        let expected = told(try store.recording())
        #expect(expected.count == 4)
        #expect(told(try store.rollups()) == expected)
        #expect(try store.prune(olderThan: Timestamp(nanoseconds: .max)) > 0)
        #expect(told(try store.rollups()) == expected)
        #expect(try store.check().findings == [])
    }

    @Test func `a merge copies the cache hits of pruned hours`() throws {
        let (store, other) = (try store("a", run: "r"), try store("b", run: "other", seed: 2))
        var expected = told(try store.recording())
        for (hour, shares) in told(try other.recording()) {
            for (label, share) in shares {
                expected[hour, default: [:]][label, default: HitShare()].merge(share)
            }
        }
        #expect(try other.prune(olderThan: Timestamp(nanoseconds: .max)) > 0)
        for _ in 0..<2 {
            _ = try store.merge(from: other)
            #expect(told(try store.rollups()) == expected)
            #expect(try store.check().findings == [])
        }
    }

    @Test func `counts of cached names above the maximum can be stored`() throws {
        var simulation = try Simulation()
        let store = try Store(path: folder.file("s"), durability: .off)
        for number in 1...3 {
            var round = simulation.round(number)
            let most = WarmupTally(hits: .max, misses: .max)
            for index in round.samples.indices {
                round.samples[index].observation.add(warmup: most)
            }
            try simulation.append(round, to: store)
        }
        #expect(try store.rollups().allSatisfy { $0.figures.warmups.hits == 1 << 32 })
        #expect(try store.check().findings == [])
    }
}
