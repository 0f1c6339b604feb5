/// The pace and the targets that all rounds of a plan have in common, worked out once: a run may have
/// thousands of rounds in a second.
struct RoundPattern {
    /// The time that the targets of one question take, or of those that are asked at once.
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
