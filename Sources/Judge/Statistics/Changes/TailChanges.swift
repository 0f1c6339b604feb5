/// Finds when only a resolver's slow answers became slower or faster, hour by hour. A change of a third of
/// the names hardly moves the median.
///
/// A rise is found if more than a fifth of the answers take longer than the expected p90, which is twice the
/// expected share. A fall is the same test in reverse: a fifth of the answers were expected to take longer
/// than nine tenths of them take now. A change that was found to begin is therefore also found to end. If one
/// answer in ten is a miss in some hours only, the p90 fluctuates, but neither test is met.
struct TailChanges {
    /// The maximum share of answers above the expected p90, and the quantile that leaves this share above.
    private static let most = 0.2
    private static let p80 = 1 - most
    private static let p90 = 0.9
    /// The maximum weight of one hour. With more, a bad evening of six hours would be a lasting change,
    /// although the median takes at least fifteen hours.
    private static let greatest = 2 * most
    /// The minimum number of answers. With fewer, the p90 of an hour is its slowest answer.
    private static let leastAnswers = 10

    private var high: HourlyLevels
    /// The levels of the p80, with which a fall is compared.
    private var low: HourlyLevels
    private(set) var times = DetectorPair()
    private(set) var found: [FoundChange] = []

    init(_ blocks: [HourlyBlock]) {
        let enough = blocks.filter { $0.answered >= Self.leastAnswers }
        high = HourlyLevels(enough, quantile: Self.p90)
        low = HourlyLevels(enough, quantile: Self.p80)
        watch()
    }

    private mutating func watch() {
        for (index, block) in high.blocks.enumerated() {
            guard let (usual, band) = high.expect(at: index), let least = low.expect(at: index),
                let now = block.quantile(Self.p90)
            else { continue }
            let slow = block.share(slowerThan: usual + band)
            times.rise.observe(min(slow, Self.greatest), mean: Self.most)
            // Hours are counted here, not answers. If few answers are already above, fewer of them are weak
            // evidence.
            let isBelow = now + ChangeDetector.band(around: now) < least.value
            times.fall.observe(isBelow ? 1 : 0)
            guard let (isRise, evidence) = times.takeAlarm(),
                let start = high.begin(upTo: index, evidence: evidence)
            else { continue }
            low.begin(at: start, upTo: index)
            found.append((isRise ? .slowerTail : .fasterTail, start, index))
        }
    }

    /// Returns these changes together with the `changes` of the median, each once.
    ///
    /// A change of both is reported as a change of the median if the median moved most of the way or was
    /// found first. Otherwise it is a change of the p90. A change that was reported when a third of the names
    /// became slower is not reported again when the median slowly follows.
    func merged(with changes: [LevelChange]) -> [LevelChange] {
        guard !found.isEmpty else { return changes }
        var all = changes
        let medians = HourlyLevels(high.blocks, quantile: 0.5).changes(found)
        for (var change, median) in zip(high.changes(found), medians) {
            let isOfMost = median.exceedsBand && abs(median.size) > abs(change.size) / 2
            func isSame(_ other: LevelChange) -> Bool {
                other.kind.measure == .median
                    && other.kind.isForTheWorse == change.kind.isForTheWorse
                    && abs(other.hour - change.hour) <= ChangeDetector.sameChangeHours
            }
            let isLate = all.contains { isSame($0) && $0.establishedHour <= change.establishedHour }
            guard change.exceedsBand, !isOfMost, !isLate else { continue }
            all.removeAll(where: isSame)
            change.medianMoved = median.size
            all.append(change)
        }
        return all
    }
}

extension LevelChange {
    /// Whether the level moved in its direction by more than the dead-band around the lower level.
    fileprivate var exceedsBand: Bool {
        (kind.isForTheWorse ? size : -size) > ChangeDetector.band(around: min(before, after))
    }
}
