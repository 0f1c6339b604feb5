/// The levels of one quantile of a resolver's hours: the expected value of each hour, and the hours at which
/// new levels begin.
struct HourlyLevels {
    /// The number of hours on either side of a change that determine its size. More hours would add the drift
    /// of days.
    private static let sizeHours = 4 * 24

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

    var judgedHours: Int { references.count { $0 != nil } }

    /// Returns the expected value of an hour and the dead-band around it; `nil` without enough earlier hours.
    mutating func expect(at index: Int) -> (value: Double, band: Double)? {
        guard let reference = reference(of: index) else { return nil }
        references[index] = reference
        return (reference + week.excess(at: blocks[index]), ChangeDetector.band(around: reference))
    }

    /// Returns the median of the same hour on earlier days, at the current level.
    private func reference(of index: Int) -> Double? {
        let oldest = blocks[index].hour - ChangeDetector.referenceHours
        let alike = alike[blocks[index].hourOfDay]
        let first = alike.partitioningIndex { blocks[$0].hour >= oldest }
        let same = alike[first..<alike.partitioningIndex { $0 >= index }]
            .map { values[$0] - offset(of: $0) }
        guard same.count >= ChangeDetector.leastDays, let level = same.median else { return nil }
        return level + offset(of: index)
    }

    private func offset(of index: Int) -> Double { levels.last { $0.start <= index }?.offset ?? 0 }

    /// Begins a new level where the evidence, of `evidence` hours up to the alarm, is best divided. Returns
    /// the index of the level's first hour.
    mutating func begin(upTo alarm: Int, evidence: Int) -> Int? {
        let judged = residuals(upTo: alarm)
        guard let step = judged.suffix(max(1, evidence)).map(\.residual).median else { return nil }
        // An hour counts for the new level in proportion to its step, limited to the whole step.
        let first = judged.indices.startOfLargestSum { position in
            step == 0 ? 0 : min(max(judged[position].residual / step, 0), 1) - 0.5
        }
        let start = (first.map { judged[$0] } ?? judged.last)?.index ?? 0
        begin(at: start, upTo: alarm)
        return start
    }

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
            guard blocks[alarm].hour - blocks[index].hour <= ChangeDetector.referenceHours,
                let reference = references[index]
            else { return nil }
            return (index, values[index] - reference)
        }
    }

    /// Returns the changes with their sizes, from the days on both sides of each.
    func changes(_ found: [FoundChange]) -> [LevelChange] {
        blocks.sides(of: found, reach: Self.sizeHours).compactMap { change, before, after in
            guard let old = values[before].median, let new = values[after].median else {
                return nil
            }
            let differences = (0..<24).flatMap { hourOfDay in
                let old = before.filter { blocks[$0].hourOfDay == hourOfDay }
                let new = after.filter { blocks[$0].hourOfDay == hourOfDay }
                return zip(old, new).map { values[$1] - values[$0] }
            }
            let interval = QuantileInterval.ofMedian(differences)
            let size = differences.interquartileMean ?? new - old
            return LevelChange(
                kind: change.kind,
                hour: blocks[change.start].hour,
                establishedHour: blocks[change.alarm].hour,
                before: old,
                after: new,
                size: interval.map { min(max(size, $0.lowerBound), $0.upperBound) } ?? size,
                interval: interval
            )
        }
    }
}
