package import Samples
package import Store

/// A part of a history. It can show a resolver that is a different machine at each place as one resolver per
/// place.
package struct HistorySource: SampleSource {
    package let recorded: any RecordedHistory
    /// The selected origins of rounds in stores; `nil` selects all.
    package private(set) var origins: Set<Run.Origin>?
    private var unaskedImports: ClosedRange<Timestamp>?
    /// The selected labels of resolvers, as reports or as places name the resolvers; `nil` selects all.
    package var labels: Set<String>?
    package var filter = SampleFilter()
    /// Whether long windows also use samples instead of hourly sums.
    package var isExact = false
    /// Whether resolvers that are a different machine at each place are distinguished.
    package var tellsPlaces = false

    package init(_ recorded: any RecordedHistory, origins: Set<Run.Origin>? = nil) {
        self.recorded = recorded
        self.origins = origins
    }

    /// Returns the same source. If the history contains only rounds of other origins, the result selects all
    /// origins.
    package func showingWhatThereIs() throws -> HistorySource {
        guard let origins else { return self }
        var source = self
        let spans = try recorded.spans()
        if !spans.isEmpty, origins.isDisjoint(with: spans.keys) {
            source.origins = nil
        } else if !origins.contains(.imported) {
            source.unaskedImports = spans[.imported]
        }
        return source
    }

    /// The same source, with each resolver under its place's own name.
    package var namedAsRecorded: HistorySource {
        var source = self
        source.tellsPlaces = false
        return source
    }

    package func limited(to labels: Set<String>) -> any SampleSource {
        var limited = self
        limited.labels = labels
        return limited
    }

    package func limited(toPlace vantage: String) -> any SampleSource {
        var limited = self
        limited.filter.vantages = [vantage]
        return limited
    }

    package var unreadPlaces: [String] { recorded.unreadPlaces }

    package func read(
        _ window: Range<Timestamp>,
        by grain: HistoryGrain,
        samples: (Recording) throws -> Void,
        sum: (HourlySum) throws -> Void
    ) throws -> HistoryLimits {
        let names = try placeNames()
        let grain = filter.needsSamples ? .samples : grain
        var wanted = part(window, names)
        wanted.tellsAnswers = false
        let (lost, hours) = try recorded.read(
            wanted,
            by: isExact ? .samples : grain,
            samples: { try samples(names.applied(to: filter.applied(to: $0))) },
            sum: { if filter.contains($0), let named = names.named($0) { try sum(named) } }
        )
        var limits = HistoryLimits(
            lost: lost,
            samplesSince: grain == .samples ? hours?.upperBound : nil
        )
        limits.unaskedImports = unaskedImports
        return limits
    }

    @discardableResult
    package func readSamples(
        _ window: Range<Timestamp>,
        _ body: @escaping (Recording) throws -> Void
    ) throws -> Range<Timestamp>? {
        let names = try placeNames()
        var wanted = part(window, names)
        wanted.includesMarked = true
        return try Self.passingErrors(of: body) { body in
            try recorded.read(
                wanted,
                by: .onlySamples,
                samples: { try body(names.applied(to: filter.applied(to: $0))) },
                sum: { _ in }
            ).hours
        }
    }

    /// Reads the hourly sums of a store that begin in a window, in their order.
    package func readSums(
        of store: Store,
        _ window: Range<Timestamp>,
        _ body: @escaping (HourlySum) throws -> Void
    ) throws {
        let names = try placeNames()
        try Self.passingErrors(of: body) { body in
            try store.forEachRollup(part(window, names)) { sum in
                if filter.contains(sum), let named = names.named(sum) { try body(named) }
            }
        }
    }

    /// Passes the errors of `body` on unchanged. A store would treat any error as its own.
    private static func passingErrors<Part, Result>(
        of body: @escaping (Part) throws -> Void,
        _ read: ((Part) throws -> Void) throws -> Result
    ) throws -> Result {
        var failure: (any Error)?
        do {
            return try read { part in
                do { try body(part) } catch {
                    failure = error
                    throw error
                }
            }
        } catch {
            throw failure ?? error
        }
    }

    package func rounds(_ window: Range<Timestamp>) throws -> [RoundMoment] {
        let rounds = try recorded.rounds(part(window, try placeNames()))
        let places = try placesOfLabels()
        return rounds.filter {
            filter.contains(vantage: $0.vantage) && places?.contains($0.vantage) != false
        }
    }

    package func sites(_ window: Range<Timestamp>) throws -> [AnsweringSites] {
        try named(window, recorded.sites, target: \.target, vantage: \.vantage)
    }

    package func causes(_ window: Range<Timestamp>) throws -> [EstablishedCause] {
        try named(window, recorded.causes, target: \.target, vantage: \.vantage)
    }

    package func traces(_ window: Range<Timestamp>) throws -> [KeptTrace] {
        try named(window, recorded.traces, target: \.target, vantage: \.vantage)
    }

    /// The selected rows of a window, with resolvers under the names that reports use.
    private func named<Row>(
        _ window: Range<Timestamp>,
        _ read: (Store.Window) throws -> [Row],
        target: WritableKeyPath<Row, Recording.Target>,
        vantage: KeyPath<Row, String>
    ) throws -> [Row] {
        let names = try placeNames()
        return try read(part(window, names)).compactMap { row in
            let (found, place) = (row[keyPath: target], row[keyPath: vantage])
            guard filter.contains(found), filter.contains(vantage: place),
                let name = names.named(found, at: place)
            else { return nil }
            var row = row
            row[keyPath: target] = name
            return row
        }
    }

    private func part(_ window: Range<Timestamp>, _ names: PlaceNames) -> Store.Window {
        Store.Window(
            since: window.lowerBound,
            until: window.upperBound,
            origins: origins,
            labels: names.recorded
        )
    }
}

