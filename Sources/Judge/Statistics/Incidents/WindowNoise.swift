import LibC

/// The standard deviation of the mean of L hours, from the resolver's own windows of L hours, in
/// milliseconds.
///
/// Correlation between hours and heavy tails are therefore included. Noise of single hours would not include
/// them, and each slow wave would be an incident.
struct WindowNoise: Sendable {
    /// The lengths of the measured windows, in hours.
    private static let lengths = [1, 2, 4, 8, 24]
    /// A movement that takes days does not average out. The mean of more hours is not more certain.
    private static let longest = 96
    /// The smallest deviation in milliseconds. It prevents a division by zero.
    private static let least = 0.02
    /// The number of windows with the deviation `prior` that count as seen before.
    private static let priorWindows = 4.0
    /// The ratio of the standard deviation to the median of the absolute values, if values are normal.
    private static let normal = 1.4826

    /// The deviation of the mean of 1, 2, … hours, up to ``longest``.
    private let deviations: [Double]

    /// Creates the noise from residuals in milliseconds, in the order of their hours. `prior` is the
    /// deviation that is assumed before there are any.
    init(_ residuals: [Double], prior: Double) {
        var sums = [0.0]
        sums.reserveCapacity(residuals.count + 1)
        for residual in residuals { sums.append(sums[sums.count - 1] + residual) }
        var smallest = Double.infinity
        let measured = Self.lengths.map { length in
            smallest = min(smallest, max(Self.least, Self.deviation(sums, length, prior: prior)))
            return smallest
        }
        deviations = (1...Self.longest).map { Self.interpolated(measured, at: $0) }
    }

    /// Returns the standard deviation of the mean of `hours` hours.
    func deviation(over hours: Int) -> Double {
        deviations[min(max(hours, 1), Self.longest) - 1]
    }

    /// Returns the standard deviation of the difference of two means, of `hours` and `others` hours.
    func deviation(between hours: Int, and others: Int) -> Double {
        let (first, second) = (deviation(over: hours), deviation(over: others))
        return (first * first + second * second).squareRoot()
    }

    /// The long-run variance of one hour: the variance of a mean of n independent hours times n.
    var variancePerHour: Double {
        let day = deviation(over: 24)
        return day * day * 24
    }

    /// Returns the deviation of windows of `length` hours from the running `sums` of the residuals.
    private static func deviation(_ sums: [Double], _ length: Int, prior: Double) -> Double {
        let windows = Double((sums.count - 1) / length)
        guard windows >= 1 else { return prior }
        var means = (length..<sums.count).map {
            abs(sums[$0] - sums[$0 - length]) / Double(length)
        }
        let deviation = normal * (means.selectMedian() ?? 0)
        let squares = windows * deviation * deviation + priorWindows * prior * prior
        return (squares / (windows + priorWindows)).squareRoot()
    }

    /// Returns the deviation at a length between the measured ones, on a line between their logarithms.
    private static func interpolated(_ measured: [Double], at length: Int) -> Double {
        guard let next = lengths.firstIndex(where: { $0 > length }), next > 0 else {
            return measured[measured.count - 1] * (24 / Double(length)).squareRoot()
        }
        let (shorter, longer) = (log(Double(lengths[next - 1])), log(Double(lengths[next])))
        let (low, high) = (log(measured[next - 1]), log(measured[next]))
        let slope = (high - low) / (longer - shorter)
        return exp(low + slope * (log(Double(length)) - shorter))
    }
}
