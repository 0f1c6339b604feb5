/// The levels of one quantile of a resolver's hours: the expected value of each hour, and the hours at which
/// new levels begin.
struct HourlyLevels {
    /// The minimum number of earlier days with the same hour, to judge an hour.
    static let leastDays = 3

    /// The hours with answers, ascending, and their quantiles without the weekly cycle.
    let blocks: [HourlyBlock]
    private let values: [Double]
    private let week: WeeklyCycle
    /// The indices of each hour of the day, ascending.
    private let alike: [[Int]]
    /// The expected value of each hour; `nil` without enough earlier hours.
    private var references: [Double?]
    /// The levels of the values, each with the index of its first hour.
    private var levels: [(start: Int, offset: Double)] = [(0, 0)]

    init(_ blocks: [HourlyBlock], quantile p: Double) {
        let answered = blocks.filter { $0.answered > 0 }
        let found = answered.compactMap { $0.quantile(p) }
        let week = WeeklyCycle(of: answered, quantiles: found)
        self.blocks = answered
        self.week = week
        values = zip(answered, found).map { $1 - week.excess(at: $0) }
        references = answered.map { _ in nil }
        alike = answered.indices.reduce(into: [[Int]](repeating: [], count: 24)) { alike, index in
            alike[answered[index].hourOfDay].append(index)
        }
    }

    /// Returns the expected value of an hour and the dead-band around it; `nil` without enough earlier hours.
    mutating func expect(at index: Int) -> (value: Double, band: Double)? {
        guard let reference = reference(of: index) else { return nil }
        references[index] = reference
        return (reference + week.excess(at: blocks[index]), DeadBand.around(reference))
    }

    /// Returns the median of the same hour on earlier days, at the current level.
    private func reference(of index: Int) -> Double? {
        let oldest = blocks[index].hour - Incident.referenceHours
        let alike = alike[blocks[index].hourOfDay]
        let first = alike.partitioningIndex { blocks[$0].hour >= oldest }
        let same = alike[first..<alike.partitioningIndex { $0 >= index }]
            .map { values[$0] - offset(of: $0) }
        guard same.count >= Self.leastDays, let level = same.median else { return nil }
        return level + offset(of: index)
    }

    private func offset(of index: Int) -> Double { levels.last { $0.start <= index }?.offset ?? 0 }

    /// Begins a new level at an hour. Its distance from the level before is the median residual of the hours
    /// up to the alarm.
    mutating func begin(at start: Int, upTo alarm: Int) {
        let after = residuals(upTo: alarm).filter { $0.index >= start }
        guard let step = after.map(\.residual).median else { return }
        levels.append((start, offset(of: alarm) + step))
    }

    /// Returns the differences between observed and expected values, for the hours of the current level in
    /// the last 14 days.
    private func residuals(upTo alarm: Int) -> [(index: Int, residual: Double)] {
        let first = levels.count == 1 ? 0 : (levels.last?.start ?? 0) + 1
        return (first..<(alarm + 1)).compactMap { index in
            guard blocks[alarm].hour - blocks[index].hour <= Incident.referenceHours,
                let reference = references[index]
            else { return nil }
            return (index, values[index] - reference)
        }
    }
}
