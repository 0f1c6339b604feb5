import DNSWire
package import Samples
package import Statistics

extension ComparisonReport {
    /// Of what was recorded earlier: what the run itself would have said of its rounds. Resolvers
    /// that were not asked are left out.
    package init(
        ofRecorded recording: Recording,
        baseline: String,
        isInUse: Bool = false,
        rules: ComparisonRules,
        toolVersion: String
    ) {
        let recording = recording.withoutIdleTargets
        let moments = recording.samples.map { $0.moment }
        let epoch = Timestamp(nanoseconds: 0)
        let asked = { (series: Series) in
            Set(
                recording.samples
                    .filter { recording.targets[Int($0.target)].series == series }
                    .map { recording.questions[Int($0.question)].name.description }
            ).sorted()
        }
        var context = ReportContext(
            toolVersion: toolVersion,
            vantage: Set(recording.runs.map(\.vantage)).sorted().joined(separator: ", "),
            started: moments.min() ?? epoch,
            finished: moments.max() ?? epoch,
            plan: ReportContext.Plan(
                rounds: Set(recording.samples.map(\.round)).count,
                interval: nil,
                timeout: recording.runs.map(\.timeout).min() ?? .seconds(5),
                seed: nil,
                names: asked(.cached),
                zones: asked(.uncached),
                types: Set(recording.questions.map(\.type.description)).sorted(),
                series: Set(recording.targets.map(\.series)).sorted { $0.rawValue < $1.rawValue }
            ),
            baseline: baseline
        )
        context.rules = rules
        context.isBaselineInUse = isInUse
        context.tampering = recording.untruths
        self.init(of: recording, context: context)
    }
}

extension Recording {
    /// Without targets that have no sample.
    fileprivate var withoutIdleTargets: Recording {
        var used = [Bool](repeating: false, count: targets.count)
        for sample in samples where used.indices.contains(Int(sample.target)) {
            used[Int(sample.target)] = true
        }
        var places: [Int32: Int32] = [:]
        for index in targets.indices where used[index] {
            places[Int32(clamping: index)] = Int32(clamping: places.count)
        }
        var recording = self
        recording.targets = targets.indices.filter { used[$0] }.map { targets[$0] }
        recording.samples = samples.compactMap { sample in
            guard questions.indices.contains(Int(sample.question)),
                let place = places[sample.target]
            else { return nil }
            var sample = sample
            sample.target = place
            return sample
        }
        return recording
    }
}

extension ComparisonReport {
    /// Of the hours of `window`, of which no samples are needed: what is said of it in general. Only
    /// resolvers with one of `labels` are compared; `nil` is all.
    init(
        ofHours hours: HistoryHours,
        labels: Set<String>? = nil,
        baseline: String,
        isInUse: Bool = false,
        rules: ComparisonRules,
        window: WindowContext
    ) {
        var rules = rules
        rules.unit = .hour
        let courses = hours.hoursByTarget.filter { labels?.contains($0.target.label) ?? true }
        let targets = courses.map(\.target)
        let timeout = courses.flatMap { $0.hours.values.compactMap(\.timeout) }.min()
        let first = courses.flatMap(\.hours.keys).min().map(Timestamp.init(hoursSinceEpoch:))
        let start = window.window.lowerBound
        var context = ReportContext(
            toolVersion: window.toolVersion,
            vantage: hours.log.vantages.joined(separator: ", "),
            started: first.map { max($0, start) } ?? start,
            finished: window.gapsEnd,
            plan: ReportContext.Plan(
                rounds: hours.log.count,
                interval: nil,
                timeout: timeout ?? .seconds(5),
                seed: nil,
                names: [],
                types: [],
                series: Series.allCases.filter { series in
                    targets.contains { $0.series == series }
                }
            ),
            baseline: baseline
        )
        context.rules = rules
        context.isBaselineInUse = isInUse
        let evidence = SeriesEvidence.all(ofHours: courses, baseline: baseline, rules: rules)
        let rows = Self.rows(of: courses.map(\.hours), targets, baseline, evidence)
        let recording = Recording(runs: [], targets: targets, questions: [])
        self.init(
            context: context,
            recording: recording,
            rows: rows,
            rounds: hours.log.count,
            caveats: Caveat.all(
                of: RunQuality(of: recording),
                suspicions: Suspicions(of: recording),
                names: Self.names(of: targets).map(EscapedText.terminal),
                rows: rows,
                evidence: evidence,
                rounds: hours.log.count,
                context: context
            )
            // Hours do follow each other: what holds in general is not held against that.
            .filter { if case .autocorrelation = $0 { false } else { true } },
            evidence: evidence
        )
    }

    private static func rows(
        of courses: [[Int: WindowTally.Cell]],
        _ targets: [Recording.Target],
        _ baseline: String,
        _ evidence: [SeriesEvidence]
    ) -> [ResolverRow] {
        let names = names(of: targets)
        let first = targets.first { $0.label == baseline }
        let rows = targets.indices.map { index in
            let total = courses[index].sorted { $0.key < $1.key }
                .reduce(into: WindowTally.Cell()) { $0.merge(all: $1.value) }
            let target = targets[index]
            var row = ResolverRow(
                target: target,
                name: names[index],
                counts: total.counts,
                latency: total.latency,
                isBaseline: target.label == first?.label && target.transport == first?.transport
            )
            row.rank = evidence.first { $0.series == target.series }?.rank(of: index)
            row.connections = total.connectionFigures
            return row
        }
        return rows.enumerated()
            .sorted { isBefore($0.element, $0.offset, $1.element, $1.offset) }
            .map(\.element)
    }
}

extension SeriesEvidence {
    /// The evidence of hours, each of which is one piece: what was measured in it of each target.
    static func all(
        ofHours courses: [(target: Recording.Target, hours: [Int: WindowTally.Cell])],
        baseline: String?,
        rules: ComparisonRules
    ) -> [SeriesEvidence] {
        var feed = EvidenceFeed(
            targets: courses.map(\.target),
            questions: [],
            baseline: baseline,
            rules: rules
        )
        let timeout = courses.flatMap { $0.hours.values.compactMap(\.timeout) }.min()
        feed.add(hours: courses.map { $0.hours.mapValues(\.tally) }, timeout: timeout)
        return feed.evidence(ending: .budgetSpent)
    }
}

extension EvidenceFeed {
    /// Takes hours, counted from 1970 (UTC), each as one piece: what was measured in it of each of
    /// the targets, in their order.
    mutating func add(hours: [[Int: LatencyTally]], timeout: Duration?) {
        for hour in Set(hours.flatMap(\.keys)).sorted() {
            add(
                hour: hour,
                hours.map { $0[hour] ?? LatencyTally() },
                timeout: timeout ?? .seconds(5)
            )
        }
    }
}
