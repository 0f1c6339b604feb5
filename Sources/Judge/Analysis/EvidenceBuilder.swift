package import Samples
package import Statistics

/// The evidence of a run, which grows round by round. It is the same for a current run and for a run that was
/// read from a file.
package struct EvidenceBuilder: Sendable {
    /// One builder per series. Each series has its own baseline and comparisons.
    var builders: [SeriesEvidenceBuilder]
    /// The comparison over cached and uncached names together; `nil` if either was not asked for.
    var whole: WholeEvidenceBuilder?
    private let targets: [Recording.Target]
    private let unit: ComparisonRules.Unit
    private let endsWithVerdict: Bool
    /// The numbers of the rounds that are excluded although their samples do not show it: rounds during which
    /// the machine was suspended, and rounds after the last verdict.
    package private(set) var unusedRounds: [Int] = []

    /// Compares all targets with the first target labelled `baseline`. Without such a target, nothing is
    /// compared.
    ///
    /// - `endsWithVerdict` ignores the rounds after the last verdict.
    /// - `eliminates` asks candidates only while they matter, and ends the run with the answer.
    /// - `tampering` contains labels that are never recommended.
    /// - `keepsRounds` may be false if only ``progress`` is read.
    // Many parameters: one for each condition of a run, most of which have a default.
    package init(
        targets: [Recording.Target],
        baseline: String?,
        rules: ComparisonRules = ComparisonRules(),
        endsWithVerdict: Bool = false,
        eliminates: Bool = false,
        tampering: Set<String> = [],
        keepsRounds: Bool = true
    ) {
        self.targets = targets
        unit = rules.unit
        self.endsWithVerdict = endsWithVerdict
        builders = Series.allCases.compactMap { series in
            SeriesEvidenceBuilder(
                series,
                targets: targets,
                baseline: baseline,
                rules: rules,
                tampering: tampering,
                keepsRounds: keepsRounds
            )
        }
        if eliminates { for index in builders.indices { builders[index].eliminate() } }
        whole = WholeEvidenceBuilder(builders, targets: targets)
    }

    /// Adds the rounds of a recording, in order. If hours are the evidence, adds the queries of each hour.
    package mutating func add(_ recording: Recording) {
        add(RoundQueries(of: recording), of: recording)
    }

    /// Adds the rounds from the queries of a recording. The recording may lack its samples.
    package mutating func add(_ rounds: RoundQueries, of recording: Recording) {
        var hours = [[Int: HourTimes]](repeating: [:], count: targets.count)
        for (round, place, isDisowned) in rounds.ordered(recording)
        where isEvidence(round, isDisowned: isDisowned) {
            guard unit == .hour else {
                var queries: [RoundQuery] = []
                rounds.forEachQuery(ofRound: place) { query, _ in queries.append(query) }
                let timeout = recording.timeout(of: round).milliseconds
                add { $0.add(queries, timeout: timeout) }
                continue
            }
            rounds.forEachQuery(ofRound: place) { query, hour in
                hours[query.target][hour, default: HourTimes()].add(query.outcome)
            }
        }
        guard unit == .hour else { return }
        add(hours: hours, timeout: recording.runs.map(\.timeout).min()) { $0.summary(timeout: $1) }
    }

    /// Adds the next round, which is alone in `recording`, unless it is excluded.
    package mutating func add(round recording: Recording) {
        let round = recording.rounds[0]
        let isDisowned = recording.samples.contains { $0.observation.flags.contains(.noEvidence) }
        guard isEvidence(round, isDisowned: isDisowned) else { return }
        let queries = queries(CountedSamples(of: recording))
        let timeout = recording.timeout(of: round).milliseconds
        add { $0.add(queries, timeout: timeout) }
    }

    func queries(_ counted: CountedSamples) -> [RoundQuery] {
        counted.recording.samples.compactMap { sample in
            guard targets.indices.contains(Int(sample.target)) else { return nil }
            return RoundQuery(sample, in: targets[Int(sample.target)].series)
        }
    }

    /// Returns whether a round is evidence. Incomplete rounds, marked rounds, and rounds after the last
    /// verdict are excluded. Rounds whose samples are flagged as no evidence are excluded too.
    private mutating func isEvidence(_ round: Round, isDisowned: Bool) -> Bool {
        if isDisowned { return false }
        let isLate = endsWithVerdict && isDecided && builders.contains { !$0.candidates.isEmpty }
        if round.marks.contains(.suspended) || isLate {
            unusedRounds.append(Int(round.number))
            return false
        }
        return round.isWhole && round.marks.isEmpty
    }

    /// Adds the hours of each of the targets, in their order; see ``HistoryHours/hoursByTarget``.
    package mutating func add(hours: [[Int: Figures]]) {
        let timeout = hours.joined().compactMap(\.value.timeout).min()
        add(hours: hours, timeout: timeout) { $0.summary(timeout: $1) }
    }

    private mutating func add<Hour>(
        hours: [[Int: Hour]],
        timeout: Duration?,
        summary: (Hour, _ timeout: Double) -> HourSummary
    ) {
        let timeout = (timeout ?? .seconds(5)).milliseconds
        for hour in Set(hours.flatMap(\.keys)).sorted() {
            let summaries = hours.map {
                $0[hour].map { summary($0, timeout) }
                    ?? HourSummary(answers: [], nonAnswers: 0, timeout: timeout)
            }
            add { $0.add(hour: hour, of: summaries, timeout: timeout) }
        }
    }

    /// Lets every series add its part, and then adds the whole.
    private mutating func add(_ take: (inout SeriesEvidenceBuilder) -> [PairedRound]) {
        var pairs: [Series: [PairedRound]] = [:]
        for index in builders.indices { pairs[builders[index].series] = take(&builders[index]) }
        whole?.add(pairs)
        takeContents()
    }

    /// Whether every candidate of every series has its verdict, and also over cached and uncached names
    /// together; true without candidates.
    package var isDecided: Bool {
        builders.allSatisfy(\.isDecided) && whole?.process.isDecided != false
    }

    /// The indices of the targets that the next round asks.
    package var asked: [Int] { builders.flatMap(\.asked).sorted() }

    /// Returns whether every candidate of `series` has its verdict; true without candidates.
    package func isDecided(in series: Series) -> Bool {
        builders.allSatisfy { $0.series != series || $0.isDecided }
    }

    /// The progress of the candidates of all series, by the index of the target.
    package var progress: [Int: EvidenceProgress] {
        builders.reduce(into: [:]) { progress, builder in
            for (place, own) in zip(builder.candidates, builder.progress) {
                progress[builder.members[place]] = own
            }
        }
    }

    /// Returns the evidence when no more rounds follow, per series.
    ///
    /// `ranks` adds ranks, which require a comparison of each pair of resolvers. `isOfRun` is true for the
    /// evidence of a single run. Otherwise no resolver counts as set aside.
    package func evidence(
        ending: ComparisonProcess.Ending,
        ranks: Bool = true,
        ofRun isOfRun: Bool = false
    ) -> [SeriesEvidence] {
        builders.map { builder in
            var evidence = builder.evidence(ending: ending, ranks: ranks, ofRun: isOfRun)
            if builder.series == .cached {
                evidence.whole =
                    whole?.candidates(ending: ending, beside: evidence.candidates) ?? []
            }
            return evidence
        }
    }
}

