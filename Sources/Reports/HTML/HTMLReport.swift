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
