package import Samples
import Statistics

/// The order in which rounds ask resolvers, and resolvers that are one: what a difference may be
/// due to. Takes the rounds piece by piece.
///
/// The order is that of `sent`; among equal time stamps, that of the samples. A sample without
/// `sent` has no place in it.
package struct AskingOrder: Sendable {
    /// A resolver that is asked first far more or far less often than by chance.
    package struct Turn: Hashable, Sendable {
        package var target: Recording.Target
        /// Rounds that asked it and others, and those of them that asked it first.
        package var rounds: Int
        package var first: Int
    }

    /// Two labels of one address over one transport.
    package struct Twins: Hashable, Sendable {
        package var targets: [Recording.Target]
        /// Questions of rounds that both were asked, and those of them that asked the first of them
        /// first.
        package var pairs: Int
        package var first: Int
        /// The median of first − second, in milliseconds, of what both answered; `nil` without any.
        package var difference: Double?
    }

    /// A resolver that rounds ask one question more than once.
    package struct Repetition: Hashable, Sendable {
        package var target: Recording.Target
        /// Questions of rounds that were asked again.
        package var pairs: Int
        /// The median of first − second answer, in milliseconds; `nil` without any.
        package var difference: Double?
    }

    /// Fewer rounds say nothing of the order.
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
    private var twinPairs: [[Recording.Target]: Pairs] = [:]
    private var repeated: [Recording.Target: Pairs] = [:]

    package init() {}

    /// The targets with samples, each with its name.
    package var names: [Recording.Target: String] { targets.map(\.self).namesByTarget }

    /// Adds rounds, each with all of its samples.
    package mutating func add(_ recording: Recording) {
        var members: [Int32: [Int]] = [:]
        var known: Set<Int32> = []
        for (index, sample) in recording.samples.enumerated()
        where recording.targets.indices.contains(Int(sample.target)) {
            known.insert(sample.target)
            guard sample.observation.sent != nil, sample.observation.outcome.wasSent,
                recording.round(of: sample)?.isCounted == true
            else { continue }
            members[sample.round, default: []].append(index)
        }
        targets.formUnion(known.map { recording.targets[Int($0)] })
        let twins = recording.targets.twins
        for indices in members.values {
            // The sort is stable by the place.
            let round = indices.map { (recording.samples[$0], $0) }
                .sorted { ($0.0.moment, $0.1) < ($1.0.moment, $1.1) }
                .map(\.0)
            addTurns(round, recording.targets)
            addPairs(round, recording.targets, twins)
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

    private mutating func addPairs(
        _ round: [Sample],
        _ targets: [Recording.Target],
        _ twins: [[Int]]
    ) {
        var earliest: [Int64: (sample: Sample, turn: Int, isRepeated: Bool)] = [:]
        for (turn, sample) in round.enumerated() {
            guard let known = earliest[sample.place] else {
                earliest[sample.place] = (sample, turn, false)
                continue
            }
            guard !known.isRepeated else { continue }
            earliest[sample.place]?.isRepeated = true
            let target = targets[Int(sample.target)]
            repeated[target, default: Pairs()].add(known.sample, sample, in: target.series)
        }
        for pair in twins {
            var pairs = Pairs()
            for (place, one) in earliest where Int(one.sample.target) == pair[0] {
                let other = Int64(pair[1]) << 32 | place & 0xffff_ffff
                guard let second = earliest[other] else { continue }
                pairs.add(
                    one.sample,
                    second.sample,
                    in: targets[pair[0]].series,
                    isInOrder: one.turn < second.turn
                )
            }
            guard pairs.count > 0 else { continue }
            var all = twinPairs[pair.map { targets[$0] }] ?? Pairs()
            all.count += pairs.count
            all.first += pairs.first
            all.differences += pairs.differences
            twinPairs[pair.map { targets[$0] }] = all
        }
    }

    /// Those that are first in over 90 % or under 10 % of at least ``fewestRounds``, unless their
    /// number makes that usual; the one that is first most often comes first.
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

    /// Those of one address, series by series, that rounds asked together: an address of one place
    /// may be another resolver elsewhere.
    package var twins: [Twins] {
        let ordered = targets.sorted { $0.key.lexicographicallyPrecedes($1.key) }
        return ordered.twins.compactMap { pair in
            let pair = pair.map { ordered[$0] }
            let (own, other) = (twinPairs[pair], twinPairs[pair.reversed()])
            let pairs = (own?.count ?? 0) + (other?.count ?? 0)
            guard pairs > 0 else { return nil }
            let first = (own?.first ?? 0) + (other.map { $0.count - $0.first } ?? 0)
            let differences = (own?.differences ?? []) + (other?.differences.map { -$0 } ?? [])
            return Twins(
                targets: pair,
                pairs: pairs,
                first: first,
                difference: differences.median
            )
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
    /// Pairs of targets with different labels at one address, over one transport and in one series.
    fileprivate var twins: [[Int]] {
        let groups = Dictionary(grouping: indices.filter { !self[$0].endpoint.isEmpty }) {
            [self[$0].endpoint, self[$0].transport.description, self[$0].series.description]
        }
        return groups.values.flatMap { group in
            group.indices.flatMap { first in
                group[(first + 1)...].filter { self[$0].label != self[group[first]].label }
                    .map { [group[first], $0] }
            }
        }
        .sorted { $0.lexicographicallyPrecedes($1) }
    }
}

extension Recording.Target {
    fileprivate var key: [String] {
        [label, endpoint, transport.description, series.description]
    }
}
