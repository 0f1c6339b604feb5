import Analysis
package import Catalogue
import Samples
package import Statistics

/// The context of a resolver in addition to the times of one series; empty if nothing was measured.
package struct ResolverContext: Hashable, Sendable {
    /// The network round trip to the resolver's address.
    package var floor: NetworkRTT?
    /// The servers that answered, by their NSID, the first to answer first.
    package var sites: [String] = []
    /// The additional time of uncached names, in the row of the uncached series.
    package var recursion: RecursionCost?
    /// The TCP connect time to the address in the answer, as the median over the names.
    package var nearness: Duration?
    /// Whether no connection to these addresses is allowed.
    package var isNearnessBlocked = false

    static func all(
        of recording: Recording,
        _ tally: RecordingTally?,
        context: ReportContext
    ) -> [ResolverContext] {
        recording.targets.enumerated().map { index, target in
            ResolverContext(
                floor: context.floors[target],
                sites: tally?.sites[index] ?? [],
                recursion: target.series == .uncached
                    ? tally?.queries.recursionCost(of: index, among: recording.targets) : nil,
                nearness: context.distances?.median(ofTarget: index),
                isNearnessBlocked: context.distances?.isBlocked(target: index) ?? false
            )
        }
    }
}

extension ComparisonReport {
    /// Sentences about other measurements than the queries.
    var contextSentences: [String] {
        var sentences: [String] = []
        let costs = rows.compactMap { row in
            row.context.recursion.map { "\(row.said) \(Self.words($0))" }
        }
        if !costs.isEmpty {
            sentences.append(
                "Cache-miss penalty (how much longer an uncached name takes): "
                    + "\(costs.joined(separator: ", "))."
            )
        }
        if let distances = context.distances, !rows(of: .cached).isEmpty {
            let places = rows(of: .cached).map { row in
                let none =
                    row.context.isNearnessBlocked
                    ? "not tried, outside the allowed networks" : "none reached"
                let time =
                    row.context.nearness.map { LatencyFormat.single($0.milliseconds) } ?? none
                return "\(row.said) \(time)"
            }
            sentences.append(
                "TCP connect to the address that each answered, port \(distances.port), median over "
                    + "the names: \(places.joined(separator: ", "))."
            )
        }
        return sentences
    }

    private static func words(_ cost: RecursionCost) -> String {
        guard cost.difference.isFinite else {
            return cost.difference > 0
                ? "more than the timeout" : "unknown, since most cached names failed"
        }
        let format = LatencyFormat(fitting: [])
        guard let interval = cost.interval, interval.upperBound.isFinite,
            interval.lowerBound.isFinite
        else { return format.cell(cost.difference) }
        return "\(format.cell(cost.difference)) (\(format.number(interval.lowerBound)) to "
            + "\(format.number(interval.upperBound)))"
    }
}
