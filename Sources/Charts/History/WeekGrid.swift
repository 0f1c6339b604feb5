import Statistics

/// Everything that was measured of one resolver, by weekday and hour of the day in local time.
struct WeekGrid: Hashable {
    /// Seven days, Monday first, of 24 hours; `nil` where nothing was measured.
    let cells: [[TimeBin?]]
    /// Whether there are bins that begin in one hour of local time and end in another.
    let isUneven: Bool

    /// Puts each bin into the cell of its middle.
    init(_ bins: [TimeBin], over scale: TimeScale) {
        var cells = [[TimeBin?]](repeating: [TimeBin?](repeating: nil, count: 24), count: 7)
        var isUneven = false
        for bin in bins where scale.shows(bin) {
            let (weekday, hour) = scale.place(bin.start + bin.length / 2)
            if cells[weekday][hour]?.merge(bin) == nil { cells[weekday][hour] = bin }
            isUneven = isUneven || scale.place(bin.start) != scale.place(bin.end - 1)
        }
        self.cells = cells
        self.isUneven = isUneven
    }

    var bins: [TimeBin] { cells.flatMap { $0.compactMap(\.self) } }

    /// Of the cells that have one, in milliseconds.
    var medians: [Double] { bins.compactMap { $0.latency.quantile(0.5) } }
}
