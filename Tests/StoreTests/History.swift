import Samples
import Store

/// What was read of a window, all at once.
struct History {
    var recording = Recording(runs: [], targets: [], questions: [])
    var rollups: [HourlySum] = []
    var coverage = HistoryCoverage()
}

extension StoreGroup {
    func history(_ window: Store.Window, exact: Bool = false) throws -> History {
        var history = History()
        let coverage = try read(
            window,
            exact: exact,
            samples: { history.recording.merge($0) },
            rollup: { history.rollups.append($0) }
        )
        history.coverage = coverage
        history.recording.sortBySending()
        return history
    }
}

extension Store {
    func importSamples(_ stream: inout SamplesStream) throws -> ImportResult {
        var result = ImportResult()
        try importSamples(&stream, counting: &result)
        return result
    }

    func history(_ window: Store.Window, exact: Bool = false) throws -> History {
        try StoreGroup([self]).history(window, exact: exact)
    }
}
