import Samples
import Statistics

/// The choice of the blocks of a round that are volleys. The seed chooses one of each two
/// successive blocks. Of the blocks at a fixed place in every round, half are therefore volleys.
struct VolleyOrder {
    private var isFirst = false

    /// Whether the block at `place`, counted from 0, is a volley. Call it once for each block, in
    /// their order.
    mutating func isVolley(_ place: Int, _ random: inout RandomSequence) -> Bool {
        let opensPair = place.isMultiple(of: 2)
        if opensPair { isFirst = random.next(below: 2) == 0 }
        return isFirst == opensPair
    }
}

extension Plan {
    /// The maximum number of queries in a volley, which take a millisecond. In a larger block, the
    /// others keep their slots.
    private static let largestVolley = 16

    /// The query time of each of `targets`, which are in random order, within a block of `seconds`.
    /// It is a random moment of one of the equal slots.
    ///
    /// In a volley the targets are queried at one moment, in their order. Only volleys show the
    /// wait of a strategy that queries several resolvers at once. A fault of the line may last less
    /// than a tenth of a second, so that samples of other moments miss it. In a volley, such a
    /// fault also makes no difference between resolvers.
    ///
    /// The moment is in the middle half of the block, so that two volleys are at least half a block
    /// apart. Among targets that share an address only one takes part, so that a volley queries no
    /// resolver twice. Targets that open a connection do not take part, because their handshakes
    /// would wait for each other in this process.
    func moments(
        of targets: [Int],
        in seconds: Double,
        isVolley: Bool,
        _ random: inout RandomSequence
    ) -> [(target: Int, second: Double)] {
        let slot = seconds / Double(max(1, targets.count))
        let slots = targets.enumerated().map { place, target in
            (target: target, second: (Double(place) + random.nextFraction()) * slot)
        }
        guard isVolley else { return slots }
        let moment = seconds * (0.25 + random.nextFraction() / 2)
        let members = volleyMembers(of: targets)
        guard !members.isEmpty else { return slots }
        return slots.map { members.contains($0.target) ? ($0.target, moment) : $0 }
            .enumerated()
            .sorted { ($0.element.second, $0.offset) < ($1.element.second, $1.offset) }
            .map(\.element)
    }

    /// The members of `targets` that are queried at once; empty if this would be one target.
    private func volleyMembers(of targets: [Int]) -> Set<Int> {
        var groups: Set<Int> = []
        let members = targets.filter { target in
            self.targets[target].series != .first && targetGroups.indices.contains(target)
                && groups.insert(targetGroups[target]).inserted
        }
        return members.count > 1 ? Set(members.prefix(Self.largestVolley)) : []
    }
}
