/// The levels of one quantile of a resolver's hours: what is expected of each hour, and where a new
/// level begins.
struct HourlyLevels {
    /// How much on either side of a change tells its size: more would add the drift of days.
    private static let sizeHours = 4 * 24

    /// Hours with answers, ascending, and their quantiles but for the weekly cycle.
    let blocks: [HourlyBlock]
    private let values: [Double]
    private let week: WeeklyCycle
    /// The indices of each hour of the day, ascending.
    private let alike: [[Int]]
    /// The value expected of each hour; `nil` without enough earlier hours.
    private var references: [Double?]
    /// The levels that the values belong to, each from its first hour's index on.
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

    /// The value expected of an hour, and the dead-band around it; `nil` without enough earlier
    /// hours.
    mutating func expect(at index: Int) -> (value: Double, band: Double)? {
        guard let reference = reference(of: index) else { return nil }
        references[index] = reference
        return (reference + week.excess(at: blocks[index]), ChangeDetector.band(around: reference))
    }

    /// The median of the same hour of the days before, at the present level.
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

    /// Begins a new level where the evidence, of so many hours up to the alarm, is best divided; the
    /// index of its first hour.
    mutating func begin(upTo alarm: Int, evidence: Int) -> Int? {
        let judged = residuals(upTo: alarm)
        guard let step = judged.suffix(max(1, evidence)).map(\.residual).median else { return nil }
        // An hour counts for the new level as far as it has gone there, and no further.
        let first = judged.indices.startOfLargestSum { position in
            step == 0 ? 0 : min(max(judged[position].residual / step, 0), 1) - 0.5
        }
        let start = (first.map { judged[$0] } ?? judged.last)?.index ?? 0
        begin(at: start, upTo: alarm)
        return start
    }

    /// Begins a new level at an hour, as far from the one before as the hours up to the alarm are.
    mutating func begin(at start: Int, upTo alarm: Int) {
        let after = residuals(upTo: alarm).filter { $0.index >= start }
        guard let step = after.map(\.residual).median else { return }
        levels.append((start, offset(of: alarm) + step))
    }

    /// How far the hours of the present level, of the last 14 days, were from what was expected.
    private func residuals(upTo alarm: Int) -> [(index: Int, residual: Double)] {
        let first = levels.count == 1 ? 0 : (levels.last?.start ?? 0) + 1
        return (first..<(alarm + 1)).compactMap { index in
            guard blocks[alarm].hour - blocks[index].hour <= ChangeDetector.referenceHours,
                let reference = references[index]
            else { return nil }
            return (index, values[index] - reference)
        }
    }

    /// The changes with their sizes, from the days on both sides of each.
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
