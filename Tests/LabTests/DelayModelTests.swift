import Catalogue
import Testing

@testable import Lab

struct DelayModelTests {
    private func draws(
        _ behaviour: Behaviour,
        count: Int,
        seed: UInt64 = 1,
        resolver: Int = 0
    ) -> [DelayModel.Draw] {
        var model = DelayModel(behaviour, seed: seed, resolver: resolver)
        return (0..<count).map { _ in model.next() }
    }

    @Test func `one seed gives one sequence`() {
        let behaviour = Behaviour.spread { $0.lossProbability = 0.1 }
        #expect(draws(behaviour, count: 100) == draws(behaviour, count: 100))
    }

    @Test func `another seed or resolver gives another sequence`() {
        let sequence = draws(.spread(), count: 20)
        #expect(draws(.spread(), count: 20, seed: 2) != sequence)
        #expect(draws(.spread(), count: 20, resolver: 1) != sequence)
    }

    @Test func `a fault does not change the delays`() {
        let lossy = draws(.spread { $0.lossProbability = 0.5 }, count: 100)
        #expect(lossy.map(\.hitDelay) == draws(.spread(), count: 100).map(\.hitDelay))
    }

    @Test func `half of the draws in each block are below the median`() throws {
        let delays = draws(.spread(), count: 10_000).map(\.hitDelay)
        let middle = try #require(Behaviour.spread().expectedMedian)
        for block in stride(from: 0, to: delays.count, by: 20) {
            #expect(delays[block..<block + 20].count { $0 < middle } == 10)
        }
    }

    @Test func `misses have the configured share and add their delay`() {
        let behaviour = Behaviour.spread {
            $0.missProbability = 0.15
            $0.missDelayLow = .milliseconds(20)
            $0.missDelayHigh = .milliseconds(200)
        }
        let misses = draws(behaviour, count: 2000).filter(\.isMiss)
        #expect(misses.count == 300)
        #expect(misses.allSatisfy { $0.missDelay >= .milliseconds(20) })
        #expect(misses.allSatisfy { $0.missDelay <= .milliseconds(200) })
        #expect(misses.contains { $0.missDelay > .milliseconds(150) })
    }

    @Test(arguments: [
        (probability: 0.0, count: 0...0), (probability: 0.25, count: 2300...2700),
        (probability: 1.0, count: 10_000...10_000),
    ])
    func `faults have the configured share`(probability: Double, count: ClosedRange<Int>) {
        let behaviour = Behaviour.plain {
            $0.lossProbability = probability
            $0.lateProbability = probability
            $0.duplicateProbability = probability
            $0.wrongIDProbability = probability
            $0.truncateProbability = probability
            $0.servfailProbability = probability
        }
        let draws = draws(behaviour, count: 10_000)
        #expect(count.contains(draws.count(where: \.isLost)))
        #expect(count.contains(draws.count(where: \.isLate)))
        #expect(count.contains(draws.count(where: \.isDuplicated)))
        #expect(count.contains(draws.count(where: \.isForged)))
        #expect(count.contains(draws.count(where: \.isTruncated)))
        #expect(count.contains(draws.count(where: \.isServerFailure)))
    }

    @Test func `losses are independent`() {
        let draws = draws(.plain { $0.lossProbability = 0.5 }, count: 100_000)
        let blocks = stride(from: 0, to: draws.count, by: 20).map { start in
            Double(draws[start..<start + 20].count(where: \.isLost))
        }
        let variance = blocks.reduce(0) { $0 + ($1 - 10) * ($1 - 10) } / Double(blocks.count)
        #expect((4.7...5.3).contains(variance), "binomial: 20 · ½ · ½ = 5")
    }

    @Test func `an infinite or NaN sigma gives a bounded delay`() {
        var behaviour = Behaviour.spread { $0.sigma = .infinity }
        #expect(draws(behaviour, count: 40).allSatisfy { $0.hitDelay < .seconds(90_000) })
        behaviour.sigma = .nan
        #expect(draws(behaviour, count: 40).allSatisfy { $0.hitDelay < .seconds(90_000) })
    }
}
