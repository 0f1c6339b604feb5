import GRDB
package import Samples

/// Several stores read as one, each in turn, so that there is no limit to their number. A round
/// that more than one of them has counts once.
package struct StoreGroup: Sendable {
    package let stores: [Store]

    package init(_ stores: [Store]) { self.stores = stores }

    /// Opens every store to be read.
    package init(paths: [String]) throws(StoreError) {
        var stores: [Store] = []
        for path in paths { stores.append(try Store(path: path, access: .readOnly)) }
        self.stores = stores
    }

    /// Hands over what they have of a window: samples where it is up to 8 days long, or `exact`;
    /// else rollups of whole hours and the samples around, and where samples were pruned always.
    /// Samples come in pieces that fit into memory, of each store in the order of sending.
    package func read(
        _ window: Store.Window,
        exact: Bool = false,
        samples: (Recording) throws -> Void,
        rollup: (HourlySum) throws -> Void
    ) throws(StoreError) -> HistoryCoverage {
        var extent = HistoryExtent()
        for store in stores { extent.merge(try store.read { try HistoryExtent($0) }) }
        let plan = HistoryPlan(window, exact: exact, extent)
        var coverage = HistoryCoverage()
        coverage.hours = plan.hours.map {
            Timestamp(hourNumber: $0.lowerBound)..<Timestamp(hourNumber: $0.upperBound)
        }
        coverage.lost = plan.lost
        var seen = SeenRounds(isNeeded: stores.count > 1)
        for store in stores {
            try store.read { database in
                let shared = try seen.look(window, database)
                for window in plan.exactWindows {
                    try RecordingReader.read(
                        window,
                        database,
                        isWanted: { !shared.contains($0) },
                        samples
                    )
                }
                guard let hours = plan.hours else { return }
                let apart = try SharedHours(shared, within: hours, window, database)
                try RollupReader(window, database).read(hours) {
                    if !apart.hours.contains($0.hour.hourNumber) { try rollup($0) }
                }
                guard !apart.arePruned else {
                    throw StoreError.inseparable(
                        "the stores '\(stores[0].path)' and '\(store.path)' cannot be read as one",
                        "report on each alone"
                    )
                }
                for own in try apart.rollups(window, database) { try rollup(own) }
            }
        }
        return coverage
    }

    /// Hands the rounds of a window to `body`, of each store in the order of their start.
    package func forEachRoundMoment(
        _ window: Store.Window = .init(),
        _ body: (RoundMoment) throws -> Void
    ) throws(StoreError) {
        if stores.count == 1 { return try stores[0].forEachRoundMoment(window, body) }
        try forEachRound(window) { round in
            try body(
                RoundMoment(
                    vantage: round.run.vantage,
                    started: round.round.started,
                    marks: round.round.marks
                )
            )
        }
    }

    /// From which sites the resolvers of a window answered, as far as samples are still kept.
    package func sites(_ window: Store.Window = .init()) throws(StoreError) -> [AnsweringSites] {
        var found: [AnsweringSites] = []
        for store in stores {
            for sites in try store.sites(window) {
                let known = found.firstIndex {
                    $0.vantage == sites.vantage && $0.target == sites.target
                }
                if let known {
                    found[known].history.add(sites.history)
                } else {
                    found.append(sites)
                }
            }
        }
        return found
    }

    /// Hands the rounds of a window to `body`, store after store.
    package func forEachRound(
        _ window: Store.Window = .init(),
        _ body: (StoredRound) throws -> Void
    ) throws(StoreError) {
        var known: Set<RoundName> = []
        for store in stores {
            try store.forEachRound(window) { round in
                let name = RoundName(run: round.run.key, number: round.round.number)
                if stores.count == 1 || known.insert(name).inserted { try body(round) }
            }
        }
    }
}

/// What a round is called in every store.
struct RoundName: Hashable {
    var run: Run.Key
    var number: Int32
}

/// The rounds that earlier stores have given.
private struct SeenRounds {
    private var rounds: Set<RoundName> = []
    /// Whether a later store may have them too.
    let isNeeded: Bool

    init(isNeeded: Bool) { self.isNeeded = isNeeded }

    /// Takes the rounds of one more store, and returns those that were there before.
    mutating func look(_ window: Store.Window, _ database: Database) throws -> Set<RoundName> {
        guard isNeeded else { return [] }
        var shared: Set<RoundName> = []
        try RunTable.rounds(window, database) { _, entry, number in
            let name = RoundName(run: entry.run.key, number: number)
            if !rounds.insert(name).inserted { shared.insert(name) }
        }
        return shared
    }
}

/// The hours of a store that have rounds of an earlier one: its rollups would count them again.
private struct SharedHours {
    private(set) var hours: Set<Int64> = []
    /// Whether rounds that the store alone has in them are no longer kept as samples.
    private(set) var arePruned = false
    /// The rounds in such hours that no earlier store has.
    private var own: Set<RoundName> = []

    init(
        _ shared: Set<RoundName>,
        within range: Range<Int64>,
        _ window: Store.Window,
        _ database: Database
    ) throws {
        guard !shared.isEmpty else { return }
        var others: [(name: RoundName, hours: ClosedRange<Int64>, isPruned: Bool)] = []
        try RunTable.rounds(window, database) { row, entry, number in
            let name = RoundName(run: entry.run.key, number: number)
            let first = max(Timestamp(nanoseconds: row.start).hourNumber, range.lowerBound)
            let last = min(Timestamp(nanoseconds: row.stop).hourNumber, range.upperBound - 1)
            guard first <= last else { return }
            if shared.contains(name) {
                hours.formUnion(first...last)
            } else {
                others.append((name, first...last, row.isPruned))
            }
        }
        for other in others {
            guard hours.contains(where: other.hours.contains) else { continue }
            own.insert(other.name)
            if other.isPruned { arePruned = true }
        }
    }

    /// What the store's own rounds add up to in these hours.
    func rollups(_ window: Store.Window, _ database: Database) throws -> [HourlySum] {
        guard !own.isEmpty, let first = hours.min(), let last = hours.max() else { return [] }
        let span = window.between(
            Timestamp(hourNumber: first),
            Timestamp(hourNumber: last + 1)
        )
        var builder = RollupBuilder()
        try RunTable.rounds(span, database) { row, entry, number in
            let name = RoundName(run: entry.run.key, number: number)
            guard own.contains(name), !row.isPruned, row.marks.areCounted else { return }
            var reader = RecordingReader(span, database)
            let samples = try reader.samples(
                of: StoredPiece(row: row, entry: entry, number: number)
            )
            builder.add(samples, of: entry.run, targets: reader.targets, reader.questions) {
                hours.contains($0)
            }
        }
        return builder.rollups
    }
}
