import LibC
import Samples
import Statistics

/// Gaps between the queries to a target under Poisson sampling, with the parameters that the IANA
/// registry of performance metrics gives it (RFC 8912 §6.3.2, §6.3.5): exponential, a longer one than
/// the limit as long as that.
package struct PoissonGaps: Hashable, Sendable, Codable {
    /// 1/λ, and the limit (`Trunc`): in seconds, whole multiples of 0.1 ms, as the registry has them.
    package let reciprocalLambda: Double
    package let truncation: Double

    /// The limit in mean gaps: one of 20,000 gaps would be longer.
    private static let limit = 10.0
    /// Multiples in a second.
    private static let resolution = 1e4

    /// Gaps whose mean is `mean` seconds or a little more: the limit makes it shorter by e⁻¹⁰, which is
    /// added before.
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
    /// Gaps between the counted queries to a target; the queries to all targets of an address, and to
    /// all addresses, are then no more on average than the rates allow.
    package func gaps(ofTarget target: Int) -> PoissonGaps {
        let count = targets[target].series.asksCachedNames ? cachedCount : zoneCount
        return PoissonGaps(mean: periodSeconds / Double(max(1, count)))
    }

    /// The time until the last query of a last round, which comes as late only once in a thousand
    /// runs: three standard deviations of the sum of all gaps, and one round.
    var poissonRoundSeconds: Double {
        let fewest = [cachedCount, zoneCount].filter { $0 > 0 }.min() ?? 1
        let deviation = (Double(max(1, rounds)) / Double(fewest)).squareRoot()
        return periodSeconds * (1 + 3 * deviation)
    }
}

/// The queries of all counted rounds under Poisson sampling, in the order of sending. All follows from
/// the plan's seed: each target has a stream of its own, whose gaps know of no round and of no answer
/// (RFC 2330 §11.1.3, method 3). A round is one query for each question, in one order for all targets;
/// the streams drift apart, so that rounds overlap.
struct PoissonSchedule {
    struct Turn: Hashable {
        var probe: Probe
        /// By the time of sending within its round.
        var position: Int
        /// The number of queries of the round that it is the first of.
        var opens: Int?
    }

    private struct Stream {
        let gaps: PoissonGaps
        var random: RandomSequence
        /// When its last query so far is sent, in seconds from the start of the first round.
        var time = 0.0
    }

    private let plan: Plan
    private let start: Duration
    private var streams: [Stream]
    private var nextRound = 1
    /// Queries of rounds that are known, the next one last.
    private var pending: [Turn] = []

    init(_ plan: Plan) {
        self.plan = plan
        start = plan.start(ofRound: 1)
        streams = plan.targets.indices.map { target in
            // Rounds have the parts from 0 up.
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

    /// Before this nothing is sent but what is known.
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
