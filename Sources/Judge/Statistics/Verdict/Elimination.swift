/// The choice among several candidates: which are still worth asking, and when the one to use is
/// known.
///
/// Resolvers are numbered: 0 is the baseline, k the candidate k − 1 of a ``ComparisonProcess``. A
/// resolver is no better than another once the e-process of the rounds in which both were asked has
/// shown, at any of them, that it is not faster by more than the margin (Ville 1939), at a level that
/// allows for every claim of the run: ln E ≥ ln(2K/α) for K candidates. Who has lost to three others
/// that are still asked is asked no more, unless it is among the four best: three false certificates
/// at once are rarer than α. Whom a round asks depends on earlier rounds alone.
///
/// A resolver is compared with all others. Where more than 512 are asked at once, it is compared with the
/// best of them, so that memory and time grow with the number of resolvers and not with its square.
/// Fewer comparisons do not set a resolver aside by mistake, but may do so later.
package struct Elimination: Sendable {
    /// The end of a resolver's rounds.
    package struct Departure: Hashable, Sendable {
        /// The last round that it was asked in, counted from 1.
        package let round: Int
        /// The three that it is no better than; none where its verdict ended it.
        package let betters: [Int]
    }

    package enum Answer: Hashable, Sendable {
        /// This candidate is the one to use: it is faster than the baseline by more than the margin,
        /// it hardly fails, and nobody left is better.
        case recommended(Int)
        /// No candidate is better than the baseline.
        case stay
        /// Only such as fail too often are left beside the baseline.
        case none
    }

    /// Resolvers that the next round asks, the baseline among them.
    package private(set) var asked: [Int]
    /// Those that it does not ask.
    package private(set) var departures: [Int: Departure] = [:]
    /// `nil` while it is worth asking on.
    package private(set) var answer: Answer?
    private let rules: ComparisonRules
    private var rounds = 0
    private var failures: [FailureCount]
    private var differences: [[Double]]
    /// Evidence that the column's resolver is not faster than the row's by more than the margin.
    private var evidence: PairEvidence
    /// The most pairs that one decision compares, as long as there are ``fewestRivals`` per resolver.
    private let mostPairs: Int

    /// Resolvers that are no better before one is set aside.
    private static let fewestBetters = 3
    /// So many of the best are never set aside.
    private static let kept = 4
    /// A resolver is compared with at least so many.
    private static let fewestRivals = 16
    /// A resolver with few failures may yet turn out to fail no more than others, up to so many
    /// queries.
    private static let pardonedFailures = 3
    private static let patience = 400
    /// A share of failures that has to be excluded of the one to use: the fastest of many is first
    /// chosen while its failures have not shown yet.
    private static let mostFailures = 0.04
    /// How much faster, in milliseconds, one of those that wait for more queries keeps the answer open.
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

    /// ln of the E that one claim of a run with so many candidates takes.
    package static func logThreshold(candidates: Int, alpha: Double) -> Double {
        EProcess.logThreshold(alpha: alpha, tests: 2 * Double(max(1, candidates)))
    }

    /// Names that a round asks each of so many resolvers for, of those that are in use: so few that
    /// at `totalRate` queries per second it lasts about two seconds, since evidence comes by the
    /// round, not by the query.
    package static func names(asking resolvers: Int, inUse: Int, totalRate: Double) -> Int {
        let fitting = (2 * totalRate / Double(max(1, resolvers)) - 1e-9).rounded(.up)
        return max(1, Int(min(fitting, Double(inUse))))
    }

    /// Takes the next round: a row a resolver, missing where it was not asked, a column a question,
    /// and the comparisons with the baseline, which have taken it.
    package mutating func add(_ outcomes: [[QueryOutcome]], _ process: ComparisonProcess) {
        rounds += 1
        for (resolver, row) in outcomes.enumerated() where failures.indices.contains(resolver) {
            failures[resolver] += FailureCount(row)
            let pairs = zip(outcomes[0], row).compactMap { $0.difference(from: $1) }
                .filter { !$0.isNaN }
            guard resolver > 0, !pairs.isEmpty else { continue }
            differences[resolver] += pairs
            // What is in order already is walked over, and no more.
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
        // Who has no pair, or lost most of them, holds up no answer.
        let rivals = able.filter { $0 > 0 && scores[$0] > -.infinity }
        let waiting = asked.filter { $0 > 0 && (isAble[$0] || isHopeful($0)) }
        // Of equal scores the baseline's.
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

    /// Sets aside whoever lost to enough others, the slowest first: two must not end each other.
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

    /// The resolvers that each other one is compared with: all of `good`, or of very many the best.
    private func rivals(among good: [Int], _ scores: [Double]) -> [Int] {
        let most = max(Self.fewestRivals, mostPairs / asked.count)
        guard good.count > most else { return good }
        return good.sorted { (scores[$0], $0) > (scores[$1], $1) }.prefix(most).sorted()
    }

    private mutating func leave(_ resolver: Int, betters: [Int]) {
        departures[resolver] = Departure(round: rounds, betters: betters)
    }

    /// For each resolver whether it is among these.
    private func places(of resolvers: [Int]) -> [Bool] {
        var isThere = [Bool](repeating: false, count: failures.count)
        for resolver in resolvers { isThere[resolver] = true }
        return isThere
    }

    /// Those asked that fail no more than the usual one of them.
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

    /// Whether it is surely not faster than another by more than the margin.
    package mutating func isNoBetter(_ resolver: Int, than other: Int) -> Bool {
        evidence.isEnough(row: other, column: resolver)
    }

    /// ln E of that, the greatest so far.
    package func logEvidence(that resolver: Int, isNoBetterThan other: Int) -> Double {
        evidence.greatest(row: other, column: resolver)
    }

    /// Baseline − resolver of every pair with the baseline but those where both failed, in milliseconds,
    /// ascending.
    package func differences(of resolver: Int) -> [Double] { differences[resolver] }

    /// The lower one in the middle of these; `nil` without any.
    package func difference(of resolver: Int) -> Double? {
        let pairs = differences[resolver]
        return pairs.isEmpty ? nil : pairs[(pairs.count - 1) / 2]
    }

    private func score(of resolver: Int) -> Double {
        resolver == 0 ? 0 : difference(of: resolver) ?? -.infinity
    }
}
