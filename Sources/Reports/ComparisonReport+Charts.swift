import Analysis
import Charts
import DNSWire
import Samples
import Statistics

extension ComparisonReport {
    func charts(of series: Series, only: ChartKind? = nil) -> [Chart] {
        let opening = series == .first ? openingChart.map { [$0] } ?? [] : []
        if only == .opening {
            let isLast = series == self.series.last && openingChart == nil
            return isLast ? [Chart(.opening, of: [])] : opening
        }
        let subjects = subjects(of: series)
        let scope = series.scope(in: self.series)
        return (only == nil ? opening : [])
            + (only.map { [$0] } ?? ChartKind.ofQueries).map {
                Chart($0, of: subjects, scope: scope)
            }
    }

    private func subjects(of series: Series) -> [ChartSubject] {
        let groups = groups(of: series)
        let members = groups.members
        let samples = Dictionary(
            zip(recording.targets, recording.counted.samplesByTarget()),
            uniquingKeysWith: { first, _ in first }
        )
        return groups.rows.enumerated().map { index, row in
            let isCurrent = row.isBaseline && context.isBaselineInUse
            var subject = ChartSubject(
                label: row.said + row.usePhrase,
                member: members.isEmpty ? nil : members[index],
                summary: row.latency
            )
            subject.role = isCurrent ? .current : .other
            (subject.answers, subject.rounds) = times(of: row.target, samples[row.target] ?? [])
            return subject
        }
    }
}

extension Series {
    /// Scope of a chart of the series, where it stands among `all`; nothing where it is alone.
    func scope(in all: [Series]) -> String {
        if all.count < 2 { return "" }
        return self != .first && all.contains(.first)
            ? "\(wording), encrypted connections kept" : wording
    }
}

extension ComparisonReport {
    /// The times of a target for charts: all answers, and round by round for each question.
    private func times(
        of target: Recording.Target,
        _ samples: [Sample]
    ) -> (answers: [Double], rounds: [RoundSeries]) {
        var answers: [Double] = []
        var points = recording.questions.map { _ in [RoundPoint]() }
        for sample in samples {
            guard sample.observation.outcome.isMeasured else { continue }
            let time = sample.observation.answerTime(in: target.series)
            if let time { answers.append(time) }
            guard points.indices.contains(Int(sample.question)) else { continue }
            let round = Int(recording.round(of: sample)?.number ?? 0)
            points[Int(sample.question)].append((round, time))
        }
        let names = recording.questions.map { question in
            question.type == .a ? question.name.description : "\(question.name) \(question.type)"
        }
        let rounds = zip(names, points).map { (name: $0, points: $1) }
        // Names of another series were not asked for.
        return (answers, rounds.filter { !$0.points.isEmpty })
    }
}
