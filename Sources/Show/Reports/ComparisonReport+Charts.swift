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
        let together = load == nil ? [] : LoadSection.chartKinds
        // A name that is asked only once has no timeline. The states of the line are beside each other.
        let usual = ChartKind.ofQueries.filter {
            (series != .asFound || $0 != .rounds) && !together.contains($0)
        }
        if let only, together.contains(only) { return [] }
        return (only == nil ? opening : [])
            + (only.map { [$0] } ?? usual).map {
                Chart($0, of: subjects, scope: scope, over: scale ?? TimeScale(window: 0..<0))
            }
    }

    /// The time window of several runs; `nil` for a single run. Several runs cannot share one axis
    /// of round numbers.
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
        let rounds = rounds(of: series, isOverTime: isOverTime)
        let order = ResolverOrder(
            context.resolverOrder ?? recording.targets.map(\.label).uniqued
        )
        return groups.rows.enumerated().map { index, row in
            let isCurrent = row.isBaseline && context.isBaselineInUse
            var subject = ChartSubject(
                label: row.said + row.usePhrase,
                member: members.isEmpty ? nil : members[index],
                summary: row.partial ?? row.latency
            )
            // The distribution of a few rounds differs from the distribution of all rounds.
            subject.stopped = row.departure?.words
            subject.role = isCurrent ? .current : .other
            subject.order = order.place(of: row.target.label)
            if let target = recording.targets.firstIndex(of: row.target) {
                subject.answers = tally?.answers(ofTarget: target) ?? []
                subject.rounds = rounds[target] ?? []
            }
            return subject
        }
    }
}

extension ComparisonReport {
    /// All charts, or those of `only` one kind.
    func charts(only: ChartKind? = nil) -> [Chart] {
        (LoadSection(of: self)?.charts(only: only) ?? [])
            + series.flatMap { charts(of: $0, only: only) }
    }
}

extension LoadSection {
    /// The kinds of charts in which the states of the line are beside each other.
    fileprivate static let chartKinds: [ChartKind] = [.bars, .distribution, .percentiles]

    func charts(only: ChartKind?) -> [Chart] {
        let kinds = only.map { [$0] } ?? ChartKind.ofQueries
        return kinds.filter(Self.chartKinds.contains).map {
            Chart($0, of: subjects, scope: "idle and busy line", over: TimeScale(window: 0..<0))
        }
    }

    /// Each resolver in each state of the line.
    private var subjects: [ChartSubject] {
        evidence.rows.enumerated().flatMap { place, row in
            let states =
                [("idle", row.idle), ("loaded", row.loaded)]
                + [row.marked].compactMap { target in
                    target.map { ("marked", $0) }
                }
            return states.enumerated().compactMap { index, state -> ChartSubject? in
                guard let own = report.row(ofTarget: state.1) else { return nil }
                var subject = ChartSubject(
                    label: "\(name(row)), \(state.0)",
                    member: (name(row), state.0, index),
                    summary: own.latency
                )
                subject.order = place
                subject.answers = report.tally?.answers(ofTarget: state.1) ?? []
                return subject
            }
        }
    }
}

extension Series {
    /// The scope of a chart of the series among `all` series; empty if it is the only series.
    func scope(in all: [Series]) -> String {
        if all.count < 2 { return "" }
        return self != .first && all.contains(.first)
            ? "\(wording), encrypted connections kept" : wording
    }
}

extension ComparisonReport {
    /// The times of a series for charts, by the index of the target: one list of points per
    /// question. The points are placed by the start of their round if `isOverTime`, otherwise by
    /// its number. Only the first ``ChartSubject/mostNames`` questions of a target are included.
    private func rounds(of series: Series, isOverTime: Bool) -> [Int: [RoundSeries]] {
        guard let queries = tally?.queries else { return [:] }
        let asked = queries.asked
        let isMember = asked.map { recording.targets[$0.target].series == series }
        let places = recording.rounds.map { round in
            isOverTime ? Double(round.started.nanoseconds) / 1e9 : Double(round.number)
        }
        var counts = [Int](repeating: 0, count: asked.count)
        queries.forEachTime { _, pair, _ in if isMember[pair] { counts[pair] += 1 } }
        let timed = asked.indices.filter {
            counts[$0] > 0 && recording.questions.indices.contains(asked[$0].question)
        }
        let pairs = Dictionary(grouping: timed) { asked[$0].target }
            .mapValues { $0.sorted { asked[$0].question < asked[$1].question } }
        // Reserves the exact capacity. The points of a year need more memory than the rest of the
        // report.
        var points = [[RoundPoint]?](repeating: nil, count: asked.count)
        for pair in pairs.values.flatMap({ $0.prefix(ChartSubject.mostNames) }) {
            points[pair] = []
            points[pair]?.reserveCapacity(counts[pair])
        }
        queries.forEachTime { round, pair, time in
            points[pair]?.append((places[round], time))
        }
        return pairs.mapValues { pairs in
            pairs.map { (name(ofQuestion: asked[$0].question), points[$0] ?? []) }
        }
    }

    private func name(ofQuestion index: Int) -> String {
        let question = recording.questions[index]
        return question.type == .a
            ? question.name.description : "\(question.name) \(question.type)"
    }
}
