/// The choice among several candidates: which resolvers are still worth asking, and when the answer is known.
///
/// Resolvers are numbered: 0 is the baseline, k is candidate k − 1 of a ``ComparisonProcess``. An e-process
/// per pair covers the rounds in which both resolvers were asked. Once it shows, at any round, that a
/// resolver is not faster than another by more than the margin, this resolver is no better (Ville 1939). The
/// level allows for every claim of the run: ln E ≥ ln(2K/α) for K candidates.
///
/// A resolver that is no better than three others that are still asked is asked no longer, unless it is among
/// the four best. Three false certificates at once are rarer than α. The choice of the resolvers in a round
/// depends only on earlier rounds.
///
/// Each resolver is compared with all others. If more than 512 are asked at once, it is compared only with
/// the best of them. Memory and time then grow with the number of resolvers, not with its square. Fewer
/// comparisons never set a resolver aside by mistake, but may do so later.
package struct Elimination: Sendable {
    /// The end of a resolver's rounds.
    package struct Departure: Hashable, Sendable {
        /// The last round in which the resolver was asked, counted from 1.
        package let round: Int
        /// The three resolvers that it is no better than; empty if its verdict ended its rounds.
        package let betters: [Int]
    }

    package enum Answer: Hashable, Sendable {
        /// This candidate is recommended: it is faster than the baseline by more than the margin, it hardly
        /// fails, and no remaining resolver is better.
        case recommended(Int)
        /// No candidate is better than the baseline.
        case stay
        /// Only resolvers that fail too often remain besides the baseline.
        case none
    }

    /// The resolvers that the next round asks, including the baseline.
    package private(set) var asked: [Int]
    /// The resolvers that the next round does not ask.
    package private(set) var departures: [Int: Departure] = [:]
    /// The answer; `nil` while more rounds are worthwhile.
    package private(set) var answer: Answer?
    private let rules: ComparisonRules
    private var rounds = 0
    private var failures: [FailureCount]
    private var differences: [[Double]]
    /// Evidence that the column's resolver is not faster than the row's by more than the margin.
    private var evidence: PairEvidence
    /// The maximum number of pairs in one decision. ``fewestRivals`` per resolver takes precedence.
    private let mostPairs: Int

    /// The number of better resolvers that sets a resolver aside.
    private static let fewestBetters = 3
    /// The number of the best resolvers that are never set aside.
    private static let kept = 4
    /// The minimum number of resolvers that each is compared with.
    private static let fewestRivals = 16
    /// A resolver with few failures may turn out to fail no more than others. It is kept up to `patience`
    /// queries.
    private static let pardonedFailures = 3
    private static let patience = 400
    /// The share of failures that must be excluded for a recommended resolver. The fastest of many is often
    /// chosen before its failures show.
    private static let mostFailures = 0.04
    /// The gain in milliseconds for which a resolver that needs more queries keeps the answer open.
    private static let worthWaiting = 1.0

    package init(
        candidates: Int,
        rules: ComparisonRules = ComparisonRules(),
        mostPairs: Int = 512 * 512
    ) {
        self.mostPairs = mostPairs
        let count = max(0, candidates) + 1
        self.rules = rules
        asked = Array(0..<count)
        failures = [FailureCount](repeating: FailureCount(), count: count)
        differences = [[Double]](repeating: [], count: count)
        evidence = PairEvidence(
            margin: rules.margin,
            threshold: Self.logThreshold(candidates: candidates, alpha: rules.alpha)
        )
    }

    /// Returns the ln E that one claim requires in a run with this number of candidates.
    package static func logThreshold(candidates: Int, alpha: Double) -> Double {
        EProcess.logThreshold(alpha: alpha, tests: 2 * Double(max(1, candidates)))
    }

    /// Returns the number of names that a round asks each of `resolvers` for, at most `inUse`.
    ///
    /// The round then lasts about two seconds at `totalRate` queries per second. Short rounds are better,
    /// because each round is one piece of evidence, no matter how many queries it has.
    package static func names(asking resolvers: Int, inUse: Int, totalRate: Double) -> Int {
        let fitting = (2 * totalRate / Double(max(1, resolvers)) - 1e-9).rounded(.up)
        return max(1, Int(min(fitting, Double(inUse))))
    }

    /// Adds the next round. `outcomes` has one row per resolver and one column per question. A resolver that
    /// was not asked has missing outcomes. `process` has already added the round.
    package mutating func add(_ outcomes: [[QueryOutcome]], _ process: ComparisonProcess) {
        rounds += 1
        for (resolver, row) in outcomes.enumerated() where failures.indices.contains(resolver) {
            failures[resolver] += FailureCount(row)
            let pairs = zip(outcomes[0], row).compactMap { $0.difference(from: $1) }
                .filter { !$0.isNaN }
            guard resolver > 0, !pairs.isEmpty else { continue }
            differences[resolver] += pairs
            // Sorting is cheap, because the earlier differences are already in order.
            differences[resolver].sort()
        }
        evidence.add(outcomes)
        decide(process)
    }

    private mutating func decide(_ process: ComparisonProcess) {
        for resolver in asked where resolver > 0 {
            let verdict = process.verdict(of: resolver - 1)?.verdict
            if let verdict, verdict != .switch { leave(resolver, betters: []) }
        }
        asked.removeAll { departures[$0] != nil }
        var scores = [Double](repeating: -.infinity, count: failures.count)
        for resolver in asked { scores[resolver] = score(of: resolver) }
        setAside(process, scores)
        let good = eligible(process)
        let able = good.isEmpty ? asked : good
        let isAble = places(of: able)
        // A resolver without a pair, or that lost most pairs, does not delay the answer.
        let rivals = able.filter { $0 > 0 && scores[$0] > -.infinity }
        let waiting = asked.filter { $0 > 0 && (isAble[$0] || isHopeful($0)) }
        // If scores are equal, the baseline leads.
        let leader = able.reduce(able[0]) { scores[$1] > scores[$0] ? $1 : $0 }
        if asked == [0] {
            answer = .stay
        } else if leader == 0, waiting.isEmpty {
            answer = Answer.none
        } else if leader > 0, process.verdict(of: leader - 1)?.verdict == .switch,
            ProportionInterval.anytime(
                successes: failures[leader].failures,
                of: failures[leader].queries,
                alpha: 0.05
            ).upperBound < Self.mostFailures,
            !waiting.contains(where: {
                !isAble[$0] && scores[$0] > scores[leader] + Self.worthWaiting
            }),
            rivals.allSatisfy({ $0 == leader || isNoBetter($0, than: leader) })
        {
            answer = .recommended(leader)
        }
    }

    /// Sets aside resolvers that lost to enough others, the slowest first. Two resolvers must not set each
    /// other aside.
    private mutating func setAside(_ process: ComparisonProcess, _ scores: [Double]) {
        let good = eligible(process)
        let isGood = places(of: good)
        let order = asked.filter { $0 > 0 }.sorted { (scores[$0], $0) < (scores[$1], $1) }
        var best = Array(order.filter { isGood[$0] }.suffix(Self.kept))
        let cut = best.count == Self.kept ? scores[best[0]] : -.infinity
        best += order.filter { !isGood[$0] && scores[$0] > cut && isHopeful($0) }
        let isBest = places(of: best)
        let rivals = rivals(among: good, scores)
        for resolver in order where !isBest[resolver] {
            let betters = rivals.filter {
                $0 != resolver && departures[$0] == nil && isNoBetter(resolver, than: $0)
            }
            guard betters.count >= Self.fewestBetters else { continue }
            leave(resolver, betters: Array(betters.suffix(Self.fewestBetters)))
        }
        asked.removeAll { departures[$0] != nil }
    }

    /// Returns the resolvers that each other resolver is compared with: all of `good`, or only the best if
    /// they are many.
    private func rivals(among good: [Int], _ scores: [Double]) -> [Int] {
        let most = max(Self.fewestRivals, mostPairs / asked.count)
        guard good.count > most else { return good }
        return good.sorted { (scores[$0], $0) > (scores[$1], $1) }.prefix(most).sorted()
    }

    private mutating func leave(_ resolver: Int, betters: [Int]) {
        departures[resolver] = Departure(round: rounds, betters: betters)
    }

    /// Returns, for each resolver, whether it is among `resolvers`.
    private func places(of resolvers: [Int]) -> [Bool] {
        var isThere = [Bool](repeating: false, count: failures.count)
        for resolver in resolvers { isThere[resolver] = true }
        return isThere
    }

    /// Returns the asked resolvers that fail no more often than the median one of them.
    private func eligible(_ process: ComparisonProcess) -> [Int] {
        let rates = asked.sorted { (failures[$0].rate ?? 0, $0) < (failures[$1].rate ?? 0, $1) }
        let usual = failures[rates[(rates.count - 1) / 2]]
        return asked.filter { resolver in
            resolver == 0
                ? !failures[0].exceeds(usual)
                : !failures[resolver].exceeds(usual)
                    && !process.candidates[resolver - 1].isFailingMore
                    && !process.tampering.contains(resolver - 1)
        }
    }

    private func isHopeful(_ resolver: Int) -> Bool {
        failures[resolver].failures <= Self.pardonedFailures
            && failures[resolver].queries < Self.patience
    }

    /// Returns whether it is established that `resolver` is not faster than `other` by more than the margin.
    package mutating func isNoBetter(_ resolver: Int, than other: Int) -> Bool {
        evidence.isEnough(row: other, column: resolver)
    }

    /// Returns the greatest ln E so far that `resolver` is not faster than `other` by more than the margin.
    package func logEvidence(that resolver: Int, isNoBetterThan other: Int) -> Double {
        evidence.greatest(row: other, column: resolver)
    }

    /// Returns baseline − resolver of every pair with the baseline, in milliseconds, ascending. Pairs in
    /// which both failed are excluded.
    package func differences(of resolver: Int) -> [Double] { differences[resolver] }

    /// Returns the lower median of these differences; `nil` without any.
    package func difference(of resolver: Int) -> Double? {
        let pairs = differences[resolver]
        return pairs.isEmpty ? nil : pairs[(pairs.count - 1) / 2]
    }

    private func score(of resolver: Int) -> Double {
        resolver == 0 ? 0 : difference(of: resolver) ?? -.infinity
    }
}