/// The places of a history, and the names of its resolvers at each place.
extension HistorySource {
    package func targets() throws -> [Recording.Target] {
        let names = try placeNames()
        let targets =
            filter.vantages == nil
            ? try recorded.targets() : try targetsByPlace().map(\.1).uniqued
        return targets.filter { names.recorded?.contains($0.label) ?? true }
            .flatMap(names.targets).filter(filter.contains)
    }

    package func everyLabel() throws -> [String] {
        try recorded.targets().labels(unnamedAmong: Set(recorded.vantages()))
    }

    package func vantages() throws -> Set<String> {
        Set(try recorded.vantages().filter { filter.contains(vantage: $0) })
    }

    /// The places that measured in a window, if the history has more than one place; otherwise an empty set.
    package func places(in window: Range<Timestamp>) throws -> Set<String> {
        try vantages().count > 1 ? Set(rounds(window).map(\.vantage)) : []
    }

    private func targetsByPlace() throws -> [(vantage: String, Recording.Target)] {
        try recorded.targetsByPlace().filter { filter.contains(vantage: $0.vantage) }
    }

    private func placeNames() throws -> PlaceNames {
        let places = try vantages()
        guard tellsPlaces, places.count > 1 else {
            // A report on several places uses labels with the place.
            let recorded = labels?.flatMap { places.map($0.withoutPlace) }
            return PlaceNames(wanted: labels?.union(recorded ?? []))
        }
        return PlaceNames(wanted: labels, of: try targetsByPlace())
    }

    /// The places that measured one of the selected resolvers; `nil` if all resolvers are selected. Rounds
    /// and gaps of other places are irrelevant to these resolvers.
    private func placesOfLabels() throws -> Set<String>? {
        guard labels != nil else { return nil }
        let names = try placeNames()
        let targets = try recorded.targetsByPlace().filter { place, target in
            (names.recorded?.contains(target.label) ?? true)
                && names.named(target, at: place) != nil
        }
        return Set(targets.map(\.vantage))
    }
}

/// The hourly sums, under the names that reports use. A filter is not applied.
extension HistorySource: SumSource {
    package func forEachSum(
        since: Timestamp?,
        origins: Set<Run.Origin>,
        _ body: (HourlySum) throws -> Void
    ) throws {
        let names = try placeNames()
        try recorded.forEachSum(since: since, origins: origins) { sum in
            if let named = names.named(sum) { try body(named) }
        }
    }

    package func lastQuery(origins: Set<Run.Origin>) throws -> Timestamp? {
        try recorded.lastQuery(origins: origins)
    }
}
