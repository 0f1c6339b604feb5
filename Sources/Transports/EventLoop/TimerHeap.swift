/// Deadlines, the earliest first: a binary heap. Entries are never taken out early; the owner
/// knows by the token whether one still matters.
struct TimerHeap {
    struct Entry {
        /// Nanoseconds of CLOCK_MONOTONIC.
        var deadline: Int64
        var token: WaitToken
        /// The news for the wait.
        var wake = Wake.deadline
        /// How long the process had stood still when the time began to run; `nil` where that is no
        /// reason to wait longer.
        var stood: Int64?
    }

    private var entries: [Entry] = []

    var earliest: Int64? { entries.first?.deadline }

    mutating func insert(_ entry: Entry) {
        var child = entries.count
        entries.append(entry)
        while child > 0 {
            let parent = (child - 1) / 2
            guard entry.deadline < entries[parent].deadline else { break }
            entries[child] = entries[parent]
            child = parent
        }
        entries[child] = entry
    }

    /// Takes the earliest entry if its deadline is not after `now`. What waits for the process to have
    /// run so long is put off by the time in which that has `stood` still since.
    mutating func removeDue(at now: Int64, stood: Int64 = 0) -> Entry? {
        while let due = removeEarliest(at: now) {
            guard let before = due.stood, stood > before else { return due }
            var later = due
            later.deadline += stood - before
            later.stood = stood
            insert(later)
        }
        return nil
    }

    private mutating func removeEarliest(at now: Int64) -> Entry? {
        guard let first = entries.first, first.deadline <= now, let last = entries.popLast() else {
            return nil
        }
        if !entries.isEmpty { sink(last) }
        return first
    }

    /// Puts `entry` in the place of the first and lets it sink to where it belongs.
    private mutating func sink(_ entry: Entry) {
        var parent = 0
        while true {
            var child = 2 * parent + 1
            guard child < entries.count else { break }
            if child + 1 < entries.count, entries[child + 1].deadline < entries[child].deadline {
                child += 1
            }
            guard entries[child].deadline < entry.deadline else { break }
            entries[parent] = entries[child]
            parent = child
        }
        entries[parent] = entry
    }
}
