package import Samples
package import Statistics

/// The evidence of resolvers that were asked with and without encryption, accumulated while a window is read.
/// A short window is compared round by round, a long one hour by hour.
package struct TransportEvidence: HistorySink, Sendable {
    private let labels: Set<String>
    /// The samples; `nil` if there are too many rounds to compare round by round.
    private var counted: CountedSamples?
    private var hours = HistoryHours(clock: .utc)

    /// Creates evidence of those of `targets` that were asked both ways. `rounds` contains all rounds of the
    /// window.
    package init(among targets: [Recording.Target], rounds: [RoundMoment]) {
        labels = targets.labelsAskedBothWays
        guard let first = rounds.map(\.started).min(), let last = rounds.map(\.last).max(),
            ComparisonRules.Unit.fitting(rounds: rounds.count, from: first, to: last) == .round
        else { return }
        counted = CountedSamples(of: Recording())
    }

    /// Whether no resolver was asked both ways.
    package var isEmpty: Bool { labels.isEmpty }

    package mutating func add(_ piece: CountedSamples) {
        let isWanted = piece.recording.targets.map(isWanted)
        guard isWanted.contains(true) else { return }
        let part = piece.filter { sample in
            isWanted.indices.contains(Int(sample.target)) && isWanted[Int(sample.target)]
        }
        counted?.merge(part)
        hours.add(part)
    }

    /// Adds an hour whose samples are not read.
    package mutating func add(_ sum: CountedSum) {
        guard isWanted(sum.sum.target) else { return }
        counted = nil
        hours.add(sum)
    }

    /// First queries are always encrypted, so they are excluded.
    private func isWanted(_ target: Recording.Target) -> Bool {
        target.series != .first && labels.contains(target.label)
    }

    /// Returns the evidence, its targets and its rules.
    package func evidence() -> (
        series: [SeriesEvidence], targets: [Recording.Target], ComparisonRules
    ) {
        let rules = ComparisonRules(unit: counted == nil ? .hour : .round)
        let hours = hours.hoursByTarget
        let targets = counted?.recording.targets ?? hours.map(\.target)
        var builder = EvidenceBuilder(targets: targets, baseline: nil, rules: rules)
        if let counted {
            builder.add(RoundQueries(of: counted), of: counted.recording)
        } else {
            builder.add(hours: hours.map(\.hours))
        }
        return (builder.evidence(ending: .budgetSpent, ranks: false), targets, rules)
    }
}

extension ComparisonRules.Unit {
    /// Returns the unit for a number of rounds: hours if the time exceeds a day, or with more than 1,000
    /// rounds.
    package static func fitting(rounds: Int, from first: Timestamp, to last: Timestamp) -> Self {
        rounds > 1_000 || last.since(first) > .seconds(86_400) ? .hour : .round
    }
}
