package import Samples
package import Statistics

/// An event of a resolver that is reported to the user without a request.
package struct Notice: Hashable, Sendable {
    /// The kind of event. Programs read its name, which never changes.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        case unreachable, recovered, slower, faster
        case slowerTail = "slower-tail"
        case fasterTail = "faster-tail"
        case lessReliable = "less-reliable"
        case moreReliable = "more-reliable"
        case lessCached = "less-cached"
        case moreCached = "more-cached"
        case budgetBurning = "budget-burning"
        /// An earlier notice of a change that later hours do not support.
        case withdrawn

        /// Whether the notice is about reachability. Otherwise it is about a change of level.
        var isOfReachability: Bool { self == .unreachable || self == .recovered }

        /// Whether the path may explain the event, so that a trace is worthwhile.
        var isWorthTrace: Bool {
            switch self {
            case .unreachable, .slower, .faster, .slowerTail, .fasterTail, .lessReliable: true
            case .recovered, .moreReliable, .lessCached, .moreCached, .budgetBurning, .withdrawn:
                false
            }
        }
    }

    /// The evidence for the notice.
    package enum Reason: Hashable, Sendable {
        /// No response. The outcomes of recent queries show the causes of the failures.
        case silence(ResponseStreak, OutcomeCounts?)
        case recovery(ResponseStreak, unreachableSince: Timestamp)
        case change(ChangeFinding)
        /// The end of a change that was reported.
        case end(ChangeFinding)
        /// A change of this kind was reported, and later hours do not support it.
        case withdrawal(LevelChange.Kind)
        case burn(BudgetBurn, of: ServiceObjective)
    }

    package let kind: Kind
    package let target: Recording.Target
    /// The label, with an addition if several resolvers have it.
    package let name: String
    package let since: Timestamp
    package let reason: Reason
    /// The path to the resolver, if it was traced for this notice.
    package var trace: KeptTrace?
}

/// The last consecutive rounds with the same result for a resolver.
package struct ResponseStreak: Hashable, Sendable {
    package private(set) var rounds = 0
    package private(set) var queries = 0
    package private(set) var responses = 0
    package private(set) var isUnverified = false
    private(set) var since = Timestamp(nanoseconds: 0)

    var isSilent: Bool { responses == 0 }

    init(of target: Recording.Target, in history: [RoundResponses]) {
        for round in history.reversed() {
            guard let finding = round.finding(of: target) else { continue }
            guard rounds == 0 || (finding.responses == 0) == isSilent else { return }
            rounds += 1
            queries += finding.sent
            responses += finding.responses
            isUnverified = isUnverified || finding.isUnverified
            since = round.started
        }
    }
}

extension RoundResponses {
    /// Returns the responses of a resolver; `nil` if the round is inconclusive. It is inconclusive if it has
    /// marks, or if no resolver at least as far away responded, because the user's connection may have
    /// failed.
    func finding(of target: Recording.Target) -> Resolver? {
        guard marks.isEmpty,
            let resolver = resolvers.first(where: { $0.target == target }), resolver.sent > 0
        else { return nil }
        let isTold =
            resolver.responses > 0
            || resolvers.contains {
                $0.responses > 0 && $0.target.distance >= target.distance
            }
        return isTold ? resolver : nil
    }
}
