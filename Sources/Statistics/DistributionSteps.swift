#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

extension EmpiricalDistribution {
    /// Where the cumulative curve rises: from `milliseconds` on, `share` of the queries (0 to 1)
    /// were answered.
    package struct Step: Hashable, Sendable {
        package var milliseconds: Double
        package var share: Double

        package init(milliseconds: Double, share: Double) {
            self.milliseconds = milliseconds
            self.share = share
        }
    }

    /// The cumulative curve as at most `limit` steps (at least 2), ascending; the first and the last
    /// one are always among them.
    ///
    /// A step is left out while it lies nearer than 2/(limit − 2) to the last one kept, along the
    /// two axes together, each taken as 1 long: that is how far the drawn curve can be off.
    /// `logarithmic` measures the axis of times by its logarithm.
    package func steps(limit: Int, logarithmic: Bool = false) -> [Step] {
        guard let first = answers.first, let last = answers.last else { return [] }
        let scale = { (value: Double) in
            logarithmic ? log(max(value, .leastNormalMagnitude)) : value
        }
        let width = scale(last) - scale(first)
        let nearest = 2 / Double(max(1, limit - 2))
        var steps: [Step] = []
        var kept = (position: -Double.infinity, share: 0.0)
        for (index, value) in answers.enumerated() {
            let isLast = index == answers.count - 1
            // Equal answers are one step, at the share of the last of them.
            if !isLast && answers[index + 1] == value { continue }
            let share = Double(index + 1) / Double(count)
            let position = width > 0 ? (scale(value) - scale(first)) / width : 0
            let distance = position - kept.position + share - kept.share
            guard isLast || distance >= nearest || limit >= answers.count else { continue }
            steps.append(Step(milliseconds: value, share: share))
            kept = (position, share)
        }
        if steps.count > max(2, limit) { steps.remove(at: steps.count - 2) }
        return steps
    }
}
