import Samples
import Statistics

/// The evidence of one series.
struct SeriesEvidenceBuilder: Sendable {
    let series: Series
    /// The indices of the recording's targets in this series.
    let members: [Int]
    /// The member with which the others are compared.
    let baseline: Int?
    /// The members that are compared with the baseline, by their index in ``members``.
    let candidates: [Int]
    var process: ComparisonProcess
    /// The evidence of connections to the answers, from rounds in which they were tried.
    var content: ContentEvidence
    /// The elimination; `nil` if all resolvers are asked until the end.
    private var elimination: Elimination?
    /// The rounds so far, if they are kept.
    private(set) var rounds: [Taken] = []
    private let keepsRounds: Bool
    /// One resolver over two transports, by their indices in ``members``.
    private let transportPairs: [(plain: Int, encrypted: Int)]
    /// The index in ``members`` of each target.
    let places: [Int: Int]

    /// A round or an hour, by member.
    struct Taken: Hashable {
        /// The outcomes by question, for the questions that were asked.
        var outcomes: [[QueryOutcome]]
        /// Whether each member was asked. It was asked even if its outcomes are no measure of speed.
        var asked: [Bool]
        var failures: [FailureCount]
        /// The timeout in milliseconds for the mean of the differences; `nil` if failures are not part of the
        /// mean.
        var timeout: Double?
        /// The maximum error of each member's outcome in milliseconds; empty for exact times.
        var errors: [Double] = []
    }

    /// Creates a builder; `nil` if no target is in the series.
    init?(
        _ series: Series,
        targets: [Recording.Target],
        baseline label: String?,
        rules: ComparisonRules,
        tampering: Set<String>,
        keepsRounds: Bool
    ) {
        let members = targets.indices.filter { targets[$0].series == series }
        guard !members.isEmpty else { return nil }
        // Medians of hours do not separate hits from misses.
        let isComparable = series != .asFound || rules.unit == .round
        let baseline =
            isComparable ? targets.baseline(label, in: series).flatMap(members.firstIndex) : nil
        self.series = series
        self.members = members
        self.baseline = baseline
        let candidates = baseline == nil ? [] : members.indices.filter { $0 != baseline }
        self.candidates = candidates
        var rules = rules
        if series == .asFound { rules.statistic = .mean }
        process = ComparisonProcess(candidates: candidates.count, rules: rules)
        process.tampering = Set(
            candidates.indices.filter { tampering.contains(targets[members[candidates[$0]]].label) }
        )
        content = ContentEvidence(candidates: candidates.count, rules: rules)
        self.keepsRounds = keepsRounds
        transportPairs = members.map { targets[$0] }.transportPairs
        places = Dictionary(uniqueKeysWithValues: members.enumerated().map { ($1, $0) })
    }

    /// Lets candidates be asked only while they matter, if there are several.
    mutating func eliminate() {
        guard candidates.count > 1 else { return }
        elimination = Elimination(candidates: candidates.count, rules: process.rules)
    }

    /// Whether no more rounds can change the result.
    var isDecided: Bool { elimination.map { $0.answer != nil } ?? process.isDecided }

    /// The progress of the candidates towards their verdicts. A candidate that was set aside gets no verdict.
    var progress: [EvidenceProgress] {
        process.progress.enumerated().map { candidate, progress in
            guard let departure = elimination?.departures[candidate + 1] else { return progress }
            var stopped =
                progress.verdict == .keep
                ? progress : EvidenceProgress(verdict: .undecided, reason: .setAside, share: 1)
            stopped.stoppedAfter = departure.round
            return stopped
        }
    }

    /// The targets that the next round asks.
    var asked: [Int] {
        guard let elimination, let baseline else { return members }
        return elimination.asked.map { members[$0 == 0 ? baseline : candidates[$0 - 1]] }
    }

    /// Returns the column of each question that the round asks in this series, in their order. A round asks
    /// only a few questions of a long list.
    func columns(of queries: [RoundQuery]) -> [Int32: Int] {
        let own = queries.lazy.filter { places[$0.target] != nil }
        let asked = Set(own.map(\.question)).sorted()
        return Dictionary(uniqueKeysWithValues: zip(asked, asked.indices))
    }

    /// Adds the queries of a whole round. Queries of other series are ignored. `timeout` is in milliseconds.
    /// Returns each candidate's pairs with the baseline; empty without queries.
    mutating func add(_ queries: [RoundQuery], timeout: Double) -> [PairedRound] {
        let columns = columns(of: queries)
        guard !columns.isEmpty else { return [] }
        let empty = [QueryOutcome](repeating: .missing, count: columns.count)
        var outcomes = [[QueryOutcome]](repeating: empty, count: members.count)
        var asked = [Bool](repeating: false, count: members.count)
        for query in queries {
            guard let member = places[query.target], let column = columns[query.question]
            else { continue }
            asked[member] = true
            outcomes[member][column] =
                series == .asFound ? query.outcome.capped : query.outcome
        }
        addContent(queries)
        // The mean for names as found covers the pairs that both answered. Failures have a separate test.
        let timeout = series == .asFound ? nil : timeout
        let failures = outcomes.map(FailureCount.init)
        return take(outcomes, asked: asked, failures: failures, timeout: timeout) {
            PairedRound(baseline: outcomes[$0], candidate: outcomes[$1], timeout: timeout)
        }
    }

