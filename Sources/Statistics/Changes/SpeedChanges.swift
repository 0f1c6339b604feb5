/// Finds when a resolver became slower or faster, hour by hour.
struct SpeedChanges {
    /// How much on either side of a change tells its size: more would add the drift of days.
    private static let sizeHours = 4 * 24

    /// Hours with answers, ascending, and their medians but for the course of the week.
    private let blocks: [HourlyBlock]
    private let medians: [Double]
    private let week: WeeklyCourse
    /// The median expected of each hour; `nil` without enough earlier hours.
    private var references: [Double?]
    /// The levels that the medians belong to, each from its first hour's index on.
    private var levels: [(start: Int, offset: Double)] = [(0, 0)]
    private var found: [FoundChange] = []

    init(_ blocks: [HourlyBlock]) {
        let answered = blocks.filter { $0.median != nil }
        let found = answered.compactMap(\.median)
        let week = WeeklyCourse(of: answered, medians: found)
        self.blocks = answered
        self.week = week
        medians = zip(answered, found).map { $1 - week.excess(at: $0) }
        references = answered.map { _ in nil }
        watch()
    }

    var judgedHours: Int { references.count { $0 != nil } }

    private mutating func watch() {
        var times = DetectorPair()
        for index in blocks.indices {
            guard let reference = reference(of: index) else { continue }
            references[index] = reference
            let band = ChangeDetector.band(around: reference)
            let usual = reference + week.excess(at: blocks[index])
            times.rise.observe(blocks[index].share(slowerThan: usual + band))
            times.fall.observe(blocks[index].share(fasterThan: usual - band))
            guard let (isRise, evidence) = times.takeAlarm() else { continue }
            note(isRise ? .slower : .faster, at: index, evidence: evidence)
        }
    }

    /// The median of the same hour of the days before, at the present level.
    private func reference(of index: Int) -> Double? {
        let oldest = blocks[index].hour - ChangeDetector.referenceHours
        let first = blocks.partitioningIndex { $0.hour >= oldest }
        let hours = (first..<index).filter { blocks[$0].hourOfDay == blocks[index].hourOfDay }
        let same = hours.map { medians[$0] - offset(of: $0) }
        guard same.count >= ChangeDetector.leastDays, let level = same.median else { return nil }
        return level + offset(of: index)
    }

    private func offset(of index: Int) -> Double { levels.last { $0.start <= index }?.offset ?? 0 }

    /// Begins a new level where the evidence is best divided.
    private mutating func note(_ kind: LevelChange.Kind, at alarm: Int, evidence: Int) {
        let judged = residuals(upTo: alarm)
        guard let step = judged.suffix(max(1, evidence)).map(\.residual).median else { return }
        // An hour counts for the new level as far as it has gone there, and no further.
        let first = judged.indices.startOfLargestSum { position in
            step == 0 ? 0 : min(max(judged[position].residual / step, 0), 1) - 0.5
        }
        let start = (first.map { judged[$0] } ?? judged.last)?.index ?? 0
        let after = judged.filter { $0.index >= start }.map(\.residual)
        let size = after.median ?? step
        levels.append((start, offset(of: alarm) + size))
        found.append((kind, start, alarm))
    }

    /// How far the hours of the present level, of the last 14 days, were from what was expected.
    private func residuals(upTo alarm: Int) -> [(index: Int, residual: Double)] {
        let first = found.isEmpty ? 0 : (levels.last?.start ?? 0) + 1
        return (first..<(alarm + 1)).compactMap { index in
            guard blocks[alarm].hour - blocks[index].hour <= ChangeDetector.referenceHours,
                let reference = references[index]
            else { return nil }
            return (index, medians[index] - reference)
        }
    }

    /// The changes with their sizes, from the days on both sides of each.
    var changes: [LevelChange] {
        blocks.sides(of: found, reach: Self.sizeHours).compactMap { change, before, after in
            guard let old = medians[before].median, let new = medians[after].median else {
                return nil
            }
            let differences = (0..<24).flatMap { hourOfDay in
                let old = before.filter { blocks[$0].hourOfDay == hourOfDay }
                let new = after.filter { blocks[$0].hourOfDay == hourOfDay }
                return zip(old, new).map { medians[$1] - medians[$0] }
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
