import DNSWire
package import Samples
package import Statistics

/// Two recordings of the same resolvers, one beside the other: a run and one that was saved before.
///
/// The rounds of both are paired in their order, and within them the same questions, so that the
/// comparison is that of a baseline and a candidate.
package struct RunsReport: HistoryReport {
    static let kind = "against"

    /// One resolver in both recordings.
    package struct Row: PairedRow, Hashable, Sendable {
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
    let log: RoundLog
    let firstSample: Timestamp?

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
        let shared = new.subjects.filter { old.places[$0] != nil }
        var process = ComparisonProcess(candidates: shared.count, rules: rules)
        for (earlier, later) in zip(old.rounds, new.rounds) {
            process.add(shared.map { Self.paired($0, earlier, later) })
        }
        let comparisons = Dictionary(
            uniqueKeysWithValues: zip(shared, process.comparisons(ending: .budgetSpent))
        )
        let others = old.subjects.filter { new.places[$0] == nil }
        let names = ComparisonReport.names(of: now.targets)
        rows = (new.subjects + others).map { subject in
            let figures = old.figures[subject]
            let current = new.figures[subject]
            let place = new.places[subject]
            return Row(
                target: (current ?? figures)?.target ?? subject.target,
                name: place.map { names[$0] } ?? subject.target.label,
                before: figures,
                now: current,
                comparison: comparisons[subject]
            )
        }
        var log = RoundLog()
        log.add(now)
        self.log = log
        firstSample = now.samples.first.map { $0.moment }
    }

    private static func paired(
        _ subject: RunSubject,
        _ before: [RunSubject: [RunQuestion: QueryOutcome]],
        _ now: [RunSubject: [RunQuestion: QueryOutcome]]
    ) -> PairedRound {
        let earlier = before[subject] ?? [:]
        let later = now[subject] ?? [:]
        let questions = earlier.keys.filter { later[$0] != nil }
        return PairedRound(
            baseline: questions.map { earlier[$0] ?? .missing },
            candidate: questions.map { later[$0] ?? .missing }
        )
    }
}

/// What a resolver is the same by in two recordings.
struct RunSubject: Hashable {
    /// Without its endpoint.
    let target: Recording.Target

    init(_ target: Recording.Target) {
        var target = target
        target.endpoint = ""
        self.target = target
    }
}

/// What a question is the same by in two recordings.
typealias RunQuestion = Question

/// The whole rounds of a recording in their order, by what is the same in another recording.
struct RunRounds {
    private(set) var rounds: [[RunSubject: [RunQuestion: QueryOutcome]]] = []
    /// In the order of the targets, each once.
    private(set) var subjects: [RunSubject] = []
    /// The first target of each.
    private(set) var places: [RunSubject: Int] = [:]
    private(set) var figures: [RunSubject: ResolverRow] = [:]

    init(of recording: Recording) {
        let tallies = Tally.tallies(of: recording, timeout: .seconds(5))
        for (index, target) in recording.targets.enumerated() {
            let subject = RunSubject(target)
            guard places[subject] == nil else { continue }
            places[subject] = index
            subjects.append(subject)
            var row = ResolverRow(
                target: target,
                name: target.label,
                counts: tallies[index].counts,
                latency: tallies[index].latency,
                isBaseline: false
            )
            row.connections = tallies[index].connectionFigures
            figures[subject] = row
        }
        for (round, samples) in recording.wholeRounds where round.isWhole && round.marks.isEmpty {
            var outcomes: [RunSubject: [RunQuestion: QueryOutcome]] = [:]
            for sample in samples {
                let subject = RunSubject(recording.targets[Int(sample.target)])
                let question = recording.questions[Int(sample.question)]
                outcomes[subject, default: [:]][question] = QueryOutcome(
                    sample.observation,
                    in: subject.target.series
                )
            }
            rounds.append(outcomes)
        }
    }
}

extension RunsReport {
    package var document: Document {
        document(
            rows.isEmpty ? ["There are no samples to compare."] : rows.map(sentence),
            columns,
            figures: { fields.table(of: rows) }
        )
    }

    var notes: [Warning] { rows.verification.notes }

    var provenance: Provenance {
        Provenance(firstSample: firstSample, firstSum: nil, clock: context.clock)
    }

    private func sentence(_ row: Row) -> String {
        guard let now = row.now else { return "\(row.name) was measured before only." }
        guard let before = row.before, let comparison = row.comparison else {
            return "\(row.name) was not measured before."
        }
        let format = rows.format
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

    private var columns: [Table.Column] {
        guard !rows.isEmpty else { return [] }
        let format = rows.format
        let sooner = Table.Column(
            "sooner by",
            rows.map { row in
                guard let value = row.comparison?.medianDifference else { return "–" }
                let number = format.cell(abs(value))
                return value < 0 && number != format.cell(0) ? "-" + number : number
            },
            .figures
        )
        return [.init("resolver", rows.map(\.name), .heading)]
            + rows.columns([sooner], dropBefore: 2)
    }

    // MARK: - For programs

    private var fields: [Field<Row>] {
        let identity: [Field<Row>] = [
            .text("name") { $0.target.label },
            Field("endpoint", .csvOnly) { .string($0.target.endpoint) },
            Field("transport", .csvOnly) { .string($0.target.transport.description) },
            Field("series", .csvOnly) { .string($0.target.series.description) },
        ]
        func compared(
            _ key: String,
            _ form: FieldForm = .everywhere,
            _ value: @escaping @Sendable (Comparison) -> JSONValue
        ) -> Field<Row> {
            Field(key, form) { $0.comparison.map(value) }
        }
        return identity + [
            compared("rounds") { .integer($0.rounds) }, compared("pairs") { .integer($0.pairs) },
        ] + Row.columns(["median_ms"]) + [
            compared("median_difference_ms") { .milliseconds($0.medianDifference) },
            compared("ci_ms", .jsonOnly, \.interval.json),
            compared("ci_low_ms", .csvOnly) { .milliseconds($0.interval.lower) },
            compared("ci_high_ms", .csvOnly) { .milliseconds($0.interval.upper) },
            compared("margin_ms", .jsonOnly) { .milliseconds($0.margin) },
            compared("verdict") { .string($0.verdict.rawValue) },
            compared("reason") { .string($0.reason.rawValue) },
        ] + (rows.verification.unverified > 0 ? Row.columns(["unverified"]) : []) + Row.whole
    }

    var members: [JSONValue.Member] {
        [.init(name: "rows", value: .array(rows.map { .object(fields.members(of: $0)) }))]
    }
}
