import Analysis
import DNSWire
package import Samples
package import Statistics

/// Resolver that the others of a window are held against, and how.
package struct WindowBaseline: Sendable {
    let label: String
    let isInUse: Bool
    var rules: ComparisonRules
    /// Whether strategies over it and the others are told of.
    package var wantsStrategies = false

    package init(_ label: String, isInUse: Bool = false, rules: ComparisonRules) {
        self.label = label
        self.isInUse = isInUse
        self.rules = rules
    }
}

extension ComparisonReport {
    /// Report of what was recorded earlier: what the run itself would have said of its rounds. Resolvers
    /// that were not asked are left out.
    package init(
        ofRecorded recording: Recording,
        against baseline: WindowBaseline,
        toolVersion: String,
        completing: (inout ReportContext) -> Void = { _ in }
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
                timeout: recording.runs.map(\.timeout).min() ?? .seconds(5),
                names: [.cached, .asFound, .browser].map(asked).first { !$0.isEmpty } ?? [],
                zones: asked(.uncached),
                types: Set(recording.questions.map(\.type.description)).sorted(),
                series: Set(recording.targets.map(\.series)).sorted { $0.order < $1.order }
            ),
            baseline: baseline.label
        )
        context.rules = baseline.rules
        context.isBaselineInUse = baseline.isInUse
        context.tampering = recording.tampering
        context.wantsStrategies = baseline.wantsStrategies
        completing(&context)
        self.init(of: recording, context: context)
    }

    /// Report of the hours of `window`, of which no samples are needed: what is said of it in general.
    init(ofHours hours: HistoryHours, against baseline: WindowBaseline, window: WindowContext) {
        let courses = hours.hoursByTarget
        let targets = courses.map(\.target)
        let first = courses.flatMap(\.hours.keys).min().map(Timestamp.init(hoursSinceEpoch:))
        let start = window.window.lowerBound
        let timeouts = courses.lazy.flatMap { $0.hours.values.compactMap(\.timeout) }
        var context = ReportContext(
            toolVersion: window.toolVersion,
            vantage: hours.log.vantages.joined(separator: ", "),
            started: first.map { max($0, start) } ?? start,
            finished: window.gapsEnd,
            plan: ReportContext.Plan(
                rounds: hours.log.count,
                timeout: timeouts.min() ?? .seconds(5),
                series: Set(targets.map(\.series)).sorted { $0.order < $1.order }
            ),
            baseline: baseline.label
        )
        context.rules = baseline.rules
        context.rules.unit = .hour
        context.isBaselineInUse = baseline.isInUse
        var feed = EvidenceBuilder(
            targets: targets,
            questions: [],
            baseline: baseline.label,
            rules: context.rules
        )
        feed.add(hours: courses.map(\.hours))
        self.init(
            of: Recording(targets: targets),
            courses.map { course in
                course.hours.sorted { $0.key < $1.key }
                    .reduce(into: Figures()) { $0.merge($1.value) }
            },
            rounds: hours.log.count,
            evidence: feed.evidence(ending: .budgetSpent),
            context: context
        )
        // Hours do follow each other: what holds in general is not held against that.
        warnings.removeAll { $0.code == Self.autocorrelation }
    }
}

extension Recording {
    fileprivate var withoutIdleTargets: Recording {
        let used = Set(samples.map(\.target)).sorted().filter { targets.indices.contains(Int($0)) }
        let places = Dictionary(uniqueKeysWithValues: zip(used, Int32(0)...))
        var recording = self
        recording.targets = used.map { targets[Int($0)] }
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
