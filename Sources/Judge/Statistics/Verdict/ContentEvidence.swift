/// The progress of a candidate's time to content, as far as it is known.
package enum ContentProgress: Hashable, Sendable {
    /// More rounds may tell.
    case open
    /// It leads to content faster by more than the margin.
    case faster
    /// It does not, or no round will tell any more.
    case notFaster
}

/// The time to content of one candidate beside the baseline's. Milliseconds, positive where the
/// candidate is faster.
package struct ContentComparison: Hashable, Sendable {
    /// The comparison of look-up and connection together, a pair per round, with its own verdict.
    package var comparison: Comparison
    /// The mean over the rounds of the connections' differences.
    package var connection: Double
    /// The middle over the rounds of the look-ups' differences; `nil` where it is infinite.
    package var lookUp: Double?
    /// Connections of each.
    package var connections: Int
    /// Those that did not stand within ``ContentRound/longestConnection`` and count as that.
    package var baselineUnconnected: Int
    package var candidateUnconnected: Int

    /// HTTPS over TCP goes to the address three times before the first octet comes back: to connect,
    /// for TLS 1.3 and for the request. An estimate of the difference of that; nobody measured it.
    package var firstOctet: Double? { lookUp.map { $0 + 3 * connection } }
}

/// The evidence, round by round, that candidates lead to content faster than the baseline by more
/// than the margin: a look-up is worth nothing by itself, and a resolver whose answers lead farther
/// away may lose there what it gains.
package struct ContentEvidence: Hashable, Sendable {
    private var process: ComparisonProcess
    /// Sums by candidate, but for the verdict.
    private var sums: [Sums]
    /// Candidates of whom it is to be known and nobody has tried yet.
    package var awaited: Set<Int> = []
    /// No round will tell any more.
    package var isComplete = false

    package init(candidates: Int, rules: ComparisonRules) {
        let count = max(0, candidates)
        var rules = rules
        // Failures count by all queries, not by those alone whose answers were tried.
        rules.lossTolerance = nil
        process = ComparisonProcess(candidates: count, rules: rules)
        sums = [Sums](repeating: Sums(), count: count)
    }

    private struct Sums: Hashable {
        /// The look-ups' difference in each round.
        var lookUps: [Double] = []
        /// The sum of the rounds' means.
        var connection = 0.0
        var connections = 0
        var baselineUnconnected = 0
        var candidateUnconnected = 0

        mutating func add(_ round: ContentRound) {
            lookUps.append(round.lookUp)
            connection += round.connection
            connections += round.connections
            baselineUnconnected += round.unconnected.baseline
            candidateUnconnected += round.unconnected.candidate
        }
    }

    /// Takes the next round, one entry a candidate: `nil`, or one without connections, says nothing.
    package mutating func add(_ rounds: [ContentRound?]) {
        let told = rounds.map { $0.flatMap { $0.connections > 0 ? $0 : nil } }
        process.add(told.map { $0.map(PairedRound.init) ?? PairedRound([]) })
        for (candidate, round) in told.enumerated() where sums.indices.contains(candidate) {
            guard let round else { continue }
            awaited.remove(candidate)
            sums[candidate].add(round)
        }
    }

    /// `nil` where nothing was or will be known of its time to content.
    package func progress(of candidate: Int) -> ContentProgress? {
        guard sums.indices.contains(candidate) else { return nil }
        if sums[candidate].lookUps.isEmpty {
            return awaited.contains(candidate) && !isComplete ? .open : nil
        }
        return switch process.verdict(of: candidate)?.verdict {
        case .switch: .faster
        case nil where !isComplete: .open
        default: .notFaster
        }
    }

    /// The comparison of each candidate when no more rounds come; `nil` without any round of it.
    package func comparisons(ending: ComparisonProcess.Ending) -> [ContentComparison?] {
        process.comparisons(ending: ending).enumerated().map { candidate, comparison in
            let sums = sums[candidate]
            guard !sums.lookUps.isEmpty else { return nil }
            let lookUp = sums.lookUps.filter { !$0.isNaN }.median
            return ContentComparison(
                comparison: comparison,
                connection: sums.connection / Double(sums.lookUps.count),
                lookUp: lookUp?.isFinite == true ? lookUp : nil,
                connections: sums.connections,
                baselineUnconnected: sums.baselineUnconnected,
                candidateUnconnected: sums.candidateUnconnected
            )
        }
    }
}
