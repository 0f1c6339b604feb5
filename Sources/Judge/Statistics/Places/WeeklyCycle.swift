/// The difference of each hour of the week from the same hour of the neighbouring days, if it recurs every
/// week.
struct WeeklyCycle {
    /// The minimum number of weeks that have an hour.
    private static let leastWeeks = 3
    /// The number of days before and after a day. Together they are the rest of its week.
    private static let reach = 3
    /// The minimum excess in milliseconds, and as a share of the usual value. A smaller excess is attributed
    /// to chance.
    private static let leastExcess = 1.0
    private static let relativeExcess = 0.05

    /// The excess in milliseconds for each hour of the week.
    private let excesses: [Double]

    /// Creates the cycle from hours with answers, each once, and one quantile per hour in `quantiles`, in
    /// milliseconds.
    init(of blocks: [HourlyBlock], quantiles: [Double]) {
        let byHour = Dictionary(uniqueKeysWithValues: zip(blocks.map(\.hour), quantiles))
        var found = [[(excess: Double, usual: Double)]](repeating: [], count: 168)
        for (block, own) in zip(blocks, quantiles) {
            let around = (-Self.reach...Self.reach).filter { $0 != 0 }
                .compactMap { byHour[block.hour + $0 * 24] }
            guard around.count >= Self.reach, let usual = around.median else { continue }
            found[block.hourOfWeek].append((own - usual, usual))
        }
        let hours = found.map { $0.count >= Self.leastWeeks ? $0 : [] }
        guard hours.contains(where: { !$0.isEmpty }) else {
            excesses = Array(repeating: 0, count: hours.count)
            return
        }
        excesses = hours.indices.map { hour in
            // Two hours on either side are included, so that a single hour cannot create a cycle by chance.
            let near = (-2...2).flatMap { hours[(hour + $0 + 168) % 168] }
            guard let excess = near.map(\.excess).median, let usual = near.map(\.usual).median,
                abs(excess) >= max(Self.leastExcess, Self.relativeExcess * usual)
            else { return 0 }
            return excess
        }
    }

    /// Returns the usual excess of the hour over the same hour of other days, in milliseconds.
    func excess(at block: HourlyBlock) -> Double { excesses[block.hourOfWeek] }
}
