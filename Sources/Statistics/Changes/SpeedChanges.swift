/// Finds when a resolver became slower or faster, hour by hour.
struct SpeedChanges {
    private let detector: ChangeDetector
    /// Hours with answers, ascending, and their medians.
    private let blocks: [HourlyBlock]
    private let medians: [Double]
    /// The median expected of each hour; `nil` without enough earlier hours.
    private var references: [Double?]
    /// The levels that the medians belong to, each from its first hour's index on.
    private var levels: [(start: Int, offset: Double)] = [(0, 0)]
    private var found: [(kind: LevelChange.Kind, start: Int, alarm: Int)] = []

    init(_ blocks: [HourlyBlock], _ detector: ChangeDetector) {
        let answered = blocks.filter { $0.median != nil }
        self.detector = detector
        self.blocks = answered
        medians = answered.compactMap(\.median)
        references = answered.map { _ in nil }
        watch()
    }

    var judgedHours: Int { references.count { $0 != nil } }

    /// Watches both directions from the first hour to the last; each change begins both anew.
    private mutating func watch() {
        var times = DetectorPair()
        for index in blocks.indices {
            guard let reference = reference(of: index) else { continue }
            references[index] = reference
            let band = detector.deadBand(of: reference)
            times.rise.observe(blocks[index].share(slowerThan: reference + band))
            times.fall.observe(blocks[index].share(fasterThan: reference - band))
            guard let (isRise, evidence) = times.takeAlarm() else { continue }
            note(isRise ? .slower : .faster, at: index, evidence: evidence)
        }
    }

    /// The median of the same hour of the days before, at the present level.
    private func reference(of index: Int) -> Double? {
        var same: [Double] = []
        var earlier = index - 1
        while earlier >= 0, blocks[index].hour - blocks[earlier].hour <= detector.referenceHours {
            if blocks[earlier].hourOfDay == blocks[index].hourOfDay {
                same.append(medians[earlier] - offset(of: earlier))
            }
            earlier -= 1
        }
        guard same.count >= detector.leastDays, let level = same.median else { return nil }
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
            guard blocks[alarm].hour - blocks[index].hour <= detector.referenceHours,
                let reference = references[index]
            else { return nil }
            return (index, medians[index] - reference)
        }
    }

    // MARK: - Sizes

    /// The changes with their sizes, from the days on both sides of each.
    var changes: [LevelChange] {
        found.indices.compactMap { number in
            let change = found[number]
            let earliest = number > 0 ? found[number - 1].start : 0
            let latest = number + 1 < found.count ? found[number + 1].start : blocks.count
            let hour = blocks[change.start].hour
            let before = (earliest..<change.start).filter {
                hour - blocks[$0].hour <= detector.sizeHours
            }
            let after = (change.start..<latest).filter {
                blocks[$0].hour - hour < detector.sizeHours
            }
            return sized(change, before: before, after: after)
        }
    }

    private func sized(
        _ change: (kind: LevelChange.Kind, start: Int, alarm: Int),
        before: [Int],
        after: [Int]
    ) -> LevelChange? {
        let differences = (0..<24).flatMap { hourOfDay in
            let old = before.filter { blocks[$0].hourOfDay == hourOfDay }
            let new = after.filter { blocks[$0].hourOfDay == hourOfDay }
            return zip(old, new).map { medians[$1] - medians[$0] }
        }
        guard let old = before.map({ medians[$0] }).median,
            let new = after.map({ medians[$0] }).median
        else { return nil }
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
