import Catalogue
import Testing

@testable import Lab

struct ExpectedMedianTests {
    private static let behaviours: [Behaviour] = [
        .spread(),
        .spread {
            $0.missProbability = 0.3; $0.missDelayHigh = .milliseconds(80)
        },
        .spread {
            $0.missProbability = 0.7
            $0.missDelayLow = .milliseconds(10)
            $0.missDelayHigh = .milliseconds(80)
        },
        .spread {
            $0.sigma = 2; $0.jitter = .milliseconds(30); $0.lossProbability = 0.2
        },
        .spread {
            $0.servfailProbability = 0.3; $0.lossProbability = 0.1
        },
        .spread {
            $0.lateProbability = 0.6; $0.lateDelay = .milliseconds(25)
        },
        .spread { $0.truncateProbability = 1 },
        .spread {
            $0.truncateProbability = 0.4; $0.lossProbability = 0.05; $0.jitter = .zero
        },
        .spread {
            $0.truncateProbability = 0.6
            $0.missProbability = 0.2
            $0.missDelayHigh = .milliseconds(50)
        },
        .spread {
            $0.jitter = .zero; $0.missProbability = 0.1; $0.missDelayLow = .seconds(1)
            $0.missDelayHigh = .seconds(1)
        },
    ]

    /// Returns the time to the complete answer of one query, in milliseconds; `nil` without an answer. A
    /// truncated answer adds the time of a second query, over TCP.
    private func fetch(_ model: inout DelayModel, _ behaviour: Behaviour) -> Double? {
        let first = model.next()
        guard !first.isLost, !first.isServerFailure else { return nil }
        guard first.isTruncated else { return first.time(behaviour) }
        let second = model.next()
        guard !second.isLost, !second.isServerFailure else { return nil }
        return first.time(behaviour) + second.time(behaviour)
    }

    @Test(arguments: behaviours)
    func `the median of many draws is the expected median`(behaviour: Behaviour) throws {
        var model = DelayModel(behaviour, seed: 3, resolver: 0)
        let times = (0..<100_000).map { _ in fetch(&model, behaviour) ?? .infinity }.sorted()
        let expected = try #require(behaviour.expectedMedian).milliseconds
        #expect(abs(times[49_999] - expected) <= 0.01 * expected)
    }

    @Test(arguments: UInt64(0)..<20)
    func `the median of 100 draws has an error below 200 microseconds`(seed: UInt64) throws {
        let behaviour = Behaviour.spread {
            $0.missProbability = 0.1
            $0.missDelayLow = .milliseconds(20)
            $0.missDelayHigh = .milliseconds(90)
        }
        var model = DelayModel(behaviour, seed: seed, resolver: 0)
        let times = (0..<100).map { _ in model.next().time(behaviour) }.sorted()
        let expected = try #require(behaviour.expectedMedian).milliseconds
        #expect(abs(times[49] - expected) < 0.2)
    }

    @Test(arguments: [
        Behaviour.plain { $0.silent = true }, .plain { $0.refuse = true },
        .plain { $0.lossProbability = 0.51 },
        .plain {
            $0.lossProbability = 0.3; $0.servfailProbability = 0.3
        },
    ])
    func `a resolver without answers to most queries has no median`(behaviour: Behaviour) {
        #expect(behaviour.expectedMedian == nil)
    }

    @Test func `the expected median of a constant delay is this delay`() throws {
        let behaviour = Behaviour(name: "pond", baseDelay: .milliseconds(5))
        let expected = try #require(behaviour.expectedMedian)
        #expect(abs(expected.milliseconds - 5) < 0.001)
    }
}

extension DelayModel.Draw {
    /// The time until the answer is sent, in milliseconds.
    fileprivate func time(_ behaviour: Behaviour) -> Double {
        hitDelay.milliseconds + (isMiss ? missDelay.milliseconds : 0)
            + (isLate ? behaviour.lateDelay.milliseconds : 0)
    }
}
