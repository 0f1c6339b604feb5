import LibC

/// The best step and the best drifts through a resolver's values. Their scores are compared.
///
/// A score is 2 ln of the likelihood, without a common constant and less a penalty for additional parameters.
struct LevelShapes: Sendable {
    private static let leastBlocks = 4
    /// The minimum number of blocks for two steps.
    private static let leastBlocksOfStairs = 8
    /// The minimum number of blocks of a drift before its end, and of the level after it.
    private static let leastBlocksOfPart = 5
    /// Every end is tried for a drift up to this number of blocks. Beyond it, ends are skipped evenly.
    private static let endsTried = 28

    /// The score of the best step.
    let step: Double
    /// The score of the best two steps; `nil` if they were not asked for.
    let stairs: Double?
    /// The best level with a slope that lasts to the last hour.
    let drift: DriftFit
    /// The best level with a slope and a level after it; `nil` with fewer than 60 hours.
    let endedDrift: DriftFit?

    /// Finds the shapes of `values` in milliseconds, at ascending `hours`; `nil` with fewer than 24 of them.
    /// `variancePerHour` is the long-run variance of one hour. Two steps are tried with `includingStairs`.
    init?(hours: [Int], values: [Double], variancePerHour: Double, includingStairs: Bool = false) {
        let blocks = DriftBlocks(hours: hours, values: values)
        let count = blocks.count
        guard count >= Self.leastBlocks else { return nil }
        let variance = variancePerHour / Double(DriftBlocks.hoursPerBlock)
        let penalty = log(Double(count)) + 2
        step = -blocks.residualsOfStep() / variance
        let isLong = includingStairs && count >= Self.leastBlocksOfStairs
        stairs = isLong ? -blocks.residualsOfTwoSteps() / variance - penalty : nil
        drift = blocks.fit(Self.bestDrift(blocks), variance: variance, penalty: 0)
        endedDrift = Self.bestEndedDrift(blocks).map {
            blocks.fit($0, variance: variance, penalty: penalty)
        }
    }

    /// The drift with the higher score.
    var bestDrift: DriftFit {
        guard let endedDrift, endedDrift.score > drift.score else { return drift }
        return endedDrift
    }

    private static func bestDrift(_ blocks: DriftBlocks) -> ClosedRange<Int> {
        let last = blocks.count - 1
        var (best, start) = (-Double.infinity, 0)
        for first in 0..<(blocks.count - leastBlocks + 1) {
            let explained = blocks.explained(by: first...last)
            if explained > best { (best, start) = (explained, first) }
        }
        return start...last
    }

    private static func bestEndedDrift(_ blocks: DriftBlocks) -> ClosedRange<Int>? {
        let latest = blocks.count - leastBlocksOfPart
        let step = max(1, blocks.count / endsTried)
        var (best, range) = (-Double.infinity, ClosedRange<Int>?.none)
        for first in 0..<max(0, latest - leastBlocksOfPart + 1) {
            for last in stride(from: first + leastBlocksOfPart, to: latest, by: step) {
                let explained = blocks.explained(by: first...last)
                if explained > best { (best, range) = (explained, first...last) }
            }
        }
        return range
    }
}

/// A level that rises or falls steadily from an hour on.
struct DriftFit: Hashable, Sendable {
    /// 2 ln of the likelihood, less the penalty.
    var score: Double
    /// The first hour of the slope.
    var start: Int
    /// The first hour of the level after the slope; `nil` if the slope lasts to the last hour.
    var end: Int?
    /// The levels before and after the slope, in milliseconds.
    var before: Double
    var after: Double
    /// The change per hour in milliseconds, and its standard error.
    var rate: Double
    var rateError: Double

    var size: Double { after - before }
}
