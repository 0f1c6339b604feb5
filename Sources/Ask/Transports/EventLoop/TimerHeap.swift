import HeapModule

/// Deadlines, the earliest first. Entries are never removed early. The owner recognises outdated entries by
/// their token.
struct TimerHeap {
    struct Entry: Comparable {
        /// The deadline in nanoseconds of CLOCK_MONOTONIC.
        var deadline: Int64
        var token: WaitToken
        /// The reason that the wait receives.
        var wake = Wake.deadline
        /// The total suspended time of the process when the timer started. `nil` if suspended time does not
        /// extend the wait.
        var stood: Int64?
        /// How often the entry was postponed.
        var postponements = 0

        static func < (one: Entry, other: Entry) -> Bool { one.deadline < other.deadline }
    }

    private var entries = Heap<Entry>()

    /// A busy machine wakes the process so late that each wait looks like a suspension. Without a limit, an
    /// exchange on such a machine would never end.
    static let mostPostponements = 8

    var earliest: Int64? { entries.min?.deadline }
    mutating func insert(_ entry: Entry) { entries.insert(entry) }

    /// Removes and returns the earliest entry if its deadline is not after `now`. An entry with a `stood`
    /// value is postponed by the time that the process has been suspended since, at most
    /// ``mostPostponements`` times.
    mutating func removeDue(at now: Int64, stood: Int64 = 0) -> Entry? {
        while let earliest, earliest <= now {
            var due = entries.removeMin()
            guard let before = due.stood, stood > before,
                due.postponements < Self.mostPostponements
            else { return due }
            due.deadline += stood - before
            due.stood = stood
            due.postponements += 1
            insert(due)
        }
        return nil
    }
}
