package import Samples
package import Statistics

/// The evidence of a run, which grows round by round: the same for a run under way as for one read
/// from a file.
package struct EvidenceBuilder: Sendable {
    /// Candidates and baseline are told by their series: each has a comparison of its own.
    var builders: [SeriesEvidenceBuilder]
    /// Cached and uncached names together; `nil` where either was not asked for.
    var whole: WholeEvidenceBuilder?
    private let targets: [Recording.Target]
    private let unit: ComparisonRules.Unit
    private let endsWithVerdict: Bool
    /// Rounds that are no evidence, though their samples do not tell: those in which the machine
    /// slept, and those that came after the last verdict.
    package private(set) var unusedRounds: [Int] = []

    /// Compares with the first target labelled `baseline`, or with none. With `endsWithVerdict` what
    /// comes after the last verdict is not used; with `eliminates` candidates are asked only while it
    /// matters, and the answer ends it; `tampering` are labels never to be advised. Where
    /// only ``progress`` is asked for, the rounds need not be kept as they were.
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

    /// Takes the rounds of a recording, in their order. Where hours are the evidence, takes what the
    /// rounds have of each hour.
    package mutating func add(_ recording: Recording) {
        add(RoundQueries(of: recording), of: recording)
    }

    /// The same of the queries of a recording, whose samples it need not have.
    package mutating func add(_ rounds: RoundQueries, of recording: Recording) {
        var hours = [[Int: LatencyTally]](repeating: [:], count: targets.count)
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
                hours[query.target][hour, default: LatencyTally()].insert(query.outcome)
            }
        }
        guard unit == .hour else { return }
        add(hours: hours, timeout: recording.runs.map(\.timeout).min(), tally: \.self)
    }

    /// Takes the next round, which is alone in `recording`, unless it is no evidence.
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

    /// A round that is not whole, is marked, or comes too late says nothing, nor does one whose
    /// samples say that it is no evidence.
    private mutating func isEvidence(_ round: Round, isDisowned: Bool) -> Bool {
        if isDisowned { return false }
        let isLate = endsWithVerdict && isDecided && builders.contains { !$0.candidates.isEmpty }
        if round.marks.contains(.suspended) || isLate {
            unusedRounds.append(Int(round.number))
            return false
        }
        return round.isWhole && round.marks.isEmpty
    }

    /// Takes the hours of each of the targets, in their order; see ``HistoryHours/hoursByTarget``.
    package mutating func add(hours: [[Int: Figures]]) {
        let timeout = hours.joined().compactMap(\.value.timeout).min()
        add(hours: hours, timeout: timeout, tally: \.tally)
    }

    private mutating func add<Hour>(
        hours: [[Int: Hour]],
        timeout: Duration?,
        tally: (Hour) -> LatencyTally
    ) {
        let timeout = (timeout ?? .seconds(5)).milliseconds
        for hour in Set(hours.flatMap(\.keys)).sorted() {
            let tallies = hours.map { $0[hour].map(tally) ?? LatencyTally() }
            add { $0.add(hour: hour, of: tallies, timeout: timeout) }
        }
    }

    /// Has every series take its part, then the whole.
    private mutating func add(_ take: (inout SeriesEvidenceBuilder) -> [PairedRound]) {
        var pairs: [Series: [PairedRound]] = [:]
        for index in builders.indices { pairs[builders[index].series] = take(&builders[index]) }
        whole?.add(pairs)
        takeContents()
    }

    /// Whether every candidate of every series has its verdict, and over all of them; so it is without
    /// candidates.
    package var isDecided: Bool {
        builders.allSatisfy(\.isDecided) && whole?.process.isDecided != false
    }

    /// Indexes of the targets that the next round asks.
    package var asked: [Int] { builders.flatMap(\.asked).sorted() }

    /// Whether every candidate of `series` has its verdict; so it is without candidates.
    package func isDecided(in series: Series) -> Bool {
        builders.allSatisfy { $0.series != series || $0.isDecided }
    }

    /// How far the candidates of all series are from their verdicts, by the index of the target.
    package var progress: [Int: EvidenceProgress] {
        builders.reduce(into: [:]) { progress, builder in
            for (place, own) in zip(builder.candidates, builder.progress) {
                progress[builder.members[place]] = own
            }
        }
    }

    /// Evidence when no more rounds come, by series; the resolvers are not ranked unless
    /// they are to be, which takes a comparison of each with each other; nor is anybody taken for
    /// asked no more but of one run.
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