/// The queries of an hour to one resolver.
private struct HourTimes {
    private var answers = AnswerTimes()
    private var nonAnswers = 0

    mutating func add(_ outcome: QueryOutcome) {
        switch outcome {
        case .answered(let time): answers.append(time)
        case .failed: nonAnswers += 1
        case .missing: break
        }
    }

    func summary(timeout: Double) -> HourSummary {
        HourSummary(answers: Array(answers), nonAnswers: nonAnswers, timeout: timeout)
    }
}

extension Figures {
    /// The hour as evidence. Its median is exact if all figures are from samples.
    fileprivate func summary(timeout: Double) -> HourSummary {
        sums == nil
            ? HourSummary(answers: Array(answers), nonAnswers: counts.failed, timeout: timeout)
            : HourSummary(tally, timeout: timeout)
    }
}

/// The evidence of the rounds of one series: the comparison of each candidate with the baseline, and the
/// ranking of all.
package struct SeriesEvidence: Hashable, Sendable {
    /// A comparison and its candidate, which is an index of the recording's targets.
    package struct Candidate: Hashable, Sendable {
        package var target: Int
        package var comparison: Comparison
        /// The time to content; `nil` if no connections to the answers were tried.
        package var content: ContentComparison?
    }

    package var series: Series
    /// An index of the recording's targets; `nil` without a comparison.
    package var baseline: Int?
    /// The candidates in the order of the targets.
    package var candidates: [Candidate]
    /// The comparisons over cached and uncached names together, with the targets of the cached names. Only in
    /// the evidence of the cached series, and empty if either series was not asked for.
    package var whole: [Candidate] = []
    /// The findings about the targets' caches from their first answers, by index. Empty except for names as
    /// found.
    package var found: [Int: FoundNames] = [:]
    /// The targets that the last rounds did not ask, by their index in the recording.
    package var departures: [Int: Departure] = [:]
    /// The ranking of ``ranked``; `nil` without a ranking.
    package var ranking: Ranking?
    /// The indices of the recording's targets, except those that fail more often than most.
    package var ranked: [Int]
    /// The number of rounds of the series in the evidence.
    package var rounds: Int
    /// The comparisons of resolvers over encrypted transports with the same resolvers over a plain one.
    package var encryption: [TransportPair] = []

    /// A resolver that was asked no longer, because it no longer mattered.
    package struct Departure: Hashable, Sendable {
        /// The number of rounds that asked it.
        package var rounds: Int
        /// The indices of the three targets that it is no better than; empty if its verdict ended its rounds.
        package var betters: [Int]
        /// The median of baseline − resolver over the pairs, in milliseconds; `nil` if it is infinite.
        package var difference: Double?
        /// The 95 % interval of ``difference``; `nil` if the pairs are too few.
        package var interval: ClosedRange<Double>?

        /// The reason why a resolver was asked no longer.
        package enum Reason: String, Hashable, Sendable, CaseIterable {
            /// Three other resolvers are faster, or equally fast.
            case outdone
            /// The resolver is slower than the baseline over its whole interval.
            case slower
            /// The resolver has its verdict: it is no gain over the baseline.
            case noGain = "no-gain"
        }

        package var reason: Reason {
            if !betters.isEmpty { return .outdone }
            return interval.map { $0.upperBound < 0 } == true ? .slower : .noGain
        }
    }

    /// One resolver over two transports, as indices of the recording's targets. The plain transport is the
    /// baseline of the comparison.
    package struct TransportPair: Hashable, Sendable {
        package var plain: Int
        package var encrypted: Int
        package var comparison: Comparison
    }

    /// Returns the possible ranks of a target; `nil` if it fails more often than most, or if the rounds are
    /// too few for a ranking.
    package func rank(of target: Int) -> ClosedRange<Int>? {
        ranked.firstIndex(of: target).flatMap { ranking?.ranks[$0] }
    }

    /// Whether any candidate was compared with the baseline, or needs no comparison because it gives false
    /// answers.
    package var isTested: Bool {
        candidates.contains { $0.comparison.rounds > 0 || $0.comparison.reason == .tampering }
    }

    /// Returns whether one of two targets is established to be faster than the other.
    package func tellsApart(_ first: Int, _ second: Int) -> Bool {
        guard let first = ranked.firstIndex(of: first), let second = ranked.firstIndex(of: second)
        else { return false }
        return ranking?.tellsApart(first, second) == true
    }

    /// Stores the findings about the caches. The verdict is left open for a candidate that shares its cache
    /// with the baseline, because the resolver that is asked first pays for the cache misses of both.
    fileprivate mutating func take(_ found: [Int: FoundNames]) {
        self.found = found
        guard let twins = baseline.flatMap({ found[$0] })?.oneCache else { return }
        for index in candidates.indices where twins.contains(candidates[index].target) {
            candidates[index].comparison.verdict = .undecided
            candidates[index].comparison.reason = .sharedCache
        }
    }

    /// Returns the evidence in a recording. It is the same as the evidence of the recorded run.
    package static func all(
        of tally: RecordingTally,
        baseline: String?,
        rules: ComparisonRules = ComparisonRules(),
        ending: ComparisonProcess.Ending = .budgetSpent,
        tampering: Set<String> = []
    ) -> [SeriesEvidence] {
        let recording = tally.recording
        var builder = EvidenceBuilder(
            targets: recording.targets,
            baseline: baseline,
            rules: rules,
            tampering: tampering
        )
        builder.add(tally.queries, of: recording)
        let isOfRun = recording.runs.count == 1 && recording.runs[0].origin == .compare
        var evidence = builder.evidence(ending: ending, ofRun: isOfRun)
        for index in evidence.indices where evidence[index].series == .asFound {
            evidence[index].take(tally.foundNames())
        }
        return evidence
    }
}
