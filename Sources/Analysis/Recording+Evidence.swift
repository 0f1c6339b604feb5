import Catalogue
package import Samples

/// Marks of samples on their round and resolver, so that a samples file and a store say later what
/// the run itself said.
extension Recording {
    private static let untruthWord = "untruth: "

    /// Says in the samples of a round that it is no evidence, as ``EvidenceBuilder/unusedRounds`` has it.
    package mutating func markUnused() {
        for index in samples.indices { samples[index].observation.add(.noEvidence) }
    }

    /// Says in one sample of each resolver of `tampering`, by its label, how it was found not to
    /// tell the truth.
    package mutating func mark(_ tampering: [String: String]) {
        guard !tampering.isEmpty else { return }
        var told: Set<Int32> = []
        for index in samples.indices where targets.indices.contains(Int(samples[index].target)) {
            let target = samples[index].target
            guard let untruth = tampering[targets[Int(target)].label], told.insert(target).inserted
            else { continue }
            samples[index].observation.add(.tampering, detail: Self.untruthWord + untruth)
        }
    }

    /// Says in the first sample of each target how long the network's round trip to it was.
    package mutating func note(_ roundTrips: [Int: Duration]) {
        var told: Set<Int32> = []
        for index in samples.indices where told.insert(samples[index].target).inserted {
            guard let roundTrip = roundTrips[Int(samples[index].target)] else { continue }
            samples[index].observation.add(networkRTT: roundTrip.nanoseconds)
        }
    }

    /// By label how resolvers were found not to tell the truth, as the samples say.
    package var tampering: [String: String] {
        var tampering: [String: String] = [:]
        for sample in samples where targets.indices.contains(Int(sample.target)) {
            guard sample.observation.flags.contains(.tampering),
                let detail = sample.observation.extras?.detail
            else { continue }
            for part in detail.split(separator: "; ") where part.hasPrefix(Self.untruthWord) {
                let label = targets[Int(sample.target)].label
                tampering[label] = String(part.dropFirst(Self.untruthWord.count))
            }
        }
        return tampering
    }

    /// The rounds with their samples, run after run in the order in which these began. A round is
    /// whole where each resolver of a series that was asked in it has every question of the series
    /// in its run; of a run whose rounds ask parts, where each has every question of the round.
    package var roundsInOrder: [(round: Round, samples: [Sample])] {
        let members = samples(
            by: { targets.indices.contains(Int($0.target)) ? $0.round : -1 },
            rounds.count
        )
        var starts: [Int32: Timestamp] = [:]
        for (round, samples) in zip(rounds, members) {
            guard let first = samples.lazy.map(\.moment).min() else { continue }
            starts[round.run] = min(starts[round.run] ?? first, first)
        }
        let extents = members.map(extents)
        let wholes = wholeRounds(extents)
        let epoch = Timestamp(nanoseconds: 0)
        return rounds.indices.filter { !members[$0].isEmpty }
            .sorted { left, right in
                let (left, right) = (rounds[left], rounds[right])
                return (starts[left.run] ?? epoch, left.run, left.number)
                    < (starts[right.run] ?? epoch, right.run, right.number)
            }
            .map { index in
                var round = rounds[index]
                round.isWhole = round.isWhole && wholes[index]
                return (round, members[index])
            }
    }

    /// The targets and questions of one series' samples, and which target was asked which question.
    private struct Extent {
        var targets: Set<Int32> = []
        var questions: Set<Int32> = []
        var places: Set<Int64> = []

        /// Whether everybody was asked everything.
        var isRectangle: Bool { places.count == targets.count * questions.count }

        mutating func add(_ sample: Sample) {
            targets.insert(sample.target)
            questions.insert(sample.question)
            places.insert(Int64(sample.target) << 32 | Int64(sample.question))
        }
    }

    private func extents(_ samples: [Sample]) -> [Series: Extent] {
        samples.reduce(into: [:]) { extents, sample in
            extents[targets[Int(sample.target)].series, default: Extent()].add(sample)
        }
    }

    /// Whether each round is whole, by what its samples asked.
    private func wholeRounds(_ extents: [[Series: Extent]]) -> [Bool] {
        var all: [Int32: [Series: Extent]] = [:]
        var last: [Int32: Int32] = [:]
        for (round, extents) in zip(rounds, extents) {
            last[round.run] = max(last[round.run] ?? round.number, round.number)
            for (series, extent) in extents {
                all[round.run, default: [:]][series, default: Extent()].targets
                    .formUnion(extent.targets)
                all[round.run, default: [:]][series, default: Extent()].questions
                    .formUnion(extent.questions)
            }
        }
        func isFull(_ extent: Extent, _ series: Series, _ round: Round) -> Bool {
            let whole = all[round.run]?[series] ?? Extent()
            return extent.places.count >= whole.targets.count * whole.questions.count
        }
        // The last round may be one that was cut short.
        let inParts = Set(
            zip(rounds, extents).filter { round, extents in
                runs.indices.contains(Int(round.run)) && runs[Int(round.run)].origin == .compare
                    && round.number != last[round.run]
                    && extents.contains { !isFull($1, $0, round) && $1.isRectangle }
            }
            .map(\.0.run)
        )
        return zip(rounds, extents).map { round, extents in
            extents.allSatisfy { series, extent in
                isFull(extent, series, round)
                    || inParts.contains(round.run) && extent.isRectangle
            }
        }
    }
}
