/// The progress of a candidate's time to content.
package enum ContentProgress: Hashable, Sendable {
    /// More rounds may decide.
    case open
    /// The candidate leads to content faster by more than the margin.
    case faster
    /// The candidate does not lead to content faster by more than the margin, or no more rounds can decide.
    case notFaster
}

/// The comparison of one candidate's time to content with the baseline's. Times are in milliseconds, positive
/// if the candidate is faster.
package struct ContentComparison: Hashable, Sendable {
    /// The comparison of the sum of look-up and connection, one pair per round, with its own verdict.
    package var comparison: Comparison
    /// The mean difference of the connections over the rounds.
    package var connection: Double
    /// The median difference of the look-ups over the rounds; `nil` if it is infinite.
    package var lookUp: Double?
    /// The number of connections per resolver.
    package var connections: Int
    /// The numbers of connections that were not established within ``ContentRound/longestConnection`` and
    /// count as that time.
    package var baselineUnconnected: Int
    package var candidateUnconnected: Int

    /// An estimate, not a measurement, of the difference in the time to the first byte. HTTPS over TCP takes
    /// three round trips before the first byte: for the connection, for TLS 1.3 and for the request.
    package var firstByte: Double? { lookUp.map { $0 + 3 * connection } }
}

/// The evidence, round by round, that candidates lead to content faster than the baseline by more than the
/// margin.
///
/// A look-up alone has no value. A resolver whose answers lead to farther servers may lose there what it
/// gains.
package struct ContentEvidence: Hashable, Sendable {
    private var process: ComparisonProcess
    /// Sums per candidate. The verdict does not use them.
    private var sums: [Sums]
    /// Candidates whose time to content is wanted, but whose answers have not been tried yet.
    package var awaited: Set<Int> = []
    /// Whether no more rounds can decide.
    package var isComplete = false

    package init(candidates: Int, rules: ComparisonRules) {
        let count = max(0, candidates)
        var rules = rules
        // All queries count for failures, not only those whose answers were tried.
        rules.lossTolerance = nil
        process = ComparisonProcess(candidates: count, rules: rules)
        sums = [Sums](repeating: Sums(), count: count)
    }

    private struct Sums: Hashable {
        /// The difference of the look-ups in each round.
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

    /// Adds the next round, with one entry per candidate. `nil`, or a round without connections, is ignored.
    package mutating func add(_ rounds: [ContentRound?]) {
        let told = rounds.map { $0.flatMap { $0.connections > 0 ? $0 : nil } }
        process.add(told.map { $0.map(PairedRound.init) ?? PairedRound([]) })
        for (candidate, round) in told.enumerated() where sums.indices.contains(candidate) {
            guard let round else { continue }
            awaited.remove(candidate)
            sums[candidate].add(round)
        }
    }

    /// Returns the progress; `nil` if the time to content of this candidate is unknown and will stay unknown.
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

    /// Returns the comparison of each candidate when no more rounds follow; `nil` for a candidate without
    /// rounds.
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
