import Statistics

/// Part of a plan that a round asks: indexes into the plan's targets and questions.
package struct RoundPart: Hashable, Sendable {
    package var targets: [Int]
    package var questions: [Int]
    /// Questions that come into use: they are asked beforehand too, which fills the caches.
    package var warmed: [Int] = []
}

/// The choice of what the next round of a run asks.
package enum RoundChoice: Hashable, Sendable {
    /// Everybody everything.
    case whole
    case part(RoundPart)
    /// There is no next round.
    case end
}

/// Draws the questions of each round of a run that asks fewer and fewer resolvers.
///
/// While many are asked, a few of the questions are in use, so that filling the caches does not take
/// longer than measuring; then all are. Those of a round are drawn anew from those in use, so that
/// every round has the same expected share.
package struct QuestionRotation: Sendable {
    private let seed: UInt64
    /// All questions in random order; those in use are the first.
    private let order: [Int]
    private var used = 0

    /// More resolvers than this have few questions in use.
    private static let fewResolvers = 20
    private static let fewQuestions = 3

    package init(_ plan: Plan) {
        seed = plan.seed
        var order = Array(plan.questions.indices)
        var random = RandomSequence(seed: seed, part: .max)
        random.shuffle(&order)
        self.order = order
    }

    /// The part for `targets` in round `number`, with as many questions as `count` says of those in
    /// use.
    package mutating func part(
        of targets: [Int],
        inRound number: Int,
        count: (_ inUse: Int) -> Int
    ) -> RoundPart {
        let wanted = targets.count > Self.fewResolvers ? Self.fewQuestions : order.count
        let inUse = max(used, min(wanted, order.count))
        let warmed = Array(order[used..<inUse])
        used = inUse
        var drawn = Array(order[..<inUse])
        var random = RandomSequence(seed: seed, part: number)
        random.shuffle(&drawn)
        let questions = Array(drawn.prefix(max(1, count(inUse))))
        return RoundPart(targets: targets, questions: questions, warmed: warmed)
    }
}
