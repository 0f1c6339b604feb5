package import Samples
package import Statistics

/// The evidence of queries on an idle and on a loaded line, for each resolver and transport.
package struct LoadEvidence: Hashable, Sendable {
    /// A resolver over one transport. The targets are indices of the recording's targets.
    package struct Row: Hashable, Sendable {
        package let idle: Int
        package let loaded: Int
        /// The target with marked queries; `nil` without one.
        package let marked: Int?
        /// The time that the load adds: loaded − idle.
        package let added: AddedDelay
        /// The time that the load adds to marked queries: marked − idle. `nil` without them.
        package let addedToMarked: AddedDelay?
        /// The time that marking saves: loaded − marked. `nil` without marked queries.
        package let saved: AddedDelay?
    }

    /// One row per resolver and transport, in the order of the targets.
    package let rows: [Row]
    /// The number of whole rounds.
    package let rounds: Int

    /// The accepted probability that any difference without a cause is found.
    private static let alpha = 0.05

    /// Returns `nil` if no resolver was queried on a loaded line.
    package init?(_ queries: RoundQueries, of recording: Recording) {
        let targets = recording.targets
        let pairs = targets.indices.compactMap { idle -> (idle: Int, loaded: Int, marked: Int?)? in
            guard targets[idle].series == .cached,
                let loaded = targets.index(of: targets[idle], in: .loaded)
            else { return nil }
            return (idle, loaded, targets.index(of: targets[idle], in: .loadedMarked))
        }
        guard !pairs.isEmpty else { return nil }
        let outcomes = Self.outcomes(queries, of: recording)
        // Bonferroni over all differences that the report shows.
        let tests = pairs.reduce(0) { $0 + ($1.marked == nil ? 1 : 3) }
        let alpha = Self.alpha / Double(tests)
        rounds = outcomes.count
        rows = pairs.map { pair in
            func difference(_ changed: Int, _ usual: Int) -> AddedDelay {
                AddedDelay(outcomes.map { $0.differences(changed, usual) }, alpha: alpha)
            }
            return Row(
                idle: pair.idle,
                loaded: pair.loaded,
                marked: pair.marked,
                added: difference(pair.loaded, pair.idle),
                addedToMarked: pair.marked.map { difference($0, pair.idle) },
                saved: pair.marked.map { difference(pair.loaded, $0) }
            )
        }
    }

    /// The times of the queries in each whole round, by target and question. A failure is infinite.
    private static func outcomes(_ queries: RoundQueries, of recording: Recording) -> [Outcomes] {
        queries.ordered(recording)
            .filter { $0.round.isWhole && $0.round.isCounted && !$0.isDisowned }
            .map { entry in
                var times: [Int: [Int32: Double]] = [:]
                queries.forEachQuery(ofRound: entry.place) { query, _ in
                    if let time = query.outcome.time {
                        times[query.target, default: [:]][query.question] = time
                    }
                }
                return Outcomes(times: times)
            }
    }

    private struct Outcomes {
        let times: [Int: [Int32: Double]]

        /// The differences of the questions that both targets were asked.
        func differences(_ changed: Int, _ usual: Int) -> [Double] {
            let other = times[usual] ?? [:]
            return (times[changed] ?? [:]).compactMap { question, time in
                other[question].map { time - $0 }
            }
        }
    }
}

extension [Recording.Target] {
    /// The index of `target` in another series.
    fileprivate func index(of target: Recording.Target, in series: Series) -> Int? {
        firstIndex(of: target.inSeries(series))
    }
}
