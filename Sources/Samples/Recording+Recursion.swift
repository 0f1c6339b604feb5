extension Recording {
    /// One round of one resolver in both series: milliseconds, infinite without an answer.
    package struct SeriesRound: Hashable, Sendable {
        package var cached: [Double]
        package var uncached: [Double]
    }

    /// The rounds in which the resolver of `target`, over the same transport, was asked in both
    /// series, in their order: what the cost of recursion is computed from. `target` may be of
    /// either series.
    package func seriesRounds(of target: Int) -> [SeriesRound] {
        guard targets.indices.contains(target) else { return [] }
        let members = targets.indices.filter { index in
            targets[index].series != .first
                && targets[index].label == targets[target].label
                && targets[index].endpoint == targets[target].endpoint
                && targets[index].transport == targets[target].transport
        }
        var rounds: [Int32: SeriesRound] = [:]
        var order: [Int32] = []
        for sample in samples where members.contains(Int(sample.target)) {
            guard let time = sample.observation.comparedMilliseconds else { continue }
            let key = sample.round
            if rounds[key] == nil { order.append(key) }
            if targets[Int(sample.target)].series == .cached {
                rounds[key, default: SeriesRound(cached: [], uncached: [])].cached.append(time)
            } else {
                rounds[key, default: SeriesRound(cached: [], uncached: [])].uncached.append(time)
            }
        }
        return order.compactMap { rounds[$0] }.filter { !$0.cached.isEmpty && !$0.uncached.isEmpty }
    }
}

extension Observation {
    /// Milliseconds of an answer, infinite for what was lost; `nil` for what says nothing of speed.
    fileprivate var comparedMilliseconds: Double? {
        switch outcome {
        case .answered: roundTrip.map { Double($0) / 1e6 }
        case .failed, .timeout, .unreachable, .malformed: .infinity
        case .filtered, .offline, .blocked: nil
        }
    }
}
