import Samples
import Store

/// The samples and hourly sums of a window, which are read at once.
struct History {
    var recording = Recording(runs: [], targets: [], questions: [])
    var rollups: [HourlySum] = []
    /// The hours that the hourly sums cover, and the lost part of the window, as in ``HistoryPlan``.
    var hours: Range<Timestamp>?
    var lost: Range<Timestamp>?
}

extension StoreGroup {
    func history(_ window: Store.Window, exact: Bool = false) throws -> History {
        var history = History()
        let plan = try read(
            window,
            exact: exact,
            samples: { history.recording.merge($0) },
            rollup: { history.rollups.append($0) }
        )
        (history.hours, history.lost) = (plan.hours, plan.lost)
        history.recording.sortBySending()
        return history
    }
}

extension Store {
    /// Returns the rollups of the hours that begin in a window, in order.
    func rollups(_ window: Window = Window()) throws(StoreError) -> [HourlySum] {
        var rollups: [HourlySum] = []
        try forEachRollup(window) { rollups.append($0) }
        return rollups
    }

    func importSamples(_ stream: inout SamplesStream) throws -> ImportResult {
        var result = ImportResult()
        try importSamples(&stream, counting: &result)
        return result
    }

    func history(_ window: Store.Window, exact: Bool = false) throws -> History {
        try StoreGroup([self]).history(window, exact: exact)
    }
}
