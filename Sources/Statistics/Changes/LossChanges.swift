/// Finds when a resolver began to lose more queries, or fewer, hour by hour.
struct LossChanges {
    private let detector: ChangeDetector
    /// Ascending.
    private let blocks: [HourlyBlock]
    /// Queries and losses of the hours before each index, summed up.
    private let measured: [Int]
    private let lost: [Int]
    private(set) var judgedHours = 0
    private var found: [(kind: LevelChange.Kind, start: Int, alarm: Int)] = []

    /// The most that one hour can count, as a multiple of what it may lose: an outage of a few
    /// hours is no change.
    private static let greatest = 2.0

    init(_ blocks: [HourlyBlock], _ detector: ChangeDetector) {
        self.detector = detector
        self.blocks = blocks
        measured = blocks.reduce(into: [0]) { $0.append(($0.last ?? 0) + $1.measured) }
        lost = blocks.reduce(into: [0]) { $0.append(($0.last ?? 0) + $1.lost) }
        watch()
    }

    private mutating func watch() {
        var shares = DetectorPair()
        for index in blocks.indices {
            guard let reference = reference(of: index) else { continue }
            judgedHours += 1
            let band = detector.lossBand(of: reference)
            let share = Double(blocks[index].lost) / Double(blocks[index].measured)
            shares.rise.observe(Self.ratio(share, to: reference + band))
            if reference > band {
                shares.fall.observe(Self.ratio(1 - share, to: 1 - reference + band))
            }
            guard let (isRise, evidence) = shares.takeAlarm() else { continue }
            let kind: LevelChange.Kind = isRise ? .lessReliable : .moreReliable
            note(kind, at: index, evidence: evidence, reference: reference)
        }
    }

    /// A share whose mean is at most `mean` as one whose mean is at most ½.
    private static func ratio(_ share: Double, to mean: Double) -> Double {
        mean > 0 ? min(greatest, share / (2 * mean)) : 0
    }

    /// The share lost in the hours before at the present level, of the last 14 days; `nil` where
    /// that is less than three days before the first change.
    private func reference(of index: Int) -> Double? {
        let oldest = blocks[index].hour - detector.referenceHours
        let first = max(found.last?.start ?? 0, blocks.partitioningIndex { $0.hour >= oldest })
        guard index > first, !found.isEmpty || index - first >= detector.leastDays * 24 else {
            return nil
        }
        return share(first..<index)
    }

    private func share(_ range: Range<Int>) -> Double? {
        let queries = measured[range.upperBound] - measured[range.lowerBound]
        guard queries > 0 else { return nil }
        return Double(lost[range.upperBound] - lost[range.lowerBound]) / Double(queries)
    }

    /// Begins a new level at the hour from which on most was lost beyond halfway between both.
    private mutating func note(
        _ kind: LevelChange.Kind,
        at alarm: Int,
        evidence: Int,
        reference: Double
    ) {
        let first = (found.last?.start ?? 0) + 1
        let likely = max(first, alarm + 1 - max(1, evidence))
        guard let level = share(likely..<(alarm + 1)) else { return }
        let direction: Double = kind == .lessReliable ? 1 : -1
        let start = (first...alarm).startOfLargestSum { index in
            let halfway = Double(blocks[index].measured) * (reference + level) / 2
            return direction * (Double(blocks[index].lost) - halfway)
        }
        found.append((kind, start ?? alarm, alarm))
    }

    /// The changes with the shares lost on both sides of each, up to the next one or 14 days.
    var changes: [LevelChange] {
        found.indices.compactMap { number in
            let change = found[number]
            let hour = blocks[change.start].hour
            let oldest = blocks.partitioningIndex { $0.hour >= hour - detector.referenceHours }
            let newest = blocks.partitioningIndex { $0.hour >= hour + detector.referenceHours }
            let earliest = max(oldest, number > 0 ? found[number - 1].start : 0)
            let latest = min(newest, number + 1 < found.count ? found[number + 1].start : newest)
            guard earliest < change.start, change.start < latest,
                let before = share(earliest..<change.start),
                let after = share(change.start..<latest)
            else { return nil }
            return LevelChange(
                kind: change.kind,
                hour: hour,
                establishedHour: blocks[change.alarm].hour,
                before: before,
                after: after,
                size: after - before,
                interval: nil
            )
        }
    }
}
