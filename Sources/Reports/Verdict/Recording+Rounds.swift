import Samples

extension Recording {
    /// The rounds, run after run in the order in which these began. A round is whole where each
    /// resolver of a series that was asked in it has every question of the series in its run.
    var measuredRounds: [(key: RoundKey, round: MeasuredRound)] {
        var rounds: [RoundKey: [Sample]] = [:]
        var starts: [Int32: Timestamp] = [:]
        var shapes: [RunSeries: RunShape] = [:]
        for sample in samples {
            guard targets.indices.contains(Int(sample.target)) else { continue }
            rounds[RoundKey(run: sample.run, round: sample.round), default: []].append(sample)
            let moment = sample.observation.sent ?? sample.scheduled
            starts[sample.run] = min(starts[sample.run] ?? moment, moment)
            let place = RunSeries(run: sample.run, series: targets[Int(sample.target)].series)
            shapes[place, default: RunShape()].insert(sample)
        }
        let order = rounds.keys.sorted { left, right in
            (starts[left.run] ?? Timestamp(nanoseconds: 0), left.run, left.round)
                < (starts[right.run] ?? Timestamp(nanoseconds: 0), right.run, right.round)
        }
        return order.map { key in
            let samples = rounds[key] ?? []
            let isWhole = Series.allCases.allSatisfy { series in
                let asked = samples.filter { targets[Int($0.target)].series == series }
                let places = Set(asked.map { [$0.target, $0.question] })
                let shape = shapes[RunSeries(run: key.run, series: series)]
                return asked.isEmpty || places.count >= shape?.queries ?? 0
            }
            return (key, MeasuredRound(number: Int(key.round), samples: samples, isWhole: isWhole))
        }
    }
}

private struct RunSeries: Hashable {
    var run: Int32
    var series: Series
}

/// What a run asks in one series.
private struct RunShape {
    private var targets: Set<Int32> = []
    private var questions: Set<Int32> = []

    mutating func insert(_ sample: Sample) {
        targets.insert(sample.target)
        questions.insert(sample.question)
    }

    /// Of one round.
    var queries: Int { targets.count * questions.count }
}
