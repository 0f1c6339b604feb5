/// Finds when a share of a resolver's queries or names rose or fell, hour by hour.
struct ShareChanges {
    /// A part of a whole, and the kinds of its changes.
    struct Subject {
        let rise: LevelChange.Kind
        let fall: LevelChange.Kind
        let part: @Sendable (HourlyBlock) -> Int
        let whole: @Sendable (HourlyBlock) -> Int
        /// The dead-band of the share, absolute and relative to the reference. The larger one counts.
        let leastBand: Double
        let relativeBand: Double

        /// Failed queries.
        static let losses = Subject(
            rise: .lessReliable,
            fall: .moreReliable,
            part: \.failed,
            whole: \.measured,
            leastBand: 0.01,
            relativeBand: 0.25
        )

        /// Names that warm-ups found in the cache. A dead-band of a quarter of the smaller share, 10
        /// percentage points around 60 %, would miss half of the falls to 40 %. It would prevent few further
        /// false alarms.
        static let cache = Subject(
            rise: .moreCached,
            fall: .lessCached,
            part: \.warmups.hits,
            whole: \.warmups.count,
            leastBand: 0.05,
            relativeBand: 0
        )
    }

    /// The maximum weight of one hour, as a multiple of the permitted share. An outage of a few hours is
    /// therefore not a change.
    private static let greatest = 4.0

    private let subject: Subject
    /// The hours whose whole is not zero, ascending.
    private let blocks: [HourlyBlock]
    /// The cumulative sums of part and whole over the hours before each index.
    private let parts: [Int]
    private let wholes: [Int]
    private(set) var judgedHours = 0
    private var found: [FoundChange] = []

    init(_ subject: Subject, _ blocks: [HourlyBlock]) {
        let blocks = blocks.filter { subject.whole($0) > 0 }
        func sums(_ count: (HourlyBlock) -> Int) -> [Int] {
            blocks.reduce(into: [0]) { $0.append(($0.last ?? 0) + count($1)) }
        }
        self.subject = subject
        self.blocks = blocks
        parts = sums(subject.part)
        wholes = sums(subject.whole)
        watch()
    }

    private mutating func watch() {
        var shares = DetectorPair()
        for index in blocks.indices {
            guard let reference = reference(of: index), let share = share(index..<(index + 1))
            else { continue }
            judgedHours += 1
            let band = max(subject.leastBand, subject.relativeBand * reference)
            let (most, least) = (reference + band, 1 - reference + band)
            shares.rise.observe(min(share, Self.greatest * most), mean: most)
            if reference > band {
                shares.fall.observe(min(1 - share, Self.greatest * least), mean: least)
            }
            guard let (isRise, evidence) = shares.takeAlarm() else { continue }
            note(isRise: isRise, at: index, evidence: evidence, reference: reference)
        }
    }

    /// Returns the share over the earlier hours of the current level, within the last 14 days; `nil` if these
    /// are less than three days before the first change.
    private func reference(of index: Int) -> Double? {
        let oldest = blocks[index].hour - ChangeDetector.referenceHours
        let first = max(found.last?.start ?? 0, blocks.partitioningIndex { $0.hour >= oldest })
        let least = found.isEmpty ? ChangeDetector.leastDays * 24 : 1
        return index - first >= least ? share(first..<index) : nil
    }

    private func share(_ range: Range<Int>) -> Double? {
        let whole = wholes[range.upperBound] - wholes[range.lowerBound]
        guard whole > 0 else { return nil }
        return Double(parts[range.upperBound] - parts[range.lowerBound]) / Double(whole)
    }

    /// Begins a new level at the hour from which the largest part lies beyond the middle between both shares.
    private mutating func note(
        isRise: Bool,
        at alarm: Int,
        evidence: Int,
        reference: Double
    ) {
        let first = (found.last?.start ?? 0) + 1
        let likely = max(first, alarm + 1 - max(1, evidence))
        guard let level = share(likely..<(alarm + 1)) else { return }
        let direction: Double = isRise ? 1 : -1
        let start = (first...alarm).startOfLargestSum { index in
            let halfway = Double(subject.whole(blocks[index])) * (reference + level) / 2
            return direction * (Double(subject.part(blocks[index])) - halfway)
        }
        found.append((isRise ? subject.rise : subject.fall, start ?? alarm, alarm))
    }

    /// The changes with the shares on both sides of each, up to the next change or 14 days.
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
