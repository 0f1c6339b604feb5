/// The pace and the targets that all rounds of a plan share, computed once. A run may have
/// thousands of rounds per second.
struct RoundPattern {
    /// The time for the targets of one question, or of a group of questions asked at one moment.
    let block: Duration
    let period: Double
    let laterPeriod: Double
    let warmup: Double
    let counted: (cached: [Int], uncached: [Int])
    let warmed: (cached: [Int], uncached: [Int])

    init(_ plan: Plan) {
        block = plan.blockLength * plan.questionsAtOnce
        period = plan.periodSeconds
        laterPeriod = plan.laterPeriodSeconds
        warmup = Double(plan.warmupRounds) * plan.warmupPeriodSeconds
        counted = plan.members(inRound: 1)
        warmed = plan.members(inRound: 0)
    }
}
