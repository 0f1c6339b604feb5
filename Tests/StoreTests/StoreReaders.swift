import Samples

@testable import Store

/// Runs all functions that read a store, or all functions that write to it.
enum StoreReaders {
    /// Returns the errors of all functions that read the store, in order. For most tests, it is sufficient
    /// that this function returns.
    static func errors(reading path: String) -> [StoreError] {
        var errors: [StoreError] = []
        func attempt(_ body: () throws(StoreError) -> Void) {
            do throws(StoreError) { try body() } catch { errors.append(error) }
        }
        let store: Store
        do throws(StoreError) { store = try Store(path: path, access: .readOnly) } catch {
            return [error]
        }
        let whole = Store.Window(includesMarked: true)
        attempt { () throws(StoreError) in _ = try store.info() }
        attempt { () throws(StoreError) in _ = try store.spans() }
        attempt { () throws(StoreError) in _ = try store.targets() }
        attempt { () throws(StoreError) in _ = try store.rounds() }
        attempt { () throws(StoreError) in _ = try StoreGroup([store]).moments() }
        attempt { () throws(StoreError) in
            let recording = try store.recording(whole)
            for sample in recording.samples {
                _ = sample.observation.time(in: recording.targets[Int(sample.target)].series)
            }
        }
        attempt { () throws(StoreError) in
            var counts = OutcomeCounts()
            for rollup in try store.rollups(whole) { counts.merge(rollup.counts) }
            _ = counts.sent
        }
        attempt { () throws(StoreError) in _ = try store.sites(whole) }
        attempt { () throws(StoreError) in _ = try store.noticeLog(from: "here") }
        attempt { () throws(StoreError) in _ = try store.traces(whole) }
        attempt { () throws(StoreError) in
            _ = try store.latestResponses(from: "here", count: 3)
        }
        attempt { () throws(StoreError) in
            _ = try store.prunable(olderThan: Simulation.start)
        }
        for exact in [true, false] {
            attempt { () throws(StoreError) in
                _ = try StoreGroup([store, store]).read(
                    whole,
                    exact: exact,
                    samples: { _ in },
                    rollup: { _ in }
                )
            }
        }
        return errors
    }

    /// Returns the errors of all functions that write to the store, or from the store to the store `other`.
    static func errors(writing path: String, _ other: String) -> [StoreError] {
        var errors: [StoreError] = []
        func attempt(_ body: () throws(StoreError) -> Void) {
            do throws(StoreError) { try body() } catch { errors.append(error) }
        }
        attempt { () throws(StoreError) in
            _ = try Store(path: other, durability: .off)
                .merge(from: Store(path: path, access: .readOnly))
        }
        attempt { () throws(StoreError) in
            let store = try Store(path: path, durability: .off)
            attempt { () throws(StoreError) in
                _ = try store.merge(from: Store(path: other, access: .readOnly))
            }
            attempt { () throws(StoreError) in
                _ = try store.prune(olderThan: Simulation.start.advanced(by: .seconds(86_400)))
            }
            try store.foldLog()
        }
        return errors
    }
}
