import Analysis
package import Charts
import DNSWire
import Samples
import Statistics

/// The report as one sheet of charts: the finding as its title, then every kind of chart that there
/// is something to draw for.
package struct SVGReport: ReportFormat {
    /// The one chart to draw; `nil` for a sheet of all.
    private let only: ChartKind?

    package init(only: ChartKind? = nil) { self.only = only }

    package func render(_ report: ComparisonReport) -> String {
        let findings = report.series.map { Finding(in: $0, of: report) }
        let caveats = report.caveats(withP99: false).map(\.text)
        let sheet = Sheet(
            title: findings.map(\.headline).first ?? "No resolver was measured.",
            subtitle: subtitle(findings),
            charts: report.series.flatMap { charts(of: $0, in: report) },
            footer: (caveats + [report.provenance]).joined(separator: " ")
        )
        return sheet.svg()
    }

    /// The charts of one series.
    func charts(of series: Series, in report: ComparisonReport) -> [Chart] {
        let opening = series == .first ? report.openingChart.map { [$0] } ?? [] : []
        if only == .opening {
            let isLast = series == report.series.last && report.openingChart == nil
            return isLast ? [Chart(.opening, of: [])] : opening
        }
        let subjects = subjects(of: series, in: report)
        let scope = series.scope(in: report.series)
        return (only == nil ? opening : [])
            + (only.map { [$0] } ?? ChartKind.ofQueries).map {
                Chart($0, of: subjects, scope: scope)
            }
    }

    /// What the title leaves out.
    private func subtitle(_ findings: [Finding]) -> String {
        let others = findings.dropFirst().map(\.headline)
        var sentences = Array(others)
        for detail in findings.flatMap(\.details) where !sentences.contains(detail) {
            sentences.append(detail)
        }
        return (sentences + findings.map(\.scope)).joined(separator: " ")
    }

    private func subjects(
        of series: Series,
        in report: ComparisonReport
    ) -> [ChartSubject] {
        let groups = report.groups(of: series)
        let members = groups.members
        let times = report.times(of: groups.rows.map(\.target))
        return groups.rows.enumerated().map { index, row in
            let isCurrent = row.isBaseline && report.context.isBaselineInUse
            return ChartSubject(
                label: EscapedText.terminal(row.name) + row.usePhrase,
                member: members.isEmpty ? nil : members[index],
                role: isCurrent ? .current : .other,
                summary: row.latency,
                answers: times[index].answers,
                rounds: times[index].rounds
            )
        }
    }
}

extension Series {
    /// What a chart of the series is of, where it stands among `all`; nothing where it is alone.
    func scope(in all: [Series]) -> String {
        if all.count < 2 { return "" }
        return self != .first && all.contains(.first)
            ? "\(wording), encrypted connections kept" : wording
    }
}

extension ComparisonReport {
    /// The times of targets for charts: all answers, and round by round for each question.
    func times(
        of targets: [Recording.Target]
    ) -> [(answers: [Double], rounds: [RoundSeries])] {
        let samples = recording.counted.samplesByTarget()
        let places = Dictionary(
            recording.targets.enumerated().map { ($1, $0) },
            uniquingKeysWith: { first, _ in first }
        )
        return targets.map { target in
            times(of: target, places[target].map { samples[$0] } ?? [])
        }
    }

    private func times(
        of target: Recording.Target,
        _ samples: [Sample]
    ) -> (answers: [Double], rounds: [RoundSeries]) {
        var answers: [Double] = []
        var points = recording.questions.map { _ in [RoundSeries.Point]() }
        for sample in samples {
            guard sample.observation.outcome.isMeasured else { continue }
            let time = sample.observation.answerTime(in: target.series)
            if let time { answers.append(time) }
            guard points.indices.contains(Int(sample.question)) else { continue }
            let round = Int(recording.round(of: sample)?.number ?? 0)
            points[Int(sample.question)].append((round, time))
        }
        let rounds = zip(recording.questions, points).map { question, points in
            RoundSeries(
                name: question.type == .a
                    ? question.name.description : "\(question.name) \(question.type)",
                points: points
            )
        }
        // Names of another series were not asked for.
        return (answers, rounds.filter { !$0.points.isEmpty })
    }
}
