package import Samples

/// The order of rounds, and whether each round is whole, derived from the queries of each round. Rounds are
/// added one by one, so their samples need not be in memory together.
struct RoundOrder: Sendable {
    /// The targets and questions of one series' samples, and which target was asked which question.
    private struct Extent {
        var targets: Set<Int32> = []
        var questions: Set<Int32> = []
        var places: Set<Int64> = []

        /// Whether every target was asked every question.
        var isRectangle: Bool { places.count == targets.count * questions.count }

        mutating func add(_ sample: Sample) {
            targets.insert(sample.target)
            questions.insert(sample.question)
            places.insert(sample.place)
        }
    }

    /// The run of a round, and the index of its queries in ``extents``.
    private struct Asked: Hashable {
        var run: Int32
        var extent: Int
    }

    /// The distinct sets of queries of rounds. Most rounds have the same queries.
    private var extents: [[Series: Extent]] = []
    private var known: [[Int64]: Int] = [:]
    /// The index of each round's queries in ``extents``; `nil` for rounds without samples.
    private var asked: [Int?] = []
    private var starts: [Int32: Timestamp] = [:]

    /// Adds the samples of the next round. Each sample refers to one of `targets`.
    mutating func add(_ samples: [Sample], of round: Round, targets: [Recording.Target]) {
        guard let first = samples.lazy.map(\.moment).min() else { return asked.append(nil) }
        starts[round.run] = min(starts[round.run] ?? first, first)
        let places = samples.map(\.place).sorted()
        let extent = known[places] ?? extents.count
        if extent == extents.count {
            known[places] = extent
            extents.append(
                samples.reduce(into: [:]) { extents, sample in
                    extents[targets[Int(sample.target)].series, default: Extent()].add(sample)
                }
            )
        }
        asked.append(extent)
    }

    /// Returns the indices in `rounds` of the rounds with samples, run by run, the earliest run first.
    ///
    /// A round is whole if each of its resolvers was asked every question of the run in this series. If the
    /// rounds of a run ask only parts, the questions of the round are sufficient.
    func ordered(_ rounds: [Round], of runs: [Run]) -> [(place: Int, isWhole: Bool)] {
        let wholes = wholeRounds(rounds, of: runs)
        let epoch = Timestamp(nanoseconds: 0)
        return rounds.indices.filter { asked[$0] != nil }
            .sorted { left, right in
                let (left, right) = (rounds[left], rounds[right])
                return (starts[left.run] ?? epoch, left.run, left.number)
                    < (starts[right.run] ?? epoch, right.run, right.number)
            }
            .map { ($0, rounds[$0].isWhole && wholes[$0]) }
    }

    /// Whether each round is whole.
    private func wholeRounds(_ rounds: [Round], of runs: [Run]) -> [Bool] {
        let all = extentsOfRuns(rounds)
        var last: [Int32: Int32] = [:]
        for round in rounds { last[round.run] = max(last[round.run] ?? round.number, round.number) }
        func isFull(_ extent: Extent, _ series: Series, _ round: Round) -> Bool {
            let whole = all[round.run]?[series] ?? Extent()
            return extent.places.count >= whole.targets.count * whole.questions.count
        }
        let ofRounds = asked.map { $0.map { extents[$0] } ?? [:] }
        // The last round is excluded, because it may be incomplete.
        let inParts = Set(
            zip(rounds, ofRounds).filter { round, extents in
                runs.indices.contains(Int(round.run)) && runs[Int(round.run)].origin == .compare
                    && round.number != last[round.run]
                    && extents.contains { !isFull($1, $0, round) && $1.isRectangle }
            }
            .map(\.0.run)
        )
        return zip(rounds, ofRounds).map { round, extents in
            extents.allSatisfy { series, extent in
                isFull(extent, series, round)
                    || inParts.contains(round.run) && extent.isRectangle
            }
        }
    }

    /// The targets and questions of all rounds of each run.
    private func extentsOfRuns(_ rounds: [Round]) -> [Int32: [Series: Extent]] {
        var all: [Int32: [Series: Extent]] = [:]
        var merged: Set<Asked> = []
        for (round, place) in zip(rounds, asked) {
            guard let place, merged.insert(Asked(run: round.run, extent: place)).inserted else {
                continue
            }
            // The rounds of most runs have the same queries, so the sets are shared.
            guard all[round.run] != nil else {
                all[round.run] = extents[place]
                continue
            }
            for (series, extent) in extents[place] {
                all[round.run]?[series, default: Extent()].targets.formUnion(extent.targets)
                all[round.run]?[series, default: Extent()].questions.formUnion(extent.questions)
            }
        }
        return all
    }
}

extension Sample {
    /// Its target and question as one number.
    var place: Int64 { Int64(target) << 32 | Int64(question) }
}

extension Recording {
    /// The rounds with their samples, in the order of ``RoundOrder/ordered(_:of:)``, which also defines
    /// when a round is whole.
    package var roundsInOrder: [(round: Round, samples: [Sample])] {
        let members = samples(
            by: { targets.indices.contains(Int($0.target)) ? $0.round : -1 },
            rounds.count
        )
        var order = RoundOrder()
        for (round, samples) in zip(rounds, members) {
            order.add(samples, of: round, targets: targets)
        }
        return order.ordered(rounds, of: runs).map { place, isWhole in
            var round = rounds[place]
            round.isWhole = isWhole
            return (round, members[place])
        }
    }
}
