package import Samples
import Statistics

/// The order in which rounds ask resolvers, and resolvers that share an address. Both may explain a
/// difference. Rounds are added in parts.
///
/// Queries are ordered by `sent`, and with equal time stamps by the order of the samples. A sample without
/// `sent` is excluded.
package struct AskingOrder: Sendable {
    /// A resolver that is asked first far more often or far less often than by chance.
    package struct Turn: Hashable, Sendable {
        package var target: Recording.Target
        /// The number of rounds that asked it together with others, and of those that asked it first.
        package var rounds: Int
        package var first: Int
    }

    /// Two labels with one address and transport.
    package struct Twins: Hashable, Sendable {
        package var targets: [Recording.Target]
        /// The number of questions that rounds asked both, and of those that they asked the first of both
        /// earlier.
        package var pairs: Int
        package var first: Int
        /// The median of first − second, in milliseconds, over the questions that both answered; `nil`
        /// without any.
        package var difference: Double?
    }

    /// A resolver that rounds ask the same question more than once.
    package struct Repetition: Hashable, Sendable {
        package var target: Recording.Target
        /// The number of questions that were asked again in the same round.
        package var pairs: Int
        /// The median of first − second answer, in milliseconds; `nil` without any.
        package var difference: Double?
    }

    /// The minimum number of rounds for a statement about the order.
    package static let fewestRounds = 20

    private struct Count {
        var rounds = 0
        var first = 0
        /// The number of rounds that would ask it first by chance.
        var expected = 0.0
    }

    private struct Pairs {
        var count = 0
        var first = 0
        var differences: [Double] = []

        mutating func add(
            _ first: Sample,
            _ second: Sample,
            in series: Series,
            isInOrder: Bool = true
        ) {
            count += 1
            if isInOrder { self.first += 1 }
            if let time = first.observation.answerTime(in: series),
                let other = second.observation.answerTime(in: series)
            {
                differences.append(time - other)
            }
        }
    }

    private var targets: Set<Recording.Target> = []
    private var counts: [Recording.Target: Count] = [:]
    /// The pairs per two targets, which are in the order of ``Recording/Target/key``.
    private var twinPairs: [[Recording.Target]: Pairs] = [:]
    private var repeated: [Recording.Target: Pairs] = [:]

    package init() {}

    /// The targets with samples, and their names.
    package var names: [Recording.Target: String] { targets.map(\.self).namesByTarget }

    /// Adds rounds, each with all of its samples.
    package mutating func add(_ counted: CountedSamples) {
        let recording = counted.recording
        var members: [Int32: [Int]] = [:]
        var known: Set<Int32> = []
        for (index, sample) in recording.samples.enumerated()
        where recording.targets.indices.contains(Int(sample.target)) {
            known.insert(sample.target)
            guard sample.observation.sent != nil, sample.observation.outcome.wasSent,
                recording.round(of: sample) != nil
            else { continue }
            members[sample.round, default: []].append(index)
        }
        targets.formUnion(known.map { recording.targets[Int($0)] })
        let addresses = recording.targets.sharedAddresses
        for indices in members.values {
            // The index makes the sort stable.
            let round = indices.map { (recording.samples[$0], $0) }
                .sorted { ($0.0.moment, $0.1) < ($1.0.moment, $1.1) }
                .map(\.0)
            addTurns(round, recording.targets)
            addPairs(round, recording.targets, addresses)
        }
    }

    private mutating func addTurns(_ round: [Sample], _ targets: [Recording.Target]) {
        var asked: [Series: Set<Int32>] = [:]
        var first: [Series: Int32] = [:]
        for sample in round {
            let series = targets[Int(sample.target)].series
            asked[series, default: []].insert(sample.target)
            first[series] = first[series] ?? sample.target
        }
        for (series, asked) in asked where asked.count > 1 {
            for target in asked {
                var count = counts[targets[Int(target)]] ?? Count()
                count.rounds += 1
                count.expected += 1 / Double(asked.count)
                if first[series] == target { count.first += 1 }
                counts[targets[Int(target)]] = count
            }
        }
    }

    /// Adds the pairs of a round. `addresses` contains a number for each target whose address has several
    /// labels.
    private mutating func addPairs(
        _ round: [Sample],
        _ targets: [Recording.Target],
        _ addresses: [Int32: Int]
    ) {
        var earliest: [Int64: (sample: Sample, turn: Int, isRepeated: Bool)] = [:]
        // Samples by address and question. Only these can form pairs.
        var alike: [[Int32]: [Int64]] = [:]
        for (turn, sample) in round.enumerated() {
            guard let known = earliest[sample.place] else {
                earliest[sample.place] = (sample, turn, false)
                if let address = addresses[sample.target] {
                    alike[[Int32(address), sample.question], default: []].append(sample.place)
                }
                continue
            }
            guard !known.isRepeated else { continue }
            earliest[sample.place]?.isRepeated = true
            let target = targets[Int(sample.target)]
            repeated[target, default: Pairs()].add(known.sample, sample, in: target.series)
        }
        for places in alike.values {
            let members = places.compactMap { earliest[$0] }
                .map { (target: targets[Int($0.sample.target)], asked: $0) }
                .sorted { $0.target.key.lexicographicallyPrecedes($1.target.key) }
            for (index, one) in members.enumerated() {
                for other in members[(index + 1)...] where other.target.label != one.target.label {
                    twinPairs[[one.target, other.target], default: Pairs()].add(
                        one.asked.sample,
                        other.asked.sample,
                        in: one.target.series,
                        isInOrder: one.asked.turn < other.asked.turn
                    )
                }
            }
        }
    }

    /// Whether there is any finding.
    package var hasFindings: Bool { !twinPairs.isEmpty || !repeated.isEmpty || !turns.isEmpty }

    /// The resolvers that are first in over 90 % or under 10 % of at least ``fewestRounds`` rounds, unless
    /// the number of resolvers explains it. The most frequent first resolver is at the start.
    package var turns: [Turn] {
        counts.compactMap { target, count -> Turn? in
            guard count.rounds >= Self.fewestRounds else { return nil }
            let bounds = ProportionInterval.anytime(
                successes: count.first,
                of: count.rounds,
                alpha: 0.01
            )
            let usual = count.expected / Double(count.rounds)
            let isLeader = 10 * count.first > 9 * count.rounds && bounds.lowerBound > usual
            let isLast = 10 * count.first < count.rounds && bounds.upperBound < usual
            guard isLeader || isLast else { return nil }
            return Turn(target: target, rounds: count.rounds, first: count.first)
        }
        .sorted {
            let shares = ($0.first * $1.rounds, $1.first * $0.rounds)
            return shares.0 == shares.1
                ? $0.target.key.lexicographicallyPrecedes($1.target.key) : shares.0 > shares.1
        }
    }

    /// The twins that rounds asked together, per series. They must share a round, because an address may
    /// belong to different resolvers at different places.
    package var twins: [Twins] {
        twinPairs.map { targets, pairs in
            Twins(
                targets: targets,
                pairs: pairs.count,
                first: pairs.first,
                difference: pairs.differences.median
            )
        }
        .sorted { one, other in
            let keys = [one, other].map { $0.targets.flatMap(\.key) }
            return keys[0].lexicographicallyPrecedes(keys[1])
        }
    }

    package var repetitions: [Repetition] {
        repeated.map { target, pairs in
            Repetition(
                target: target,
                pairs: pairs.count,
                difference: pairs.differences.median
            )
        }
        .sorted { $0.target.key.lexicographicallyPrecedes($1.target.key) }
    }
}

extension [Recording.Target] {
    /// A number for each combination of address, source, transport and series that targets with two or more
    /// labels share. The source is the part of the label after `@`.
    fileprivate var sharedAddresses: [Int32: Int] {
        let groups = Dictionary(grouping: indices.filter { !self[$0].endpoint.isEmpty }) {
            let (target, label) = (self[$0], self[$0].label)
            let source = label.lastIndex(of: "@").map { String(label[$0...]) } ?? ""
            return [
                target.endpoint, source, target.transport.description, target.series.description,
            ]
        }
        let shared = groups.values.filter { group in
            group.contains { self[$0].label != self[group[0]].label }
        }
        var numbers: [Int32: Int] = [:]
        for (number, group) in shared.enumerated() {
            for index in group { numbers[Int32(index)] = number }
        }
        return numbers
    }
}

extension Recording.Target {
    fileprivate var key: [String] {
        [label, endpoint, transport.description, series.description]
    }
}
