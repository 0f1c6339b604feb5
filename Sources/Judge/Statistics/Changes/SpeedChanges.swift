/// Finds when a resolver became slower or faster, hour by hour.
struct SpeedChanges {
    private var levels: HourlyLevels
    private var found: [FoundChange] = []

    init(_ blocks: [HourlyBlock]) {
        levels = HourlyLevels(blocks, quantile: 0.5)
        watch()
    }

    var judgedHours: Int { levels.judgedHours }

    private mutating func watch() {
        var times = DetectorPair()
        for (index, block) in levels.blocks.enumerated() {
            guard let (usual, band) = levels.expect(at: index) else { continue }
            times.rise.observe(block.share(slowerThan: usual + band))
            times.fall.observe(block.share(fasterThan: usual - band))
            guard let (isRise, evidence) = times.takeAlarm(),
                let start = levels.begin(upTo: index, evidence: evidence)
            else { continue }
            found.append((isRise ? .slower : .faster, start, index))
        }
    }

    var changes: [LevelChange] { levels.changes(found) }
}
