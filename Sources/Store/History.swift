package import Samples

/// How a window was read: from samples, or whole hours from rollups with samples at the edges.
package struct HistoryCoverage: Hashable, Sendable {
    /// What the rollups stand for, whole hours in UTC; `nil` where samples tell all.
    package var hours: Range<Timestamp>?
    /// A part of an hour at the window's beginning of which samples are no longer kept.
    package var lost: Range<Timestamp>?
    /// Hours of which two stores have some rounds in common and no samples, so that the rollups of
    /// the first count alone.
    package var unmergedHours = 0

    package init() {}
}

extension Store {
    /// Up to this length a window is read from samples.
    package static let longestExactWindow = Duration.seconds(8 * 86_400)

    /// The samples of a window that are still kept, in the order of sending.
    package func recording(_ window: Window = Window()) throws(StoreError) -> Recording {
        try read { database in
            var recording = Recording(runs: [], targets: [], questions: [])
            var pieces = 0
            try RecordingReader.read(window, database, isWanted: { _ in true }) { piece in
                recording.merge(piece)
                pieces += 1
            }
            // Rounds may overlap where two pieces meet.
            if pieces > 1 { recording.sortBySending() }
            return recording
        }
    }

    /// The rollups of the hours that begin in a window, in their order.
    package func rollups(_ window: Window = Window()) throws(StoreError) -> [HourlySum] {
        var rollups: [HourlySum] = []
        try forEachRollup(window) { rollups.append($0) }
        return rollups
    }

    /// Hands the rollups of the hours that begin in a window to `body`, in their order: for
    /// windows whose rollups need not be in memory at once.
    package func forEachRollup(
        _ window: Window = Window(),
        _ body: (HourlySum) throws -> Void
    ) throws(StoreError) {
        try read { database in
            let start = window.since?.hourNumberRoundedUp ?? .min
            let end = window.until?.hourNumberRoundedUp ?? .max
            guard start < end else { return }
            try RollupReader(window, database).read(start..<end, body)
        }
    }
}
