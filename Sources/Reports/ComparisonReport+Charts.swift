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
        let scale = timeScale
        let subjects = subjects(of: series, isOverTime: scale != nil)
        let scope = series.scope(in: self.series)
        // A name that is asked once has no course.
        let usual = ChartKind.ofQueries.filter { series != .asFound || $0 != .rounds }
        return (only == nil ? opening : [])
            + (only.map { [$0] } ?? usual).map {
                Chart($0, of: subjects, scope: scope, over: scale ?? TimeScale(window: 0..<0))
            }
    }

    /// The window of several runs, of which the numbers of rounds say nothing together.
    private var timeScale: TimeScale? {
        let moments = recording.rounds.map(\.started)
        guard Set(recording.rounds.map(\.run)).count > 1, let first = moments.min(),
            let last = moments.max()
        else { return nil }
        let window = first..<last.advanced(by: .seconds(1))
        return TimeScale(window, .system(from: first, to: last))
    }

    private func subjects(of series: Series, isOverTime: Bool) -> [ChartSubject] {
        let groups = groups(of: series)
        let members = groups.members
        let samples = Dictionary(
            zip(recording.targets, recording.counted.samplesByTarget()),
            uniquingKeysWith: { first, _ in first }
        )
        // The distribution of a few rounds is not that of all.
        return groups.rows.enumerated().filter { $0.element.departure == nil }.map { index, row in
            let isCurrent = row.isBaseline && context.isBaselineInUse
            var subject = ChartSubject(
                label: row.said + row.usePhrase,
                member: members.isEmpty ? nil : members[index],
                summary: row.latency
            )
            subject.role = isCurrent ? .current : .other
            (subject.answers, subject.rounds) = times(
                of: row.target,
                samples[row.target] ?? [],
                isOverTime: isOverTime
            )
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
    /// The times of a target for charts: all answers, and round by round for each question, where it
    /// `isOverTime` by the moments of the rounds.
    private func times(
        of target: Recording.Target,
        _ samples: [Sample],
        isOverTime: Bool
    ) -> (answers: AnswerTimes, rounds: [RoundSeries]) {
        var answers = AnswerTimes()
        var points = recording.questions.map { _ in [RoundPoint]() }
        for sample in samples {
            guard sample.observation.outcome.isMeasured else { continue }
            let time = sample.observation.answerTime(in: target.series)
            if let time { answers.append(time) }
            guard points.indices.contains(Int(sample.question)) else { continue }
            let place = recording.round(of: sample).map { round in
                isOverTime ? Double(round.started.nanoseconds) / 1e9 : Double(round.number)
            }
            points[Int(sample.question)].append((place ?? 0, time))
        }
        let names = recording.questions.map { question in
            question.type == .a ? question.name.description : "\(question.name) \(question.type)"
        }
        let rounds = zip(names, points).map { (name: $0, points: $1) }
        // Names of another series were not asked for.
        return (answers, rounds.filter { !$0.points.isEmpty })
    }
}
