import Analysis
import Charts
import Samples
import Statistics

/// The report as one page that needs nothing else.
package struct HTMLReport: ReportFormat {
    package init() {}

    package func render(_ report: ComparisonReport) -> String {
        report.page(PageExtras(command: report.context.repetition)).text
    }
}

extension ComparisonReport {
    /// The page, with what the table, the JSON and the charts of it say.
    package func page(_ extras: PageExtras) -> HTMLPage {
        let headline = series.first.map { Finding(in: $0, of: self).headline }
        var page = ReportPage(
            title: headline ?? "No resolver was measured.",
            answer: answers + encryption,
            provenance: provenance
        )
        page.advice = advice
        page.charts = series.flatMap { SVGReport().charts(of: $0, in: self) }
            .map { Sheet(charts: [$0]) }
        page.caveats = remarks(withP99: true)
        if !series.isEmpty, !series.contains(.uncached) {
            page.caveats.append(
                "Not tested: \(Series.uncached.wording); ask for them too, with --series "
                    + "cached,uncached."
            )
        }
        page.method = MethodWords(of: self).html
        page.details = [PageFragments.allFigures(CSVSummary.table(of: self))]
        page.command = extras.command
        page.commandHeading = extras.commandHeading
        return page.page
    }

    /// What encryption costs, where that was measured.
    private var encryption: [HTML] { PageFragments.encryption(encryptionWords()) }

    /// Where a switch is advised in the first series.
    private var advice: [HTML] {
        guard let advice = series.first.flatMap({ Advice(in: $0, of: self) }), advice.isSwitch
        else {
            return []
        }
        let places = advice.places.flatMap { place in
            [HTML(.h3, HTML(text: place.name)), PageFragments.lines(place.lines)]
        }
        return (advice.differences + [advice.opening]).map { HTML(.p, HTML(text: $0)) } + places
            + [HTML(.p, HTML(text: advice.silence))]
    }
}

extension ReportContext {
    /// The command that was given, with the seed that it drew.
    var repetition: String? {
        guard let command else { return nil }
        guard let seed = plan.seed, !command.contains(" --seed") else { return command }
        let words = command.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
        guard words.count > 1 else { return command }
        return (words[..<2] + ["--seed \(seed)"] + words[2...]).joined(separator: " ")
    }
}

/// How a comparison came about, in a paragraph, and what was asked of whom.
struct MethodWords {
    private let report: ComparisonReport
    private var plan: ReportContext.Plan { report.context.plan }

    init(of report: ComparisonReport) { self.report = report }

    var html: [HTML] {
        [HTML(.p, HTML(text: paragraph)), list, PageFragments.list(report.surroundings)]
            + part(FloorLines.heading, FloorLines(of: report).parts)
            + part("The instrument", InstrumentLines(of: report).parts)
    }

    private var paragraph: String {
        (asked + [timed] + held).joined(separator: " ")
    }

    private var asked: [String] {
        let seed = plan.seed.map { " that seed \($0) fixed before the first query left" } ?? ""
        let waiting =
            "A resolver that is slow or silent delays no query to another."
        return [
            "Every resolver was asked for every name in each of "
                + "\(report.rounds.of("round", "rounds")), in a shuffled order\(seed). \(waiting)"
        ]
    }

    private var timed: String {
        let timeout = LatencyFormat.plain(plan.timeout.milliseconds)
        return
            "A time runs from the stamp that the query got from the kernel as it left to that of "
            + "its answer as it came. A query that had no answer within \(timeout), or a failure such as "
            + "SERVFAIL for one, is lost: it counts as slower than all others in the median and "
            + "p95, and as \(timeout) in the mean; min, max, stddev and jitter are of "
            + "answers only. p95 is the time within which 95 of 100 queries were answered."
    }

    private var held: [String] {
        guard let evidence = report.evidence.first(where: \.isTested),
            let baseline = evidence.baseline.flatMap(report.row)
        else { return [] }
        let rules = report.context.rules
        let margin =
            rules.margin > 0
            ? "more than \(LatencyFormat.plain(rules.margin))" : "any difference at all"
        let pairs =
            rules.unit == .round
            ? "name by name within the same round" : "by the medians of the same hours"
        return [
            "Each was held against \(baseline.name) \(pairs), so that what befalls all of them "
                + "does not count; a verdict is about \(margin), and at most "
                + "\(DifferenceWords.percent(rules.alpha)) of such runs give a wrong one, however "
                + "often one looks. Resolvers that share a rank cannot be told apart."
        ]
    }

    // MARK: - What was asked of whom

    private var list: HTML {
        let rows: [(name: String, text: String)] = [
            ("Names", plan.names.joined(separator: ", ")),
            ("Zones of uncached names", plan.zones.joined(separator: ", ")),
            ("Types", plan.types.joined(separator: ", ")),
            ("Asked from", report.context.vantage),
            ("Begun", report.context.started.second),
            ("Ended", report.context.finished.second),
            ("Interval of rounds", plan.interval.map(Self.interval) ?? ""),
        ]
        return PageFragments.terms(rows.filter { !$0.1.isEmpty })
    }

    private func part(_ heading: String, _ pairs: [(name: String, text: String)]) -> [HTML] {
        guard !pairs.isEmpty else { return [] }
        return [HTML(.h3, HTML(text: heading)), PageFragments.terms(pairs)]
    }

    private static func interval(_ interval: Duration) -> String {
        interval > .zero ? LatencyFormat.plain(interval.milliseconds) : "none"
    }
}

extension ComparisonReport {
    /// The answer of each series with the figures that it rests on, then what to know about them.
    package var fragments: [HTML] {
        answers + PageFragments.encryption(encryptionWords { $0 }) + [
            PageFragments.list(remarks(withP99: false))
        ]
    }

    /// The answer of each series with the figures that it rests on.
    var answers: [HTML] {
        guard !series.isEmpty else { return [PageFragments.answer("No resolver was measured.")] }
        return series.enumerated().flatMap { index, series in
            let finding = Finding(in: series, of: self)
            return [
                PageFragments.answer(
                    finding.headline,
                    scope: finding.scope,
                    details: finding.details,
                    isFirst: index == 0
                ),
                RankedRows(of: series, in: self).table.html,
            ]
        }
    }

    /// The caveats, a star where the table has one.
    func remarks(withP99: Bool) -> [String] {
        caveats(withP99: withP99).map { caveat in
            if case .fewSamples("p95", _, _, _) = caveat { "* \(caveat.text)" } else { caveat.text }
        }
    }
}
