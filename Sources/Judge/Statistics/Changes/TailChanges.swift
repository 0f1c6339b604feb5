/// Finds when a resolver's slow answers alone became slower or faster, hour by hour: what happens to
/// a third of the names hardly moves the median.
///
/// A rise is found where more than a fifth of the answers take longer than the p90 that is expected,
/// twice as many as did. A fall is the same seen backwards: a fifth of the answers were expected to
/// take longer than nine tenths of them take now. So whatever is found to begin is found to end, and
/// one answer in ten that is a miss some hours and not in others, which throws the p90 to and fro, is
/// neither.
struct TailChanges {
    /// The largest share that the answers above the p90 may be, and the quantile of which so many
    /// are above.
    private static let most = 0.2
    private static let p80 = 1 - most
    private static let p90 = 0.9
    /// The most that one hour counts: with more a bad evening of six hours would be a lasting change,
    /// while the median takes fifteen hours at least.
    private static let greatest = 2 * most
    /// Below this the p90 of an hour is its slowest answer.
    private static let leastAnswers = 10

    private var high: HourlyLevels
    /// The levels of the p80, which a fall is held against.
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
            // Hours count here, not answers: where few are above already, fewer of them tell little.
            let isBelow = now + ChangeDetector.band(around: now) < least.value
            times.fall.observe(isBelow ? 1 : 0)
            guard let (isRise, evidence) = times.takeAlarm(),
                let start = high.begin(upTo: index, evidence: evidence)
            else { continue }
            low.begin(at: start, upTo: index)
            found.append((isRise ? .slowerTail : .fasterTail, start, index))
        }
    }

    /// These with the `changes` of the median, each told once. What moves both is a change of the median
    /// where that moved most of the way, or was found first; else of the p90, since one that was told
    /// when a third of the names became slower is not news again when the median has crept after it.
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
    /// Whether it moved further in its direction than the dead-band around the lower level.
    fileprivate var exceedsBand: Bool {
        (kind.isForTheWorse ? size : -size) > ChangeDetector.band(around: min(before, after))
    }
}
