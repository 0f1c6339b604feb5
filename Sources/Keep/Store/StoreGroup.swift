import SQLite
package import Samples

/// Several stores that are read as one. They are read in turn, so that their number has no limit. A round
/// that several of them have counts once.
package struct StoreGroup: Sendable {
    package let stores: [Store]
    /// Whether the stores have only sums, except for the hours at both ends.
    private let isSummed: Bool

    package init(_ stores: [Store], isSummed: Bool = false) {
        self.stores = stores
        self.isSummed = isSummed
    }

    package init(paths: [String]) throws(StoreError) {
        self.init(
            try paths.map { path throws(StoreError) in try Store(path: path, access: .readOnly) }
        )
    }

    /// Passes the content of a window to `samples` and `rollup`, and returns the way it was read.
    ///
    /// A window of up to 8 days with at most 4 million samples is read from samples. The same holds for any
    /// window if `exact` is true. Other windows are read from rollups of whole hours, and from samples around
    /// them. Hours with pruned samples are always read from rollups. Samples come in pieces that fit into
    /// memory, for each store in the order of sending.
    ///
    /// If `readsSums` is false, all samples that are left are read instead, and the plan tells which hours may
    /// lack others. Such an hour has samples if a round ended after it, or if the clock was set back.
    package func read(
        _ window: Store.Window,
        exact: Bool = false,
        readsSums: Bool = true,
        samples: (Recording) throws -> Void,
        rollup: (HourlySum) throws -> Void
    ) throws(StoreError) -> HistoryPlan {
        var extent = HistoryExtent()
        var count = 0
        var pruned: [Int64?] = []
        for store in stores {
            let (own, more) = try store.read { database in
                (try HistoryExtent(database), try database.samples(in: window))
            }
            extent.merge(own)
            pruned.append(own.pruned)
            // Limits the number, whatever a file contains.
            count =
                min(count, Store.mostExactSamples)
                + max(0, min(more, Store.mostExactSamples + 1))
        }
        let isMuch = isSummed || count > Store.mostExactSamples
        let plan = HistoryPlan(window, exact: exact, isMuch: isMuch, extent)
        var seen: Set<RoundName> = []
        for (store, hour) in zip(stores, pruned) {
            try store.read { database in
                // Samples that the plan includes may have been pruned since then.
                guard try database.integer("SELECT hour FROM pruning") == hour else {
                    throw StoreError.prunedMeanwhile(store.path)
                }
                // A round that an earlier store also has would count twice.
                let all = stores.count > 1 ? try database.rounds(window) : []
                let rounds = readsSums ? all : all.filter { !$0.row.isPruned }
                let shared = seen.intersection(rounds.lazy.map(\.name))
                seen.formUnion(rounds.lazy.map(\.name))
                for window in readsSums ? plan.exactWindows : [window] {
                    try RecordingReader.read(
                        window,
                        database,
                        isWanted: { !shared.contains($0) },
                        samples
                    )
                }
                guard readsSums, let hours = plan.hourNumbers else { return }
                let apart = SharedHours(rounds, shared, within: hours)
                guard !apart.own.contains(where: \.row.isPruned) else {
                    throw StoreError.inseparable(
                        "the stores '\(stores[0].path)' and '\(store.path)' cannot be read as one",
                        "report on each alone"
                    )
                }
                try RollupReader(window, database).read(hours) {
                    if !apart.hours.contains($0.hour.hourNumber) { try rollup($0) }
                }
                for own in try apart.rollups(window, database) { try rollup(own) }
            }
        }
        return plan
    }

    /// The start times of the rounds of a window, for each store in order.
    package func moments(_ window: Store.Window = .init()) throws(StoreError) -> [RoundMoment] {
        var moments: [RoundMoment] = []
        var known: Set<RoundName> = []
        for store in stores {
            moments += try store.read { database -> [RoundMoment] in
                guard stores.count > 1 else { return try database.moments(window) }
                return try database.rounds(window).filter { known.insert($0.name).inserted }
                    .map { round in
                        RoundMoment(
                            vantage: round.run.vantage,
                            started: round.round.started,
                            marks: round.round.marks,
                            origin: round.run.origin
                        )
                    }
            }
        }
        return moments
    }

    /// The sites from which the resolvers of a window answered, in samples that are still stored.
    package func sites(_ window: Store.Window = .init()) throws -> [AnsweringSites] {
        try stores.flatMap { try $0.sites(window) }.merged
    }

    /// The causes of changes in a window, as found when the changes were established.
    package func causes(_ window: Store.Window) throws -> [EstablishedCause] {
        try stores.flatMap { try $0.causes(window) }
    }

    /// The traces of a window.
    package func traces(_ window: Store.Window) throws -> [KeptTrace] {
        try stores.flatMap { try $0.traces(window) }
    }
}

extension Database {
    /// The number of samples in the rounds of a window.
    fileprivate func samples(in window: Store.Window) throws -> Int {
        try first(
            "SELECT \(Store.sum("samples")) FROM round WHERE start < ? AND stop >= ?",
            window.bounds
        ) { try $0.count(0) } ?? 0
    }
}

/// The hours of a store with rounds that an earlier store also has. The store's rollups would count these
/// rounds again.
private struct SharedHours {
    /// The hours as ranges, because a round may claim to overlap all of time.
    let hours: RangeSet<Int64>
    /// The rounds that overlap these hours and that no earlier store has.
    let own: [StoredRound]

    init(_ rounds: [StoredRound], _ shared: Set<RoundName>, within range: Range<Int64>) {
        let known = rounds.filter { shared.contains($0.name) && $0.hours.overlaps(range) }
        hours = RangeSet(known.map { Range($0.hours).clamped(to: range) })
        // Both are sorted by their start.
        var rest = hours.ranges[...]
        own = rounds.filter { round in
            rest = rest.drop { $0.upperBound <= round.hours.lowerBound }
            guard let next = rest.first, !shared.contains(round.name) else { return false }
            return next.lowerBound <= round.hours.upperBound
        }
    }

    /// The sums of the store's own rounds in these hours.
    func rollups(_ window: Store.Window, _ database: Database) throws -> [HourlySum] {
        guard let first = hours.ranges.first, let last = hours.ranges.last else { return [] }
        let span = window.between(
            Timestamp(hourNumber: first.lowerBound),
            Timestamp(hourNumber: last.upperBound)
        )
        var builder = RollupBuilder()
        for round in own where round.round.isCounted {
            var reader = try RecordingReader(span, database)
            try reader.add(round)
            builder.add(reader.recording, of: round.run, isWanted: hours.contains)
        }
        return builder.rollups
    }
}
