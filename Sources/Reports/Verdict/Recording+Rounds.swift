import Samples

extension Recording {
    /// The rounds with their samples, run after run in the order in which these began. A round is
    /// whole where each resolver of a series that was asked in it has every question of the series
    /// in its run.
    var wholeRounds: [(round: Round, samples: [Sample])] {
        var members = [[Sample]](repeating: [], count: rounds.count)
        var starts: [Int32: Timestamp] = [:]
        var shapes: [RunSeries: RunShape] = [:]
        for sample in samples {
            guard targets.indices.contains(Int(sample.target)), let round = round(of: sample)
            else { continue }
            members[Int(sample.round)].append(sample)
            starts[round.run] = min(starts[round.run] ?? sample.moment, sample.moment)
            let place = RunSeries(run: round.run, series: targets[Int(sample.target)].series)
            shapes[place, default: RunShape()].insert(sample)
        }
        let epoch = Timestamp(nanoseconds: 0)
        return rounds.indices.filter { !members[$0].isEmpty }
            .sorted { left, right in
                let (left, right) = (rounds[left], rounds[right])
                return (starts[left.run] ?? epoch, left.run, left.number)
                    < (starts[right.run] ?? epoch, right.run, right.number)
            }
            .map { index in
                var round = rounds[index]
                let samples = members[index]
                let isWhole = Series.allCases.allSatisfy { series in
                    let asked = samples.filter { targets[Int($0.target)].series == series }
                    let places = Set(asked.map { [$0.target, $0.question] })
                    let shape = shapes[RunSeries(run: round.run, series: series)]
                    return asked.isEmpty || places.count >= shape?.queries ?? 0
                }
                round.isWhole = round.isWhole && isWhole
                return (round, samples)
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
