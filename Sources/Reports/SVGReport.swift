public import Charts
import DNSWire
import Measurement
import Statistics

/// The report as one sheet of charts: the finding as its title, then every kind of chart.
public struct SVGReport: ReportFormat {
    /// The one chart to draw; `nil` for a sheet of all.
    private let only: ChartKind?

    public init(only: ChartKind? = nil) { self.only = only }

    public func render(_ report: ComparisonReport) -> String {
        let findings = report.series.map { Finding(in: $0, of: report) }
        let panels = report.series.flatMap { charts(of: $0, in: report) }
        let caveats = report.caveats(withP99: false).map(\.text)
        let sheet = Sheet(
            title: findings.map(\.headline).first ?? "No resolver was measured.",
            subtitle: subtitle(findings),
            panels: panels,
            footer: (caveats + [report.provenance]).joined(separator: " ")
        )
        return sheet.svg()
    }

    /// The charts of one series.
    func charts(of series: Series, in report: ComparisonReport) -> [Chart] {
        let subjects = subjects(of: series, in: report)
        return (only.map { [$0] } ?? ChartKind.allCases).map { Chart($0, of: subjects) }
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
        let isAlone = report.series.count == 1
        return report.groups(of: series).rows.map { row in
            let name = EscapedText.terminal(row.name)
            let isCurrent = row.isBaseline && report.context.isBaselineInUse
            let times = report.times(of: row.target)
            return ChartSubject(
                label: isAlone ? name : "\(name), \(series.description)",
                role: isCurrent ? .current : .other,
                summary: row.latency,
                answers: times.answers,
                lost: row.counts.lost,
                rounds: times.rounds
            )
        }
    }
}

extension ComparisonReport {
    /// The times of one target for charts: all answers, and round by round for each question.
    func times(of target: Recording.Target) -> (answers: [Double], rounds: [RoundSeries]) {
        guard let index = recording.targets.firstIndex(of: target) else { return ([], []) }
        var answers: [Double] = []
        var points = recording.questions.map { _ in [RoundPoint]() }
        for sample in recording.samples where Int(sample.target) == index {
            guard sample.observation.outcome.isMeasured else { continue }
            let time = sample.observation.answerTime(in: target.series)
            if let time { answers.append(time) }
            guard points.indices.contains(Int(sample.question)) else { continue }
            points[Int(sample.question)].append(
                RoundPoint(round: Int(sample.round), milliseconds: time)
            )
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
