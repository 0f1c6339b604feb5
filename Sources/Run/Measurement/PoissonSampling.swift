import LibC
import Samples
import Statistics

/// The gaps between the queries to a target under Poisson sampling. The IANA registry of
/// performance metrics defines the parameters (RFC 8912 §6.3.2, §6.3.5). Gaps are exponential, and
/// longer ones are cut to the limit.
package struct PoissonGaps: Hashable, Sendable, Codable {
    /// 1/λ and the limit (`Trunc`), in seconds. Both are whole multiples of 0.1 ms, as in the
    /// registry.
    package let reciprocalLambda: Double
    package let truncation: Double

    /// The limit in mean gaps. One of 20,000 gaps would be longer.
    private static let limit = 10.0
    /// The number of multiples per second.
    private static let resolution = 1e4

    /// Creates gaps with a mean of `mean` seconds or slightly more. The limit reduces the mean by
    /// the fraction e⁻¹⁰, for which this compensates.
    init(mean: Double) {
        let parts = mean / (1 - exp(-Self.limit)) * Self.resolution
        let whole = min(max((parts - 1e-6).rounded(.up), 1), 1e15)
        reciprocalLambda = whole / Self.resolution
        truncation = whole * Self.limit / Self.resolution
    }

    func next(_ random: inout RandomSequence) -> Double {
        min(random.nextExponential() * reciprocalLambda, truncation)
    }
}

extension Plan {
    /// The gaps between the counted queries to a target. On average, the queries to one address and
    /// to all addresses stay within the rates.
    package func gaps(ofTarget target: Int) -> PoissonGaps {
        let count = targets[target].series.asksCachedNames ? cachedCount : zoneCount
        return PoissonGaps(mean: periodSeconds / Double(max(1, count)))
    }

    /// The maximum time until the last query of the last round; one of 1,000 runs exceeds it. It is
    /// one round and three standard deviations of the sum of all gaps.
    var poissonRoundSeconds: Double {
        let fewest = [cachedCount, zoneCount].filter { $0 > 0 }.min() ?? 1
        let deviation = (Double(max(1, rounds)) / Double(fewest)).squareRoot()
        return periodSeconds * (1 + 3 * deviation)
    }
}

/// The queries of all counted rounds under Poisson sampling, in the order of sending. The plan's
/// seed determines all of them. Each target has its own stream, whose gaps depend on no round and
/// no answer (RFC 2330 §11.1.3, method 3). A round is one query for each question, in one order for
/// all targets. The streams drift apart, so that rounds overlap.
struct PoissonSchedule {
    struct Turn: Hashable {
        var probe: Probe
        /// The index of the query by send time within its round.
        var position: Int
        /// The number of queries in the round, if the query is the first of the round.
        var opens: Int?
    }

    private struct Stream {
        let gaps: PoissonGaps
        var random: RandomSequence
        /// The send time of its last query so far, in seconds from the start of the first round.
        var time = 0.0
    }

    private let plan: Plan
    private let start: Duration
    private var streams: [Stream]
    private var nextRound = 1
    /// The queries of known rounds, in reverse order.
    private var pending: [Turn] = []

    init(_ plan: Plan) {
        self.plan = plan
        start = plan.start(ofRound: 1)
        streams = plan.targets.indices.map { target in
            // Rounds use the parts from 0 up.
            let random = RandomSequence(seed: plan.seed, part: -2 - target)
            return Stream(gaps: plan.gaps(ofTarget: target), random: random)
        }
    }

    mutating func next() -> Turn? {
        while nextRound <= plan.rounds, pending.last.map({ $0.probe.offset > horizon }) ?? true {
            addRound()
        }
        return pending.popLast()
    }

    /// The time before which only known queries are sent.
    private var horizon: Duration {
        let members = plan.members(inRound: nextRound)
        let asked = members.cached + (plan.asksUncached(inRound: nextRound) ? members.uncached : [])
        return offset(asked.map { streams[$0].time }.min() ?? .infinity)
    }

    private func offset(_ seconds: Double) -> Duration {
        start + .nanoseconds(Int64(min(seconds, Plan.longestSeconds) * 1e9))
    }

    private mutating func addRound() {
        var random = RandomSequence(seed: plan.seed, part: nextRound)
        let order = plan.questionOrder(inRound: nextRound, &random)
        var probes: [Probe] = []
        for target in plan.targets.indices {
            let isCached = plan.targets[target].series.asksCachedNames
            for question in order where (question < plan.cachedCount) == isCached {
                streams[target].time += streams[target].gaps.next(&streams[target].random)
                probes.append(
                    Probe(
                        round: nextRound,
                        target: target,
                        question: question,
                        offset: offset(streams[target].time)
                    )
                )
            }
        }
        probes.sort { ($0.offset, $0.target) < ($1.offset, $1.target) }
        pending += probes.enumerated().map { position, probe in
            Turn(probe: probe, position: position, opens: position == 0 ? probes.count : nil)
        }
        pending.sort { left, right in
            (left.probe.offset, left.probe.round, left.position)
                > (right.probe.offset, right.probe.round, right.position)
        }
        nextRound += 1
    }
}
