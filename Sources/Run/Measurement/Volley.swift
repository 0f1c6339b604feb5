import Samples
import Statistics

/// Which blocks of a round are volleys: of each two in succession one, as the seed has it, so that
/// places that a question has in every round are volleys as often as not.
struct VolleyOrder {
    private var isFirst = false

    /// Whether the block at `place`, counted from 0, is one; asked once for each, in their order.
    mutating func isVolley(_ place: Int, _ random: inout RandomSequence) -> Bool {
        let opensPair = place.isMultiple(of: 2)
        if opensPair { isFirst = random.next(below: 2) == 0 }
        return isFirst == opensPair
    }
}

extension Plan {
    /// The most that are asked at once, which takes a millisecond; in a larger block the others keep
    /// their slots.
    private static let largestVolley = 16

    /// When each of `targets`, which are in random order, is asked within a block of so many
    /// `seconds`: at a random moment of as many equal slots.
    ///
    /// In a volley they are asked at one moment, in their order. What a strategy that asks several at
    /// once would have waited can be told from no other rows, since a fault of the line may be over
    /// within a tenth of a second; and such a fault then makes no difference between resolvers. The
    /// moment lies in the middle half of the block, so that two volleys are half a block apart at
    /// least. Of targets that share an address one takes part: a volley asks nobody twice. Those that
    /// open a connection do not, whose handshakes would wait for each other in this process.
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

    /// Those of `targets` that are asked at once; none where that would be one alone.
    private func volleyMembers(of targets: [Int]) -> Set<Int> {
        var groups: Set<Int> = []
        let members = targets.filter { target in
            self.targets[target].series != .first && targetGroups.indices.contains(target)
                && groups.insert(targetGroups[target]).inserted
        }
        return members.count > 1 ? Set(members.prefix(Self.largestVolley)) : []
    }
}
