/// A source of measurements: stores or samples files.
package protocol SampleSource: Sendable {
    /// The starts of the rounds of a window, with their marks.
    func rounds(_ window: Range<Timestamp>) throws -> [RoundMoment]

    /// Reads the measurements of a window without marked rounds. Passes samples to `samples` in pieces that
    /// fit into memory, and hourly sums to `sum`. Returns the limits of the data.
    func read(
        _ window: Range<Timestamp>,
        by grain: HistoryGrain,
        samples: (Recording) throws -> Void,
        sum: (HourlySum) throws -> Void
    ) throws -> HistoryLimits

    /// Reads all samples of a window in pieces, including those of marked rounds. Returns the hours for which
    /// only sums exist.
    @discardableResult
    func readSamples(
        _ window: Range<Timestamp>,
        _ body: @escaping (Recording) throws -> Void
    ) throws -> Range<Timestamp>?

    /// The sites of the answers from each resolver in a window. They are available even if ``read`` returns
    /// sums.
    func sites(_ window: Range<Timestamp>) throws -> [AnsweringSites]

    /// The stored causes of changes in a window.
    func causes(_ window: Range<Timestamp>) throws -> [EstablishedCause]

    /// The paths to resolvers with problems that were traced in a window.
    func traces(_ window: Range<Timestamp>) throws -> [KeptTrace]

    /// A sentence with advice for a window without any data.
    func advice(_ window: Range<Timestamp>) throws -> String

    /// All targets of the selected resolvers that were ever queried, in the order of their first appearance.
    func targets() throws -> [Recording.Target]

    /// The labels of all resolvers that were ever queried, in the order of their first appearance. The labels
    /// are those that the places use. They include the resolvers that ``targets()`` leaves out.
    func everyLabel() throws -> [String]

    /// The places that ever measured.
    func vantages() throws -> Set<String>

    /// Sentences about places that could not be read and are left out, escaped for a terminal.
    var unreadPlaces: [String] { get }

    /// The same source, limited to resolvers with one of `labels`.
    func limited(to labels: Set<String>) -> any SampleSource

    /// The same source, limited to one place. Resolvers have the names that the place uses.
    func limited(toPlace vantage: String) -> any SampleSource
}

/// The error of a source that now leaves out more than before. All data must be read again.
package struct SourceChanged: Error {
    package init() {}

    /// Runs `body` again until it no longer throws this error.
    package static func retrying<Value>(_ body: () throws -> Value) rethrows -> Value {
        while true {
            do { return try body() } catch is SourceChanged {}
        }
    }
}

extension SampleSource {
    package var unreadPlaces: [String] { [] }

    /// The labels of ``targets()``, without repetitions.
    package func resolverLabels() throws -> [String] { try targets().map(\.label).uniqued }

    /// The labels as the places themselves name the resolvers. Resolvers that each place has of its own share
    /// one label.
    package func commonLabels() throws -> [String] {
        try targets().labels(unnamedAmong: vantages())
    }
}

/// The hourly sums of a history, for counters.
package protocol SumSource: Sendable {
    /// Passes the sums of measurements for one of `origins` to `body`. With `since`, each sum covers an hour.
    /// Without it, sums of all time are passed, and a sum may cover a day.
    func forEachSum(
        since: Timestamp?,
        origins: Set<Run.Origin>,
        _ body: (HourlySum) throws -> Void
    ) throws

    /// The time of the last query of one of `origins`.
    func lastQuery(origins: Set<Run.Origin>) throws -> Timestamp?
}

/// The minimum resolution of a history.
package enum HistoryGrain: Hashable, Sendable {
    /// Samples. Sums are used only for times whose samples are deleted.
    case samples
    /// All samples that are left. Sums are not read.
    case onlySamples
    case hours
    /// A sum may cover a whole day (UTC). It has the day's first hour.
    case days
}

/// The limits of the data of a window, caused by deleted samples.
package struct HistoryLimits: Hashable, Sendable {
    /// The part of an hour at the beginning of the window without any data.
    package var lost: Range<Timestamp>?
    /// The time since which samples exist, for figures that need samples.
    package var samplesSince: Timestamp?
    /// The time of imported rounds that were not selected.
    package var unaskedImports: ClosedRange<Timestamp>?

    package init(lost: Range<Timestamp>? = nil, samplesSince: Timestamp? = nil) {
        self.lost = lost
        self.samplesSince = samplesSince
    }

    /// Adds the limits of a later window.
    package mutating func add(_ later: HistoryLimits) {
        lost = lost ?? later.lost
        samplesSince = samplesSince ?? later.samplesSince
        unaskedImports = unaskedImports ?? later.unaskedImports
    }
}
