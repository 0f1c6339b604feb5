import Statistics

/// The part of a plan that a round asks: indexes of the plan's targets and questions.
package struct RoundPart: Hashable, Sendable {
    package var targets: [Int]
    package var questions: [Int]
    /// Questions that are used from this round on. A warm-up asks them before the round, which
    /// fills the caches.
    package var warmed: [Int] = []
}

/// The queries of the next round of a run.
package enum RoundChoice: Hashable, Sendable {
    /// All targets and all questions.
    case whole
    case part(RoundPart)
    /// The run ends.
    case end
}

/// Draws the questions of each round in a run with a decreasing number of resolvers.
///
/// With many resolvers, few of the questions are in use, so that filling the caches does not take
/// longer than measuring. Later all questions are in use. Each round draws from the questions in
/// use, so that every round has the same expected share.
package struct QuestionRotation: Sendable {
    private let seed: UInt64
    /// All questions in random order. The questions in use are at the front.
    private let order: [Int]
    private var used = 0

    /// With more resolvers than this, few questions are in use.
    private static let fewResolvers = 20
    private static let fewQuestions = 3

    package init(_ plan: Plan) {
        seed = plan.seed
        var order = Array(plan.questions.indices)
        var random = RandomSequence(seed: seed, part: .max)
        random.shuffle(&order)
        self.order = order
    }

    /// The part for `targets` in round `number`. `count` returns its number of questions from the
    /// number in use.
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
