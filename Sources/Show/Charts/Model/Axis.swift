import LibC

/// A range of values with ticks at round values. The unit is the unit of the values.
package struct Axis: Hashable, Sendable {
    var isLogarithmic = false
    let lower: Double
    let upper: Double
    let ticks: [Double]

    /// The position of `value` on the axis, from 0 to 1. Values outside the range get the nearer end.
    package func position(_ value: Double) -> Double {
        let share =
            isLogarithmic
            ? log10(max(value, lower) / lower) / log10(upper / lower)
            : (value - lower) / (upper - lower)
        return share.isNaN ? 0 : min(max(share, 0), 1)
    }

    /// The value at a position on the axis, from 0 to 1.
    func value(_ position: Double) -> Double {
        isLogarithmic
            ? lower * pow(upper / lower, position) : lower + position * (upper - lower)
    }

    func label(_ tick: Double) -> String { DecimalText.trimmed(tick, places: 4) }

    var durationTitle: String {
        isLogarithmic ? "query time (ms, logarithmic axis)" : "query time (ms)"
    }

    /// The accepted range of query times, in milliseconds: 1 ns to one day. The limits keep the ticks finite.
    static let credible = 1e-6...86_400_000.0

    /// An axis for query times in milliseconds. It is linear from 0 unless one slow value would compress the
    /// others: it becomes logarithmic where the largest of `values` exceeds `room` times the median of
    /// `typical`.
    package static func durations(
        _ values: some Sequence<Double>,
        typical: [Double],
        tickCount: Int,
        room: Double = 10
    ) -> Axis {
        // One pass: the values can be millions.
        var (largest, smallest, isAboveZero) = (credible.lowerBound, Double.infinity, false)
        for value in values where value.isFinite && value >= 0 {
            largest = max(largest, min(value, credible.upperBound))
            if value >= credible.lowerBound { smallest = min(smallest, value) }
            isAboveZero = isAboveZero || value > 0
        }
        guard let middle = typical.filter({ $0.isFinite && $0 > 0 }).middle, largest > room * middle
        else { return linear(to: isAboveZero ? largest : 1, tickCount: tickCount) }
        return logarithmic(from: min(smallest, largest), to: largest, tickCount: tickCount + 2)
    }

    /// An axis from 0 to the first round tick at or above `largest`.
    static func linear(to largest: Double, tickCount: Int) -> Axis {
        let step = roundNumber(atLeast: largest / Double(max(tickCount, 1)))
        let steps = max(1, (largest / step - 1e-9).rounded(.up))
        let ticks = (0...Int(min(steps, 1000))).map { Double($0) * step }
        return Axis(lower: 0, upper: steps * step, ticks: ticks)
    }

    /// A logarithmic axis between the round numbers around `smallest` and `largest`, both > 0. It has at most
    /// nine decades, so that an outlier does not compress the other values.
    static func logarithmic(from smallest: Double, to largest: Double, tickCount: Int) -> Axis {
        var upper = roundNumber(atLeast: largest)
        var lower = max(roundNumber(atMost: smallest), upper * 1e-9)
        if upper / lower < 2 - 1e-9 {
            lower = roundNumber(atMost: lower * 0.6)
            upper = roundNumber(atLeast: upper * 1.6)
        }
        let inside = (lower * (1 - 1e-9))...(upper * (1 + 1e-9))
        func ticks(_ leading: [Double], every stride: Int) -> [Double] {
            powers(leading, from: lower, to: upper, every: stride).filter(inside.contains)
        }
        let choices = [ticks([1, 2, 5], every: 1), ticks([1], every: 1)]
        let fitting = choices.first { $0.count <= max(tickCount, 2) } ?? ticks([1], every: 2)
        return Axis(
            isLogarithmic: true,
            lower: lower,
            upper: upper,
            ticks: fitting.count < 2 ? [lower, upper] : fitting
        )
    }

    /// Products of the `leading` digits and powers of ten, in ascending order. They start at or below `lower`
    /// and end above `upper`.
    static func powers(
        _ leading: [Double],
        from lower: Double,
        to upper: Double,
        every stride: Int = 1
    ) -> [Double] {
        let decades = Int(log10(lower).rounded(.down))...Int(log10(upper).rounded(.up))
        return decades.filter { $0 % stride == 0 }
            .flatMap { decade in leading.map { $0 * pow(10, Double(decade)) } }
    }

    /// An axis for whole numbers (rounds), exactly from `first` to `last`.
    static func counting(from first: Double, to last: Double, tickCount: Int) -> Axis {
        let lower = min(first, last)
        let upper = max(first, last, lower + 1)
        let step = max(1, roundNumber(atLeast: (upper - lower) / Double(max(tickCount, 1))))
        let start = (lower / step).rounded(.up) * step
        let ticks = (0...max(tickCount, 1)).map { start + Double($0) * step }
            .filter { $0 <= upper }
        return Axis(lower: lower, upper: upper, ticks: ticks)
    }

    /// The smallest of 1, 2, 5 × 10ᵏ that is at least `value`. Returns 1 if `value` is not positive.
    static func roundNumber(atLeast value: Double) -> Double {
        guard value > 0, value.isFinite else { return 1 }
        let power = pow(10, log10(value).rounded(.down))
        return [1, 2, 5].map { $0 * power }.first { $0 >= value * (1 - 1e-9) } ?? 10 * power
    }

    /// The largest of 1, 2, 5 × 10ᵏ that is at most `value`. Returns 1 if `value` is not positive.
    static func roundNumber(atMost value: Double) -> Double {
        guard value > 0, value.isFinite else { return 1 }
        let power = pow(10, log10(value).rounded(.down))
        return [5, 2, 1].map { $0 * power }.first { $0 <= value * (1 + 1e-9) } ?? power
    }
}
