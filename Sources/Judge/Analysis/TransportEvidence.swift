package import Samples
package import Statistics

/// Evidence of resolvers that were asked with and without encryption, added up as a window is
/// read: round by round where the window is short, else hour by hour.
package struct TransportEvidence: HistorySink, Sendable {
    private let labels: Set<String>
    /// `nil` where it is too much to go by rounds.
    private var counted: CountedSamples?
    private var hours = HistoryHours(clock: .utc)

    /// Evidence of those among `targets` that were asked both ways; `rounds` are all of the window.
    package init(among targets: [Recording.Target], rounds: [RoundMoment]) {
        labels = targets.labelsAskedBothWays
        guard let first = rounds.map(\.started).min(), let last = rounds.map(\.last).max(),
            ComparisonRules.Unit.fitting(rounds: rounds.count, from: first, to: last) == .round
        else { return }
        counted = CountedSamples(of: Recording())
    }

    /// Whether nothing was asked both ways.
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

    /// Adds an hour of which no samples are read.
    package mutating func add(_ sum: CountedSum) {
        guard isWanted(sum.sum.target) else { return }
        counted = nil
        hours.add(sum)
    }

    /// First queries are encrypted all.
    private func isWanted(_ target: Recording.Target) -> Bool {
        target.series != .first && labels.contains(target.label)
    }

    /// Its evidence, the targets that are meant, and the rules that hold.
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
    /// Unit for so many rounds: what is longer than a day, or has very many, goes by the hour.
    package static func fitting(rounds: Int, from first: Timestamp, to last: Timestamp) -> Self {
        rounds > 1_000 || last.since(first) > .seconds(86_400) ? .hour : .round
    }
}
