package import Samples
package import Statistics

/// News of a resolver that somebody wants to be told without having asked.
package struct Notice: Hashable, Sendable {
    /// Event; its name is for programs and never changes.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        case unreachable, recovered, slower, faster
        case slowerTail = "slower-tail"
        case fasterTail = "faster-tail"
        case lessReliable = "less-reliable"
        case moreReliable = "more-reliable"
        case lessCached = "less-cached"
        case moreCached = "more-cached"
        case budgetBurning = "budget-burning"

        /// Whether it is about responding at all; else it is a change of level.
        var isOfReachability: Bool { self == .unreachable || self == .recovered }

        /// Whether the way may tell why.
        var isWorthTrace: Bool {
            switch self {
            case .unreachable, .slower, .faster, .slowerTail, .fasterTail, .lessReliable: true
            case .recovered, .moreReliable, .lessCached, .moreCached, .budgetBurning: false
            }
        }
    }

    /// What it rests on.
    package enum Reason: Hashable, Sendable {
        /// No response; the outcomes of recent queries have the causes of failures.
        case silence(ResponseStreak, OutcomeCounts?)
        case recovery(ResponseStreak, unreachableSince: Timestamp)
        case change(ChangeFinding)
        case burn(BudgetBurn, of: ServiceObjective)
    }

    package let kind: Kind
    package let target: Recording.Target
    /// The label, with what tells it apart.
    package let name: String
    package let since: Timestamp
    package let reason: Reason
    /// The way to the resolver, where it was traced for this.
    package var trace: KeptTrace?
}

/// The last rounds that tell the same of a resolver.
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
    /// Whether a resolver responded; `nil` where the round does not tell: it has marks, or nothing
    /// that is at least as far away responded, so that it may have been the connection.
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
