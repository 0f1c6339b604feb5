import Analysis
import DNSWire
package import Samples
package import Statistics

/// Two recordings of the same resolvers, one beside the other: a run and one that was saved before.
///
/// The rounds of both are paired in their order, and within them the same questions, so that the
/// comparison is that of a baseline and a candidate.
package struct RunsReport: PagedReport {
    /// One resolver in both recordings.
    package struct Row: Hashable, Sendable {
        package var target: Recording.Target
        /// The label, with what tells it apart.
        package var name: String
        package var before: ResolverRow?
        package var now: ResolverRow?
        /// With what was before as the baseline; `nil` where one of them is missing.
        package var comparison: Comparison?
    }

    package let context: WindowContext
    package let rules: ComparisonRules
    package let rows: [Row]
    private var provenance: Provenance

    /// A resolver is the same by its label, transport and series, whatever its endpoint.
    package init(
        before: Recording,
        now: Recording,
        rules: ComparisonRules,
        context: WindowContext
    ) {
        self.context = context
        self.rules = rules
        let old = RunRounds(of: before)
        let new = RunRounds(of: now)
        let shared = new.subjects.filter { old.rows[$0] != nil }
        var process = ComparisonProcess(candidates: shared.count, rules: rules)
        for (earlier, later) in zip(old.rounds, new.rounds) {
            process.add(
                shared.map { subject in
                    let (old, new) = (earlier[subject] ?? [:], later[subject] ?? [:])
                    let questions = old.keys.filter { new[$0] != nil }
                    return PairedRound(
                        baseline: questions.map { old[$0] ?? .missing },
                        candidate: questions.map { new[$0] ?? .missing }
                    )
                }
            )
        }
        let comparisons = Dictionary(
            uniqueKeysWithValues: zip(shared, process.comparisons(ending: .budgetSpent))
        )
        let names = now.targets.names
        let others = old.subjects.filter { new.rows[$0] == nil }
        rows = (new.subjects + others).map { subject in
            let (before, current) = (old.rows[subject], new.rows[subject])
            return Row(
                target: (current ?? before)?.target ?? subject,
                name: new.places[subject].map { names[$0] } ?? subject.label,
                before: before,
                now: current,
                comparison: comparisons[subject]
            )
        }
        provenance = Provenance(clock: context.clock)
        provenance.log.add(now)
        provenance.firstSample = now.samples.first?.moment
    }

    package func render(as format: OutputFormat, width: Int, colour: Bool) -> String? {
        document.render(as: format, width: width, colour: colour)
    }

    package func page(_ extras: PageExtras) -> HTMLPage { document.page(extras) }
}

extension Recording.Target {
    /// What a resolver is the same by in two recordings.
    fileprivate var anywhere: Self {
        var target = self
        target.endpoint = ""
        return target
    }
}

/// The whole rounds of a recording in their order, by what is the same in another recording:
/// resolvers wherever they are, and questions.
struct RunRounds {
    private(set) var rounds: [[Recording.Target: [Question: QueryOutcome]]] = []
    /// In the order of the targets, each once.
    private(set) var subjects: [Recording.Target] = []
    /// The first target of each.
    private(set) var places: [Recording.Target: Int] = [:]
    private(set) var rows: [Recording.Target: ResolverRow] = [:]

    init(of recording: Recording) {
        let figures = recording.figures(timeout: .seconds(5))
        for (index, target) in recording.targets.enumerated() where rows[target.anywhere] == nil {
            subjects.append(target.anywhere)
            places[target.anywhere] = index
            rows[target.anywhere] = ResolverRow(target, name: target.label, figures[index])
        }
        for (round, samples) in recording.roundsInOrder where round.isWhole && round.marks.isEmpty {
            var outcomes: [Recording.Target: [Question: QueryOutcome]] = [:]
            for sample in samples {
                let subject = recording.targets[Int(sample.target)].anywhere
                let question = recording.questions[Int(sample.question)]
                outcomes[subject, default: [:]][question] = QueryOutcome(
                    sample.observation,
                    in: subject.series
                )
            }
            rounds.append(outcomes)
        }
    }
}

extension RunsReport {
    var document: HistoryDocument {
        HistoryDocument(
            words: rows.isEmpty ? ["There are no samples to compare."] : rows.map(sentence),
            columns: columns,
            notes: notes,
            provenance: provenance.text(toolVersion: context.toolVersion),
            csv: csv,
            json: json
        )
    }

    private var notes: [HistoryNote] {
        Verification(of: rows.flatMap { [$0.before, $0.now] }.compactMap(\.self)).notes
    }

    private func sentence(_ row: Row) -> String {
        guard let now = row.now else { return "\(row.name) was measured before only." }
        guard let before = row.before, let comparison = row.comparison else {
            return "\(row.name) was not measured before."
        }
        let format = format
        let medians =
            "median \(now.quantile(now.latency.median, in: format)) after "
            + before.quantile(before.latency.median, in: format)
        let rounds = comparison.rounds.of("round", "rounds")
        return "\(row.name) \(finding(comparison)): \(medians), \(rounds)."
    }