/// Evidence of the rounds of one series: for each candidate against the baseline, and of all beside
/// each other.
package struct SeriesEvidence: Hashable, Sendable {
    /// A comparison with its candidate, an index of the recording's targets.
    package struct Candidate: Hashable, Sendable {
        package var target: Int
        package var comparison: Comparison
        /// `nil` where nobody connected to what was answered.
        package var content: ContentComparison?
    }

    package var series: Series
    /// An index of the recording's targets; `nil` where nothing is compared.
    package var baseline: Int?
    /// In the order of the targets.
    package var candidates: [Candidate]
    /// The comparisons over cached and uncached names together, with the targets of the cached ones;
    /// in their evidence alone, and empty where either was not asked for.
    package var whole: [Candidate] = []
    /// The findings on the targets' caches from their first answers, by index; empty but of
    /// as-found names.
    package var found: [Int: FoundNames] = [:]
    /// Those that the last rounds did not ask, by their index among the recording's targets.
    package var departures: [Int: Departure] = [:]
    /// Ranking of ``ranked``; `nil` without any.
    package var ranking: Ranking?
    /// Indexes of the recording's targets but for those that are known to fail more than most.
    package var ranked: [Int]
    /// Rounds of the series that were taken into account.
    package var rounds: Int
    /// Resolvers over encrypted transports against themselves over a plain one.
    package var encryption: [TransportPair] = []

    /// A resolver that was asked no more once it did not matter.
    package struct Departure: Hashable, Sendable {
        /// Rounds that asked it.
        package var rounds: Int
        /// Indexes of the three targets that it is no better than; none where its verdict ended it.
        package var betters: [Int]
        /// Middle of baseline − resolver over the pairs, in milliseconds; `nil` where that is infinite.
        package var difference: Double?
        /// Its interval, to 95 %; `nil` where the pairs are too few.
        package var interval: ClosedRange<Double>?

        /// Why a resolver was asked no more.
        package enum Reason: String, Hashable, Sendable, CaseIterable {
            /// Three others are faster, or as fast.
            case outdone
            /// Its whole interval is slower than the baseline.
            case slower
            /// It has its verdict: it is no gain over the baseline.
            case noGain = "no-gain"
        }

        package var reason: Reason {
            if !betters.isEmpty { return .outdone }
            return interval.map { $0.upperBound < 0 } == true ? .slower : .noGain
        }
    }

    /// One resolver over two transports, with indexes of the recording's targets; the plain one is
    /// the comparison's baseline.
    package struct TransportPair: Hashable, Sendable {
        package var plain: Int
        package var encrypted: Int
        package var comparison: Comparison
    }

    /// The ranks that a target may have; `nil` for one that is known to fail more than most, and
    /// where too few rounds rank anybody.
    package func rank(of target: Int) -> ClosedRange<Int>? {
        ranked.firstIndex(of: target).flatMap { ranking?.ranks[$0] }
    }

    /// Whether anything was held against the baseline, or need not be.
    package var isTested: Bool {
        candidates.contains { $0.comparison.rounds > 0 || $0.comparison.reason == .tampering }
    }

    /// Whether one of two targets is faster than the other.
    package func tellsApart(_ first: Int, _ second: Int) -> Bool {
        guard let first = ranked.firstIndex(of: first), let second = ranked.firstIndex(of: second)
        else { return false }
        return ranking?.tellsApart(first, second) == true
    }

    /// Takes what is `found` of the caches, and leaves open what a resolver is to the baseline where
    /// both are one: whoever is asked first pays for both.
    fileprivate mutating func take(_ found: [Int: FoundNames]) {
        self.found = found
        guard let twins = baseline.flatMap({ found[$0] })?.oneCache else { return }
        for index in candidates.indices where twins.contains(candidates[index].target) {
            candidates[index].comparison.verdict = .undecided
            candidates[index].comparison.reason = .sharedCache
        }
    }

    /// The evidence in a recording, which is that of the run that it was recorded from.
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
