import Analysis
import DNSWire
package import Samples
package import Statistics

/// A comparison of two recordings of the same resolvers: a run and an earlier saved run.
///
/// The rounds of both are paired in their order, and within them the same questions, so that the
/// comparison is that of a baseline and a candidate.
package struct RunDiffReport: HistoryReport {
    static let kind = "against"

    package struct Row: PairedRow, Hashable, Sendable {
        package var target: Recording.Target
        /// The label, with a suffix if another resolver has the same label.
        package var name: String
        package var before: ResolverSummary?
        package var now: ResolverSummary?
        /// The comparison with the earlier recording as the baseline; `nil` if one is missing.
        package var comparison: Comparison?
    }

    package let context: WindowContext
    package let rules: ComparisonRules
    package let rows: [Row]
    private(set) var provenance: Provenance

    /// A resolver is identified by its label, transport and series, not by its endpoint.
    package init(
        before: CountedSamples,
        now: CountedSamples,
        rules: ComparisonRules,
        context: WindowContext
    ) {
        self.context = context
        var rules = rules
        // Nothing is recommended.
        rules.lossTolerance = nil
        self.rules = rules
        let old = RunRounds(of: before)
        let new = RunRounds(of: now)
        let shared = new.subjects.filter { old.rows[$0] != nil }
        var process = ComparisonProcess(candidates: shared.count, rules: rules)
        let timeout = min(old.timeout, new.timeout).milliseconds
        for (earlier, later) in zip(old.rounds, new.rounds) {
            process.add(
                shared.map { subject in
                    let before = earlier[subject] ?? [:]
                    return PairedRound(
                        baseline: before.map(\.value),
                        candidate: before.keys.map { later[subject]?[$0] ?? .missing },
                        timeout: timeout
                    )
                }
            )
        }
        let comparisons = Dictionary(
            uniqueKeysWithValues: zip(shared, process.comparisons(ending: .budgetSpent))
        )
        let names = Dictionary(
            zip(now.recording.targets.map(\.anywhere), now.recording.targets.names),
            uniquingKeysWith: { first, _ in first }
        )
        let others = old.subjects.filter { new.rows[$0] == nil }
        rows = (new.subjects + others).map { subject in
            let (before, current) = (old.rows[subject], new.rows[subject])
            return Row(
                target: (current ?? before)?.target ?? subject,
                name: names[subject] ?? subject.label,
                before: before,
                now: current,
                comparison: comparisons[subject]
            )
        }
        provenance = Provenance(clock: context.clock)
        provenance.log.add(now.recording)
        provenance.firstSample = now.recording.samples.first?.moment
    }

    package var document: Document {
        document(
            rows.isEmpty ? ["There are no samples to compare."] : rows.map(sentence),
            columns,
            figures: { rows.columns(of: Self.columns).table(of: rows) }
        )
    }

    var verification: Verification { rows.verification }

    /// Gaps within one run, and between two runs, are not reported.
    var notes: [Warning] {
        Warning.limited(to: context.selection, without: context.unreadPlaces)
            + verification.notes
    }

    private func sentence(_ row: Row) -> String {
        guard let comparison = row.comparison else { return row.absence(row.name) ?? "" }
        let format = rows.format
        let rounds = comparison.rounds.of("round", "rounds")
        return "\(row.name): \(finding(comparison, of: row)), median \(format.median(row.now)) vs "
            + "\(format.median(row.before)) before, \(rounds)."
    }

    /// Result of the comparison, as the rest of a sentence about a resolver.
    private func finding(_ comparison: Comparison, of row: Row) -> String {
        let by = rules.margin > 0 ? "more than \(LatencyFormat.plain(rules.margin)) " : ""
        let noun = FailureNoun(of: [row.now?.counts, row.before?.counts].compactMap(\.self))
        return switch (comparison.verdict, comparison.reason) {
        case (.switch, _): "\(by)faster than before"
        case (.keep, .reliability): "\(noun.more) than before"
        case (.keep, _) where comparison.isAboutTheSame: "about the same as before"
        case (.keep, _): comparison.isFaster == false ? "slower than before" : "not \(by)faster"
        case (.tooClose, _): "too close to call"
        case (.undecided, .reliability): "faster than before, but \(noun.mayExceed)"
        case (.undecided, .tail): "faster than before at the median, not on average"
        case (.undecided, _): "too few rounds for a verdict"
        }
    }

    private var columns: [Table.Column] {
        guard !rows.isEmpty else { return [] }
        let format = rows.format
        let difference = Table.Column(
            "difference",
            rows.map { row in
                // The difference is before minus now. In every table positive means slower.
                row.comparison?.medianDifference.map { format.signed(-$0) + " ms" } ?? "–"
            },
            .figures
        )
        return [.init("resolver", rows.map(\.name), .heading)]
            + rows.columns([difference], dropBefore: 2)
    }

    private static let wasCompared = "the resolver was measured before and now"

    static let columns: [Field<Row>] = {
        let evidence: [Field<Comparison>] = [
            .count("rounds", "Rounds with at least one pair.") { $0.rounds },
            .count("pairs", "Pairs of queries.") { $0.pairs },
        ]
        let difference: [Field<Comparison>] =
            [
                .time(
                    "median_difference_ms",
                    null: "the median is infinite",
                    "Median of before − now; positive: faster now."
                ) { $0.medianDifference }
            ]
            + Field.interval("ci", suffix: "_ms", unit: .milliseconds, "Interval of the median.") {
                (.milliseconds($0.interval.lower), .milliseconds($0.interval.upper))
            } + [
                .time("margin_ms", in: .jsonOnly, "Smallest difference that counts.") { $0.margin },
                .word("verdict", "Verdict on now, with before as the baseline.") { $0.verdict },
                .word("reason", "Reason of the verdict.") { $0.reason },
            ]
        return Row.identity + evidence.of(when: wasCompared) { $0.comparison }
            + Row.columns(["median_ms"]) + difference.of(when: wasCompared) { $0.comparison }
            + Row.whole
    }()

    static let fields: [Field<RunDiffReport>] = [
        .list("rows", Shape("run-difference", columns), "One entry per resolver.") { $0.rows }
    ]
}

