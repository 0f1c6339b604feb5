/// Finds when a resolver began to lose more queries, or fewer, hour by hour.
struct LossChanges {
    /// The dead-band of the share lost, and as a share of the reference: the larger counts.
    private static let leastBand = 0.01
    private static let relativeBand = 0.25
    /// The most that one hour can count, as a multiple of what it may lose: an outage of a few
    /// hours is no change.
    private static let greatest = 4.0

    /// Ascending.
    private let blocks: [HourlyBlock]
    /// Queries and losses of the hours before each index, summed up.
    private let measured: [Int]
    private let lost: [Int]
    private(set) var judgedHours = 0
    private var found: [FoundChange] = []

    init(_ blocks: [HourlyBlock]) {
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
            let band = max(Self.leastBand, Self.relativeBand * reference)
            let share = Double(blocks[index].lost) / Double(blocks[index].measured)
            let (most, least) = (reference + band, 1 - reference + band)
            shares.rise.observe(min(share, Self.greatest * most), mean: most)
            if reference > band {
                shares.fall.observe(min(1 - share, Self.greatest * least), mean: least)
            }
            guard let (isRise, evidence) = shares.takeAlarm() else { continue }
            let kind: LevelChange.Kind = isRise ? .lessReliable : .moreReliable
            note(kind, at: index, evidence: evidence, reference: reference)
        }
    }

    /// The share lost in the hours before at the present level, of the last 14 days; `nil` where
    /// that is less than three days before the first change.
    private func reference(of index: Int) -> Double? {
        let oldest = blocks[index].hour - ChangeDetector.referenceHours
        let first = max(found.last?.start ?? 0, blocks.partitioningIndex { $0.hour >= oldest })
        let least = found.isEmpty ? ChangeDetector.leastDays * 24 : 1
        return index - first >= least ? share(first..<index) : nil
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
        blocks.sides(of: found, reach: ChangeDetector.referenceHours).compactMap { side in
            let change = side.change
            guard let before = share(side.before), let after = share(side.after) else { return nil }
            return LevelChange(
                kind: change.kind,
                hour: blocks[change.start].hour,
                establishedHour: blocks[change.alarm].hour,
                before: before,
                after: after,
                size: after - before,
                interval: nil
            )
        }
    }
}
