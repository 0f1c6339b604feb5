package import Central
package import Samples
package import Store

/// What was measured, as it was recorded: under the names that its places wrote, of the resolvers
/// and origins that a `Store.Window` wants.
package protocol RecordedHistory: SumSource {
    /// When the first query of samples files left, and the last: these are read whole unless a
    /// window is asked for. `nil` of stores.
    var span: ClosedRange<Timestamp>? { get }

    /// Sentences on the places that could not be read and are left out, harmless for a terminal.
    var unreadPlaces: [String] { get }

    /// When the first sample left, and the last, by what the rounds were measured for; none of
    /// samples files.
    func spans() throws -> [Run.Origin: ClosedRange<Timestamp>]

    /// In the order in which they began at each place.
    func runs() throws -> [StoredRun]

    /// The names that were ever asked for.
    func names() throws -> [String]

    func vantages() throws -> [String]

    /// The targets that were ever asked, in the order in which they came.
    func targets() throws -> [Recording.Target]

    /// The same with the places that asked them.
    func targetsByPlace() throws -> [(vantage: String, Recording.Target)]

    func rounds(_ window: Store.Window) throws -> [RoundMoment]

    /// Hands over samples in pieces that fit into memory, and sums, as ``SampleSource`` does. Returns
    /// the part of an hour of which nothing is known, and the hours of which there were only sums.
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

/// A history that stores tell.
package protocol StoredHistory: RecordedHistory {
    /// The stores, as far as a window is wanted of them.
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

    /// The stores with what rounds refer to, of all time.
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
            case .samples: .samples
            case .hours: .hours
            case .days: .days
            }
        let plan = try stores(window.times, detail)
            .read(window, exact: grain == .samples, samples: samples, rollup: sum)
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
