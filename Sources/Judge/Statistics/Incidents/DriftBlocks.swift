/// The medians of blocks of six hours, to which steps and slopes are fitted. Single slow hours have little
/// effect on a median.
///
/// Running sums give the residuals of each candidate in constant time. A month has thousands of candidates.
struct DriftBlocks: Sendable {
    static let hoursPerBlock = 6

    /// The hour in which each block begins.
    private let hours: [Int]
    /// The middle of each block, in hours since the first block's middle.
    private var times: [Double] = []
    /// The medians, less their mean. Large levels would cost digits.
    private var medians: [Double] = []
    private var mean = 0.0
    /// The sums before each block, and of all blocks, of times, medians and their products.
    private var sums: [Sums] = [Sums()]

    private struct Sums {
        var time = 0.0
        var value = 0.0
        var timeSquare = 0.0
        var product = 0.0
        var valueSquare = 0.0

        mutating func add(_ time: Double, _ value: Double) {
            self.time += time
            self.value += value
            timeSquare += time * time
            product += time * value
            valueSquare += value * value
        }
    }

    /// Creates the blocks of ascending hours with values in milliseconds. An incomplete last block is
    /// ignored.
    init(hours: [Int], values: [Double]) {
        let size = Self.hoursPerBlock
        let count = hours.count / size
        self.hours = (0..<count).map { hours[$0 * size] }
        guard let origin = hours.first else { return }
        var room: [Double] = []
        for block in 0..<count {
            let range = (block * size)..<((block + 1) * size)
            let offsets = range.reduce(0) { $0 + hours[$1] - origin }
            times.append(Double(offsets) / Double(size))
            room.removeAll(keepingCapacity: true)
            room += values[range]
            medians.append(room.selectMedian() ?? 0)
        }
        mean = medians.reduce(0, +) / Double(max(1, count))
        sums.reserveCapacity(count + 1)
        for block in 0..<count {
            medians[block] -= mean
            sums.append(sums[block])
            sums[block + 1].add(times[block], medians[block])
        }
    }

    var count: Int { hours.count }

    /// Returns the sum of squared residuals of the best step.
    func residualsOfStep() -> Double {
        var best = Double.infinity
        for first in 1..<max(1, count) {
            best = min(best, residuals(0..<first) + residuals(first..<count))
        }
        return best
    }

    /// Returns the sum of squared residuals of the best two steps, with two blocks at least per level.
    func residualsOfTwoSteps() -> Double {
        var best = Double.infinity
        for first in 2..<max(2, count - 2) {
            let before = residuals(0..<first)
            for second in (first + 2)..<max(first + 2, count - 2) {
                let rest = residuals(first..<second) + residuals(second..<count)
                best = min(best, before + rest)
            }
        }
        return best
    }

    /// Returns the sum of squared differences of these blocks from their mean.
    private func residuals(_ range: Range<Int>) -> Double {
        let (from, to) = (sums[range.lowerBound], sums[range.upperBound])
        let value = to.value - from.value
        return to.valueSquare - from.valueSquare - value * value / Double(range.count)
    }

    /// Returns by how much a slope from the first to the last block of `range` decreases the sum of squared
    /// differences from the mean. The levels before and after the slope are constant.
    func explained(by range: ClosedRange<Int>) -> Double {
        let (first, last) = (range.lowerBound, range.upperBound)
        let (from, to) = (sums[first + 1], sums[last + 1])
        let start = times[first]
        let (inside, after) = (Double(last - first), Double(count - 1 - last))
        let rise = times[last] - start
        let time = to.time - from.time
        let sum = time - inside * start + after * rise
        let squares =
            to.timeSquare - from.timeSquare - 2 * start * time + inside * start * start
            + after * rise * rise
        let product =
            to.product - from.product - start * (to.value - from.value)
            + rise * (sums[count].value - to.value)
        let spread = squares - sum * sum / Double(count)
        return spread > 0 ? product * product / spread : -.infinity
    }

    /// Returns the least-squares fit of a slope from the first to the last block of `range`. `variance` is
    /// the variance of one block.
    func fit(_ range: ClosedRange<Int>, variance: Double, penalty: Double) -> DriftFit {
        let (start, end) = (times[range.lowerBound], times[range.upperBound])
        let offsets = times.map { min(max($0, start), end) - start }
        let centre = offsets.reduce(0, +) / Double(count)
        var (spread, product) = (0.0, 0.0)
        for (offset, value) in zip(offsets, medians) {
            spread += (offset - centre) * (offset - centre)
            product += (offset - centre) * value
        }
        let rate = product / spread
        let residuals = zip(offsets, medians).reduce(0) { sum, block in
            let residual = block.1 - rate * (block.0 - centre)
            return sum + residual * residual
        }
        let before = mean - rate * centre
        return DriftFit(
            score: -residuals / variance - penalty,
            start: hours[range.lowerBound],
            end: range.upperBound == count - 1 ? nil : hours[range.upperBound],
            before: before,
            after: before + rate * (end - start),
            rate: rate,
            rateError: (variance / spread).squareRoot()
        )
    }
}
