import HeapModule

/// Deadlines, the earliest first. Entries are never taken out early; the owner knows by the token
/// whether one still matters.
struct TimerHeap {
    struct Entry: Comparable {
        /// Nanoseconds of CLOCK_MONOTONIC.
        var deadline: Int64
        var token: WaitToken
        /// The news for the wait.
        var wake = Wake.deadline
        /// How long the process had stood still when the time began to run; `nil` where that is no
        /// reason to wait longer.
        var stood: Int64?

        static func < (one: Entry, other: Entry) -> Bool { one.deadline < other.deadline }
    }

    private var entries = Heap<Entry>()

    var earliest: Int64? { entries.min?.deadline }
    mutating func insert(_ entry: Entry) { entries.insert(entry) }

    /// Takes the earliest entry if its deadline is not after `now`. What waits for the process to have
    /// run so long is put off by the time in which that has `stood` still since.
    mutating func removeDue(at now: Int64, stood: Int64 = 0) -> Entry? {
        while let earliest, earliest <= now {
            var due = entries.removeMin()
            guard let before = due.stood, stood > before else { return due }
            due.deadline += stood - before
            due.stood = stood
            insert(due)
        }
        return nil
    }
}
