/// A source of what was measured: stores, or samples files.
package protocol SampleSource: Sendable {
    /// When the rounds of a window began, and their marks.
    func rounds(_ window: Range<Timestamp>) throws -> [RoundMoment]

    /// Hands over what is known of a window, but for marked rounds: samples in pieces that fit
    /// into memory, and sums. Returns what could not be told.
    func read(
        _ window: Range<Timestamp>,
        by grain: HistoryGrain,
        samples: (Recording) throws -> Void,
        sum: (HourlySum) throws -> Void
    ) throws -> HistoryLimits

    /// All samples of a window, in pieces, those of marked rounds too. Returns the hours of which
    /// there are only sums.
    @discardableResult
    func readSamples(
        _ window: Range<Timestamp>,
        _ body: @escaping (Recording) throws -> Void
    ) throws -> Range<Timestamp>?

    /// From which sites the resolvers of a window answered, also where ``read`` gives sums.
    func sites(_ window: Range<Timestamp>) throws -> [AnsweringSites]

    /// The causes of changes in a window that were kept in mind.
    func causes(_ window: Range<Timestamp>) throws -> [EstablishedCause]

    /// The ways to resolvers in trouble that were found in a window.
    func traces(_ window: Range<Timestamp>) throws -> [KeptTrace]

    /// Sentence on what to do about a window without anything in it.
    func advice(_ window: Range<Timestamp>) throws -> String

    /// Everything that was ever asked, of the resolvers that are meant, in the order in which it
    /// came.
    func targets() throws -> [Recording.Target]

    /// The labels of all resolvers that were ever asked, as the places themselves call them, in the
    /// order in which they came: also of those that ``targets()`` leaves out.
    func everyLabel() throws -> [String]

    /// The places that ever measured.
    func vantages() throws -> Set<String>

    /// Sentences on the places that could not be read and are left out, harmless for a terminal.
    var unreadPlaces: [String] { get }

    /// The same of resolvers with one of `labels` alone.
    func limited(to labels: Set<String>) -> any SampleSource

    /// The same of one place alone, with resolvers called as they are there.
    func limited(toPlace vantage: String) -> any SampleSource
}

/// The error of a source that leaves out more than before: everything has to be read anew.
package struct SourceChanged: Error {
    package init() {}

    /// Runs `body` again until a source leaves out nothing more.
    package static func retrying<Value>(_ body: () throws -> Value) rethrows -> Value {
        while true {
            do { return try body() } catch is SourceChanged {}
        }
    }
}

extension SampleSource {
    package var unreadPlaces: [String] { [] }

    /// The labels of ``targets()``, each once.
    package func resolverLabels() throws -> [String] { try targets().map(\.label).uniqued }

    /// The same as the places themselves call them: what each has of its own is one of them.
    package func commonLabels() throws -> [String] {
        try targets().labels(unnamedAmong: vantages())
    }
}

/// The sums of a history, as counters want them.
package protocol SumSource: Sendable {
    /// Hands over the sums of what was measured for one of `origins`: by the hour since a moment, or of
    /// all time, and then a sum may be of a day.
    func forEachSum(
        since: Timestamp?,
        origins: Set<Run.Origin>,
        _ body: (HourlySum) throws -> Void
    ) throws

    /// When the last query left that was asked for one of `origins`.
    func lastQuery(origins: Set<Run.Origin>) throws -> Timestamp?
}

/// The resolution of a history: what it tells apart at least.
package enum HistoryGrain: Hashable, Sendable {
    /// There are sums only of what samples are no longer kept of.
    case samples
    case hours
    /// A sum may be of a whole day (UTC); it bears the day's first hour.
    case days
}

/// Limits of what can be told of a window, since samples are no longer kept.
package struct HistoryLimits: Hashable, Sendable {
    /// The part of an hour at the window's beginning of which nothing is known.
    package var lost: Range<Timestamp>?
    /// For what only samples tell: before then there are none.
    package var samplesSince: Timestamp?
    /// When rounds were measured that are of samples files and were not asked for.
    package var unaskedImports: ClosedRange<Timestamp>?

    package init(lost: Range<Timestamp>? = nil, samplesSince: Timestamp? = nil) {
        self.lost = lost
        self.samplesSince = samplesSince
    }

    /// Adds what could not be told of a later window.
    package mutating func add(_ later: HistoryLimits) {
        lost = lost ?? later.lost
        samplesSince = samplesSince ?? later.samplesSince
        unaskedImports = unaskedImports ?? later.unaskedImports
    }
}
