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

    package func render(as format: OutputFormat, width: Int, colour: Bool) -> String? {
        document.render(as: format, width: width, colour: colour)
    }

    package func page(_ extras: PageExtras) -> HTMLPage { document.page(extras) }

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
