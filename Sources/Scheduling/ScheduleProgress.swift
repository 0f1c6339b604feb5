/// What became of the slots since a schedule was installed.
///
/// Times are seconds since 1970 in UTC.
package struct ScheduleProgress: Hashable, Sendable {
    /// How many slots are over: those whose next one has come.
    package let slots: Int
    /// How many of them saw no round begin.
    package let missed: Int
    /// When the last round began; `nil` before the first.
    package let lastRound: Int64?
    /// The next slot.
    package let next: Int64

    /// `rounds` are the times at which rounds began, in any order; a round belongs to the last slot
    /// before it, since it begins up to the splay later.
    package init(grid: ScheduleGrid, installed: Int64, rounds: [Int64], now: Int64) {
        let begun = rounds.sorted()
        var slots = 0
        var missed = 0
        var index = 0
        var slot = grid.slot(after: installed)
        while true {
            let following = grid.slot(after: slot)
            guard following <= now else { break }
            while index < begun.count, begun[index] < slot { index += 1 }
            slots += 1
            if index == begun.count || begun[index] >= following { missed += 1 }
            slot = following
        }
        self.slots = slots
        self.missed = missed
        lastRound = begun.last
        next = grid.slot(after: now)
    }
}
