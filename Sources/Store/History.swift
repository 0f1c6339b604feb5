public import Measurement

/// What a store, or several, have of a window: samples, or the rollups of whole hours with samples
/// at the edges.
public struct History: Sendable {
    /// The exact part: of the whole window, or of what lies outside ``hours``.
    public var recording = Recording(runs: [], targets: [], questions: [])
    /// The rest, hour by hour.
    public var rollups: [Rollup] = []
    /// What the rollups stand for, whole hours in UTC; `nil` where samples tell all.
    public var hours: Range<Timestamp>?
    /// A part of an hour at the window's beginning of which samples are no longer kept.
    public var lost: Range<Timestamp>?
    /// Hours of which two stores have some rounds in common and no samples, so that the rollups of
    /// the first count alone.
    public var unmergedHours = 0

    public init() {}
}

extension Store {
    /// Up to this length a window is read from samples.
    public static let longestExactWindow = Duration.seconds(8 * 86_400)

    /// What is kept of a window: samples where it is up to 8 days long, or `exact`; else whole
    /// hours from rollups, and where samples were pruned always.
    public func history(_ window: Window, exact: Bool = false) throws(StoreError) -> History {
        try StoreGroup([self]).history(window, exact: exact)
    }

    /// The samples of a window that are still kept, in the order of sending.
    public func recording(_ window: Window = Window()) throws(StoreError) -> Recording {
        try read { try RecordingReader.read(window, $0) { _ in true } }
    }

    /// The rollups of the hours that begin in a window, in their order.
    public func rollups(_ window: Window = Window()) throws(StoreError) -> [Rollup] {
        var rollups: [Rollup] = []
        try forEachRollup(window) { rollups.append($0) }
        return rollups
    }

    /// Hands the rollups of the hours that begin in a window to `body`, in their order: for
    /// windows whose rollups need not be in memory at once.
    public func forEachRollup(
        _ window: Window = Window(),
        _ body: (Rollup) throws -> Void
    ) throws(StoreError) {
        try read { database in
            let start = window.since?.hourNumberRoundedUp ?? .min
            let end = window.until?.hourNumberRoundedUp ?? .max
            guard start < end else { return }
            try RollupReader(window, database).read(start..<end, body)
        }
    }
}