    /// What the comparison says, as the rest of a sentence about a resolver.
    private func finding(_ comparison: Comparison) -> String {
        let margin = LatencyFormat.plain(rules.margin)
        let by = rules.margin > 0 ? " by more than \(margin)" : ""
        switch (comparison.verdict, comparison.reason) {
        case (.switch, _): return "is faster than before\(by)"
        case (.keep, .reliability): return "loses more queries than before"
        case (.keep, .slower): return "is slower than before\(by)"
        case (.keep, _): return "is about as fast as before"
        case (.tooClose, _): return "is too close to \(margin) from what it was to say more"
        case (.undecided, .reliability): return "is faster than before, but lost more queries"
        case (.undecided, .tail): return "is faster than before in most, and slower on average"
        case (.undecided, _): return "cannot be told from what it was in so few rounds"
        }
    }

    /// One for all, so that the columns line up.
    private var format: LatencyFormat {
        LatencyFormat(
            fitting: rows.flatMap { [$0.before, $0.now] }.compactMap { $0?.latency.median }
        )
    }

    private var columns: [HistoryDocument.Column] {
        guard !rows.isEmpty else { return [] }
        let format = format
        func right(
            _ header: String,
            drop: Int = 0,
            _ cell: (Row) -> String
        ) -> HistoryDocument.Column {
            .init(
                header: header,
                cells: rows.map(cell),
                alignment: .right,
                dispensability: drop
            )
        }
        func median(_ figures: ResolverRow?) -> String {
            figures.map { $0.quantile($0.latency.median, in: format) } ?? "–"
        }
        func lost(_ figures: ResolverRow?) -> String {
            figures?.counts.failureRate.description ?? "–"
        }
        return [
            HistoryDocument.Column(header: "resolver", cells: rows.map(\.name)),
            right("before") { median($0.before) },
            right("now") { median($0.now) },
            right("sooner by") {
                $0.comparison?.medianDifference.map { signed($0, format) } ?? "–"
            },
            right("lost before", drop: 2) { lost($0.before) },
            right("lost now", drop: 1) { lost($0.now) },
        ]
    }

    private func signed(_ value: Double, _ format: LatencyFormat) -> String {
        let number = format.cell(abs(value))
        return value < 0 && number != format.cell(0) ? "-" + number : number
    }

    // MARK: - For programs

    private var csv: [[CSVCell]] {
        let header = [
            "name", "endpoint", "transport", "series", "rounds", "pairs", "before_median_ms",
            "now_median_ms", "median_difference_ms", "ci_low_ms", "ci_high_ms", "verdict", "reason",
        ]
        func digits(_ value: Double?) -> String { value?.fixed(least: 3, most: 6) ?? "" }
        let unverified = UnverifiedColumns(rows.map { [$0.before, $0.now] })
        return [(header + unverified.header).map(CSVCell.figure)]
            + zip(rows, unverified.cells).map { row, unverified in
                let comparison = row.comparison
                let texts = [row.target.label, row.target.endpoint, "\(row.target.transport)"]
                let figures = [
                    row.target.series.description,
                    comparison.map { String($0.rounds) } ?? "",
                    comparison.map { String($0.pairs) } ?? "",
                    digits(row.before?.latency.median), digits(row.now?.latency.median),
                    digits(comparison?.medianDifference), digits(comparison?.interval.lower),
                    digits(comparison?.interval.upper), comparison?.verdict.rawValue ?? "",
                    comparison?.reason.rawValue ?? "",
                ]
                return texts.map(CSVCell.text) + (figures + unverified).map(CSVCell.figure)
            }
    }

    private var json: JSONValue {
        HistoryHead(
            kind: "against",
            context: context,
            provenance: provenance,
            log: provenance.log,
            notes: notes
        )
        .document([.init(name: "rows", value: .array(rows.map(json)))])
    }

    private func json(_ row: Row) -> JSONValue {
        func figures(_ row: ResolverRow?) -> JSONValue {
            row.map { .object(JSONReport.members(of: $0)) } ?? .null
        }
        guard let comparison = row.comparison else {
            return [
                "name": .string(row.target.label), "before": figures(row.before),
                "now": figures(row.now),
            ]
        }
        let ends = [comparison.interval.lower, comparison.interval.upper]
        return [
            "name": .string(row.target.label),
            "rounds": .integer(comparison.rounds),
            "pairs": .integer(comparison.pairs),
            "median_difference_ms": .milliseconds(comparison.medianDifference),
            "ci_ms": .array(ends.map { .milliseconds($0) }),
            "margin_ms": .milliseconds(comparison.margin),
            "verdict": .string(comparison.verdict.rawValue),
            "reason": .string(comparison.reason.rawValue),
            "before": figures(row.before),
            "now": figures(row.now),
        ]
    }
}