    /// Adds an hour, counted from 1970 (UTC), as one piece of evidence. `targets` contains the summary of
    /// each of the recording's targets. `timeout` is in milliseconds. Returns the same as for a round.
    mutating func add(hour: Int, of targets: [HourSummary], timeout: Double) -> [PairedRound] {
        let hours = members.map { targets[$0] }
        let asked = hours.map(\.isAsked)
        guard asked.contains(true) else { return [] }
        return take(
            hours.map { [$0.median] },
            asked: asked,
            failures: hours.map(\.failures),
            timeout: timeout,
            errors: hours.map(\.error)
        ) { baseline, candidate in
            PairedRound(hour: hour, baseline: hours[baseline], candidate: hours[candidate])
                ?? PairedRound([])
        }
    }

    /// Adds the outcomes and `failures` of each member, and whether it was `asked`. `pairs` returns the pairs
    /// of the baseline and a candidate.
    private mutating func take(
        _ outcomes: [[QueryOutcome]],
        asked: [Bool],
        failures: @autoclosure () -> [FailureCount],
        timeout: Double?,
        errors: [Double] = [],
        pairs: (Int, Int) -> PairedRound
    ) -> [PairedRound] {
        if keepsRounds {
            rounds.append(
                Taken(
                    outcomes: outcomes,
                    asked: asked,
                    failures: failures(),
                    timeout: timeout,
                    errors: errors
                )
            )
        }
        guard let baseline else { return [] }
        let paired = candidates.map { pairs(baseline, $0) }
        process.add(paired)
        elimination?.add(([baseline] + candidates).map { outcomes[$0] }, process)
        return paired
    }

    /// Returns the evidence when no more rounds follow. The evidence of a single run also shows which
    /// resolvers were asked no longer before its end.
    func evidence(
        ending: ComparisonProcess.Ending,
        ranks: Bool,
        ofRun isOfRun: Bool
    ) -> SeriesEvidence {
        let departures = isOfRun ? departures : [:]
        let comparisons = zip(candidates, process.comparisons(ending: ending)).map {
            member,
            comparison in
            var comparison = comparison
            if departures[members[member]] != nil, comparison.verdict != .keep,
                comparison.reason != .edge
            {
                (comparison.verdict, comparison.reason) = (.undecided, .setAside)
            }
            return SeriesEvidence.Candidate(target: members[member], comparison: comparison)
        }
        .leading(content.comparisons(ending: ending))
        let ranked = reliable.filter { departures[members[$0]] == nil }
        return SeriesEvidence(
            series: series,
            baseline: baseline.map { members[$0] },
            candidates: comparisons,
            departures: departures,
            ranking: ranks && series != .asFound
                ? Ranking(
                    resolvers: ranked.count,
                    rounds: rounds.map { round in ranked.map { round.outcomes[$0] } },
                    errors: rounds.allSatisfy { !$0.errors.isEmpty }
                        ? rounds.map { round in ranked.map { round.errors[$0] } } : [],
                    known: known(comparisons, among: ranked),
                    alpha: process.rules.alpha
                ) : nil,
            ranked: ranked.map { members[$0] },
            rounds: rounds.count,
            encryption: encryption(comparisons, ending: ending)
        )
    }

    /// Returns the comparison of each encrypted transport of a resolver with its plain transport. It reuses
    /// `comparisons` if the plain transport is the baseline.
    private func encryption(
        _ comparisons: [SeriesEvidence.Candidate],
        ending: ComparisonProcess.Ending
    ) -> [SeriesEvidence.TransportPair] {
        transportPairs.map { plain, encrypted in
            let known =
                plain == baseline
                ? comparisons.first { $0.target == members[encrypted] }?.comparison : nil
            var pair = ComparisonProcess(candidates: 1, rules: process.rules)
            for round in rounds where known == nil {
                let outcomes = round.outcomes
                pair.add([
                    PairedRound(
                        baseline: outcomes[plain],
                        candidate: outcomes[encrypted],
                        timeout: round.timeout,
                        error: round.errors.isEmpty
                            ? 0 : round.errors[plain] + round.errors[encrypted]
                    )
                ])
            }
            return SeriesEvidence.TransportPair(
                plain: members[plain],
                encrypted: members[encrypted],
                comparison: known ?? pair.comparisons(ending: ending)[0]
            )
        }
    }

    /// Returns the pairs in `ranked`, by their indices, that `comparisons` already contain.
    private func known(
        _ comparisons: [SeriesEvidence.Candidate],
        among ranked: [Int]
    ) -> [(baseline: Int, candidate: Int, comparison: Comparison)] {
        guard let place = baseline.flatMap(ranked.firstIndex) else { return [] }
        return zip(candidates, comparisons).compactMap { member, one in
            ranked.firstIndex(of: member).map { (place, $0, one.comparison) }
        }
    }

    /// The members without those that are established to fail more often than the median one, in most rounds.
    private var reliable: [Int] {
        let failures = members.indices.map { member in
            rounds.reduce(into: FailureCount()) { $0 += $1.failures[member] }
        }
        let answering = members.indices.filter { (failures[$0].rate ?? 1) < 0.5 }
            .sorted { (failures[$0].rate ?? 1) < (failures[$1].rate ?? 1) }
        guard !answering.isEmpty else { return [] }
        let usual = answering[(answering.count - 1) / 2]
        let threshold = Ranking.logThreshold(
            resolvers: members.count,
            alpha: process.rules.alpha
        )
        return members.indices.filter { member in
            var evidence = EProcess()
            for round in rounds {
                guard let mine = round.failures[member].rate,
                    let theirs = round.failures[usual].rate
                else { continue }
                evidence.add(signOf: mine - theirs)
            }
            return failures[member].queries > 0 && evidence.logEAbove < threshold
        }
    }
}

extension QueryOutcome {
    /// The maximum time in milliseconds that counts in a mean, so that a few answers do not outweigh all
    /// others.
    static let longestFound = 1000.0

    fileprivate var capped: QueryOutcome {
        if case .answered(let time) = self { .answered(min(time, Self.longestFound)) } else { self }
    }
}
