import Catalogue
import Samples
package import Statistics

extension HistoryReader {
    /// Up to this length a window is read from samples.
    private static let longestExactWindow = Duration.seconds(8 * 86_400)

    /// The resolvers beside `baseline`, as the runs in the window themselves would say. Throws where
    /// no resolver has that label.
    package func comparison(baseline: String, rules: ComparisonRules) throws -> ComparisonReport {
        let read = try recorded()
        return try comparison(of: read, baseline: baseline, isInUse: false, rules: rules)
    }

    /// The same of windows of any length, with the resolvers' courses: those of which samples are
    /// not read go by the hour.
    package func comparedCourses(
        baseline: String,
        isInUse: Bool,
        rules: ComparisonRules
    ) throws -> (comparison: ComparisonReport, course: CourseReport) {
        guard isLong else {
            let read = try recorded()
            return try Concurrently.both(
                { try comparison(of: read, baseline: baseline, isInUse: isInUse, rules: rules) },
                { try course(of: read.counted) }
            )
        }
        let (timeline, hourly) = try timelines(of: nil)
        return Concurrently.both(
            { comparison(of: timeline, baseline: baseline, isInUse: isInUse, rules: rules) },
            { CourseReport(of: timeline, hourly: hourly) }
        )
    }

    /// The comparison alone.
    package func anyComparison(
        baseline: String,
        isInUse: Bool,
        rules: ComparisonRules
    ) throws -> ComparisonReport {
        guard isLong else {
            let read = try recorded()
            return try comparison(of: read, baseline: baseline, isInUse: isInUse, rules: rules)
        }
        let (timeline, _) = try timelines(of: nil)
        return comparison(of: timeline, baseline: baseline, isInUse: isInUse, rules: rules)
    }

    /// By the hour.
    private func comparison(
        of timeline: HistoryTimeline,
        baseline: String,
        isInUse: Bool,
        rules: ComparisonRules
    ) -> ComparisonReport {
        ComparisonReport(
            ofHours: timeline.hours,
            baseline: baseline,
            isInUse: isInUse,
            rules: rules,
            window: timeline.context
        )
    }

    private var isLong: Bool {
        context.window.upperBound.since(context.window.lowerBound) > Self.longestExactWindow
    }

    private func recorded() throws -> Recording {
        var recording = Recording()
        try source.readSamples(context.window) { recording.merge($0) }
        return recording
    }

    private func comparison(
        of recording: Recording,
        baseline: String,
        isInUse: Bool,
        rules: ComparisonRules
    ) throws -> ComparisonReport {
        var labels: [String] = []
        for label in recording.targets.map(\.label) where !labels.contains(label) {
            labels.append(label)
        }
        guard labels.contains(baseline) else {
            let near = NearestName.question(baseline, among: labels)
            let some = labels.prefix(12).joined(separator: ", ")
            throw CatalogueError(
                .usage,
                "--baseline: '\(baseline)' was not measured"
                    + (near.isEmpty && !some.isEmpty ? "; there are \(some)" : near)
            )
        }
        var rules = rules
        rules.unit = recording.evidenceUnit
        return ComparisonReport(
            ofRecorded: recording,
            baseline: baseline,
            isInUse: isInUse,
            rules: rules,
            toolVersion: context.toolVersion
        )
    }
}

extension Recording {
    /// Rounds tell of their own time, hours in general.
    fileprivate var evidenceUnit: ComparisonRules.Unit {
        let moments = samples.map { $0.moment }
        guard let first = moments.min(), let last = moments.max() else { return .round }
        let rounds = Set(samples.map(\.round)).count
        return .fitting(rounds: rounds, from: first, to: last)
    }
}

extension ComparisonRules.Unit {
    /// Of so many rounds: what is longer than a day, or has very many, goes by the hour.
    static func fitting(rounds: Int, from first: Timestamp, to last: Timestamp) -> Self {
        rounds > 1_000 || last.since(first) > .seconds(86_400) ? .hour : .round
    }
}
