package import Central
package import Samples
package import Store

/// The measurements as they were recorded, under the names that the places wrote. A `Store.Window` selects
/// the resolvers and origins.
package protocol RecordedHistory: SumSource {
    /// The times of the first and the last query of samples files. Files are read completely unless the user
    /// selects a window. `nil` for stores.
    var span: ClosedRange<Timestamp>? { get }

    /// Sentences about places that could not be read and are left out, escaped for a terminal.
    var unreadPlaces: [String] { get }

    /// The times of the first and the last sample, by the origin of the rounds; empty for samples files.
    func spans() throws -> [Run.Origin: ClosedRange<Timestamp>]

    /// The runs, in the order of their start at each place.
    func runs() throws -> [StoredRun]

    /// All names that were ever queried.
    func names() throws -> [String]

    func vantages() throws -> [String]

    /// All targets that were ever queried, in the order of their first appearance.
    func targets() throws -> [Recording.Target]

    /// The same targets, with the places that queried them.
    func targetsByPlace() throws -> [(vantage: String, Recording.Target)]

    func rounds(_ window: Store.Window) throws -> [RoundMoment]

    /// Passes samples to `samples` in pieces that fit into memory, and hourly sums to `sum`, like
    /// ``SampleSource``. Returns the part of an hour without data, and the hours that had only sums.
    func read(
        _ window: Store.Window,
        by grain: HistoryGrain,
        samples: (Recording) throws -> Void,
        sum: (HourlySum) throws -> Void
    ) throws -> (lost: Range<Timestamp>?, hours: Range<Timestamp>?)

    func sites(_ window: Store.Window) throws -> [AnsweringSites]
    func causes(_ window: Store.Window) throws -> [EstablishedCause]
    func traces(_ window: Store.Window) throws -> [KeptTrace]
}

extension RecordedHistory {
    package var unreadPlaces: [String] { [] }

    package func lastQuery(origins: Set<Run.Origin>) throws -> Timestamp? {
        try spans().filter { origins.contains($0.key) }.values.map(\.upperBound).max()
    }
}

/// A history in stores.
package protocol StoredHistory: RecordedHistory {
    /// The stores, with at least the data of a window.
    func stores(
        _ window: Range<Timestamp>,
        _ detail: CentralHistory.Detail
    ) throws -> StoreGroup
}

extension StoredHistory {
    package var span: ClosedRange<Timestamp>? { nil }

    package func runs() throws -> [StoredRun] {
        try stores(CentralReader.always, .rounds).stores.flatMap { try $0.runs() }
    }

    /// The stores of all time, with the data that rounds refer to.
    private func named() throws -> StoreGroup { try stores(CentralReader.always, .names) }

    package func names() throws -> [String] { try named().stores.flatMap { try $0.names() } }

    package func vantages() throws -> [String] {
        try named().stores.flatMap { try $0.vantages() }
    }

    package func targets() throws -> [Recording.Target] {
        try named().stores.flatMap { try $0.targets() }
    }

    package func targetsByPlace() throws -> [(vantage: String, Recording.Target)] {
        try named().stores.flatMap { try $0.targetsByPlace() }
    }

    package func read(
        _ window: Store.Window,
        by grain: HistoryGrain,
        samples: (Recording) throws -> Void,
        sum: (HourlySum) throws -> Void
    ) throws -> (lost: Range<Timestamp>?, hours: Range<Timestamp>?) {
        let detail: CentralHistory.Detail =
            switch grain {
            case .samples, .onlySamples: .samples
            case .hours: .hours
            case .days: .days
            }
        let plan = try stores(window.times, detail)
            .read(
                window,
                exact: grain == .samples || grain == .onlySamples,
                readsSums: grain != .onlySamples,
                samples: samples,
                rollup: sum
            )
        return (plan.lost, plan.hours)
    }

    package func causes(_ window: Store.Window) throws -> [EstablishedCause] {
        try named().causes(window)
    }

    package func traces(_ window: Store.Window) throws -> [KeptTrace] {
        try named().traces(window)
    }

    package func forEachSum(
        since: Timestamp?,
        origins: Set<Run.Origin>,
        _ body: (HourlySum) throws -> Void
    ) throws {
        let window = (since ?? CentralReader.always.lowerBound)..<CentralReader.always.upperBound
        for store in try stores(window, since == nil ? .days : .hours).stores {
            try store.forEachSum(since: since, origins: origins, body)
        }
    }
}

extension Store.Window {
    var times: Range<Timestamp> { since..<until }
}
