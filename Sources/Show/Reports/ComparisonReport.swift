package import Analysis
package import Samples
import Statistics

/// The report of a run on its resolvers. Every output format renders it.
package struct ComparisonReport: Sendable {
    package let context: ReportContext
    /// The recording. It has no samples unless registered metrics or strategies need them.
    package let recording: Recording
    /// The sums over the samples; `nil` for hourly sums, which have no samples.
    let tally: RecordingTally?
    /// The rows by series. In each series the lowest median comes first. Rows without a rank
    /// follow. Rows without a median come last in their group.
    package let rows: [ResolverSummary]
    /// The index into ``rows`` of each target.
    let places: [Int?]
    /// The number of rounds that were measured completely.
    package let rounds: Int
    /// Facts to know before relying on the figures, the most serious first.
    package internal(set) var warnings: [Warning] = []
    package let evidence: [SeriesEvidence]
    /// `nil` if strategies were not requested, and if the samples allow no conclusion about them.
    let strategies: StrategyEvidence?
    /// `nil` if no query was sent on a loaded line.
    let load: LoadEvidence?
    let quality: RunDiagnostics
    /// The order in which the resolvers were asked, if the samples show it.
    let order: AskingOrder

    /// Counts and summarises the samples of `recording`. A sample is ignored if the recording does
    /// not contain its target or run.
    package init(of recording: Recording, context: ReportContext) {
        let keepsSamples = context.wantsStrategies || context.registered != nil
        self.init(of: RecordingTally(of: recording, keepsSamples: keepsSamples), context: context)
    }

    /// Summarises a recording whose samples were already added up.
    package init(of tally: RecordingTally, context: ReportContext) {
        self.init(
            of: tally.recording,
            tally.figures(timeout: context.plan.timeout),
            tally: tally,
            // Counts only the complete rounds of an interrupted run.
            rounds: context.isInterrupted
                ? tally.queries.wholeRounds(tally.recording) : tally.queries.count,
            evidence: SeriesEvidence.all(
                of: tally,
                baseline: context.baseline,
                rules: context.rules,
                ending: context.isInterrupted ? .interrupted : .budgetSpent,
                tampering: Set(context.tampering.keys)
            ),
            context: context
        )
    }

    /// Creates a report from the `figures` of the targets, in the order of the targets, and from
    /// the conclusions.
    init(
        of recording: Recording,
        _ figures: [Figures],
        tally: RecordingTally? = nil,
        rounds: Int,
        evidence: [SeriesEvidence],
        order: AskingOrder? = nil,
        context: ReportContext
    ) {
        self.context = context
        self.recording = recording
        self.evidence = evidence
        self.rounds = rounds
        strategies =
            context.wantsStrategies
            ? StrategyEvidence(
                of: CountedSamples(of: recording),
                baseline: context.baseline,
                tampering: Set(context.tampering.keys)
            ) : nil
        load = tally.flatMap { LoadEvidence($0.queries, of: recording) }
        quality = tally?.diagnostics ?? RunDiagnostics()
        self.order = order ?? tally?.order ?? AskingOrder()
        self.tally = tally
        rows = Self.rows(of: recording, figures, tally, context: context, evidence: evidence)
        let found = Dictionary(zip(rows.map(\.target), rows.indices)) { first, _ in first }
        places = recording.targets.map { found[$0] }
        warnings = findWarnings()
    }

    private static func rows(
        of recording: Recording,
        _ figures: [Figures],
        _ tally: RecordingTally?,
        context: ReportContext,
        evidence: [SeriesEvidence]
    ) -> [ResolverSummary] {
        let names = recording.targets.names
        let contexts = ResolverContext.all(of: recording, tally, context: context)
        let baselines = Series.allCases.map {
            recording.targets.baseline(context.baseline, in: $0)
        }
        let rows = recording.targets.indices.map { index in
            let target = recording.targets[index]
            var row = ResolverSummary(
                target,
                name: names[index],
                figures[index],
                isBaseline: baselines.contains(index)
            )
            let known = evidence.first { $0.series == target.series }
            row.rank = known?.rank(of: index)
            if let known, let departure = known.departures[index] {
                row.leave(
                    departure,
                    baseline: known.baseline.flatMap { figures[$0].latency.median }
                )
            }
            // Hourly sums contain no single queries, and therefore have no interval of the median.
            row.medianInterval = tally == nil ? nil : row.latency.medianInterval
            row.context = contexts[index]
            row.found = known?.found[index]
            return row
        }
        func key(_ row: ResolverSummary) -> (UInt8, Int, Double, Int) {
            (row.target.series.order, row.order.group, row.order.time, -row.counts.answered)
        }
        return rows.sorted(byKey: key, <)
    }

    func evidence(of series: Series) -> SeriesEvidence? {
        evidence.first { $0.series == series }
    }

    func row(ofTarget index: Int) -> ResolverSummary? {
        guard places.indices.contains(index) else { return nil }
        return places[index].map { rows[$0] }
    }

    /// The overall answer first, then the finding of each series.
    package var findings: [(series: Series?, finding: Finding)] {
        let answer = VerdictSentences(in: nil, of: self)
        let whole = answer.map { [(series: Series?.none, finding: Finding($0))] } ?? []
        return whole + series.map { ($0, Finding(in: $0, of: self, below: answer?.subject)) }
    }

    package var series: [Series] { Series.allCases.filter { !rows(of: $0).isEmpty } }

    package func rows(of series: Series) -> [ResolverSummary] {
        rows.filter { $0.target.series == series }
    }

    /// The vantage point, time and program version of the measurement, for a footer.
    var provenance: String {
        let vantage = EscapedText.terminal(context.vantage)
        let version = EscapedText.terminal(context.toolVersion)
        let queries = rows.reduce(0) { $0 + $1.counts.sent }
        let seed = context.plan.seed.map { ", seed \($0)" } ?? ""
        let sent =
            series == [.browser]
            ? queries.of("look-up", "look-ups") : queries.of("query", "queries")
        return "\(sent) from \(vantage), \(context.started.second) to "
            + "\(context.finished.second)\(seed), dnstempo \(version)."
    }
}

extension Timestamp {
    /// The time to the second, such as `2026-11-21 03:35:12 UTC`.
    var second: String {
        description.prefix(19).split(separator: "T").joined(separator: " ") + " UTC"
    }
}
