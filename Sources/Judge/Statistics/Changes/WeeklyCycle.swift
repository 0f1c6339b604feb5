/// How far each hour of the week is from the same hour of the days around it, where that comes again
/// week after week.
struct WeeklyCycle {
    /// Fewest weeks that must have an hour.
    private static let leastWeeks = 3
    /// Days before and after, which have most of a week beside any day of it.
    private static let reach = 3
    /// In milliseconds, and as a share of what is usual: what is less is no cycle, but chance.
    private static let leastExcess = 1.0
    private static let relativeExcess = 0.05

    /// In milliseconds, by the hour of the week.
    private let excesses: [Double]

    /// Takes hours with answers, each once, and one of the `quantiles` of each, in milliseconds.
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
            // With two hours on either side, so that the chance of one hour is none.
            let near = (-2...2).flatMap { hours[(hour + $0 + 168) % 168] }
            guard let excess = near.map(\.excess).median, let usual = near.map(\.usual).median,
                abs(excess) >= max(Self.leastExcess, Self.relativeExcess * usual)
            else { return 0 }
            return excess
        }
    }

    /// Milliseconds that the hour usually has more than the same hour of other days.
    func excess(at block: HourlyBlock) -> Double { excesses[block.hourOfWeek] }
}