extension Recording.Target {
    /// The target that identifies a resolver in two recordings.
    fileprivate var anywhere: Self {
        var target = self
        target.endpoint = ""
        return target
    }
}

/// The complete rounds of a recording in order, by resolver (without its endpoint) and question.
struct RunRounds {
    private(set) var rounds: [[Recording.Target: [Question: QueryOutcome]]] = []
    /// The resolvers in the order of the targets, each once.
    let subjects: [Recording.Target]
    /// The figures of the first target of each resolver.
    private(set) var rows: [Recording.Target: ResolverSummary] = [:]
    /// The shortest timeout of the runs.
    let timeout: Duration

    init(of counted: CountedSamples) {
        let recording = counted.recording
        timeout = recording.runs.map(\.timeout).min() ?? .seconds(5)
        let targets = recording.targets.map(\.anywhere)
        subjects = targets.uniqued
        let figures = counted.figures(timeout: .seconds(5))
        for (index, target) in recording.targets.enumerated() where rows[targets[index]] == nil {
            rows[targets[index]] = ResolverSummary(target, name: target.label, figures[index])
        }
        for (round, samples) in recording.roundsInOrder where round.isWhole && round.marks.isEmpty {
            var outcomes: [Recording.Target: [Question: QueryOutcome]] = [:]
            for sample in samples {
                let subject = targets[Int(sample.target)]
                let outcome = QueryOutcome(sample.observation, in: subject.series)
                outcomes[subject, default: [:]][recording.questions[Int(sample.question)]] = outcome
            }
            rounds.append(outcomes)
        }
    }
}
