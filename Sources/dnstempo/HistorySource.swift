import Catalogue
import Measurement
import Reports
import Store

/// Where what was measured is read from: one store, several as one, or samples files.
struct HistorySource {
    private enum Content {
        case stores(StoreGroup)
        case files(SampledFiles)
    }

    private let content: Content
    private let origins: Set<Store.Origin>?
    private let labels: Set<String>?
    private let exact: Bool

    /// Opens what the options name, and looks whether it has the resolvers that they name. Of
    /// stores, rounds of these `origins` are meant unless --origin says otherwise; `nil` is any.
    init(_ options: WindowOptions, origins usual: Set<Store.Origin>? = [.sample, .watch]) throws {
        origins = try options.origins(usual: usual)
        labels = options.resolver.isEmpty ? nil : Set(options.resolver)
        exact = options.exact
        let samples = options.file.filter { SamplesFormat(path: $0) != nil }
        if options.store != nil, !options.file.isEmpty {
            throw Failure(.usage, "--store and files: write every store without --store")
        }
        if samples.isEmpty {
            let paths = options.file.isEmpty ? [try Self.path(options.store)] : options.file
            content = .stores(try StoreGroup(paths: paths))
        } else if samples.count == options.file.count {
            content = .files(try SampledFiles(samples))
        } else {
            throw Failure(
                .usage,
                "stores and samples files together: import '\(samples[0])' into a store first "
                    + "(dnstempo store import)"
            )
        }
        try checkLabels()
    }

    /// When the first query left, and the last: of samples files, `nil` of stores, which have
    /// their own length.
    var spanOfFiles: ClosedRange<Timestamp>? {
        guard case .files(let files) = content else { return nil }
        return files.span
    }

    /// Hands over what is known of a window, but for marked rounds: samples in pieces that fit
    /// into memory, and hourly sums of the hours that the result tells. With `needsSamples` there
    /// are sums only of what samples are no longer kept of.
    func read(
        _ window: Range<Timestamp>,
        needsSamples: Bool = false,
        samples: (Recording) throws -> Void,
        sum: (HourlySum) throws -> Void
    ) throws -> HistoryCoverage {
        switch content {
        case .stores(let group):
            return try group.read(
                storeWindow(window),
                exact: exact || needsSamples,
                samples: samples,
                rollup: { try sum(HourlySum($0)) }
            )
        case .files(let files):
            try samples(files.recording(window, labels: labels, includesMarked: false))
            return HistoryCoverage()
        }
    }

    /// All samples of a window, in pieces as ``read(_:needsSamples:samples:sum:)`` hands them over,
    /// those of marked rounds too. Returns the hours of which there are only sums.
    @discardableResult
    func readSamples(
        _ window: Range<Timestamp>,
        _ body: @escaping (Recording) throws -> Void
    ) throws -> Range<Timestamp>? {
        switch content {
        case .stores(let group):
            var wanted = storeWindow(window)
            wanted.includesMarked = true
            return try Self.passingErrors(of: body) { body in
                try group.read(wanted, exact: true, samples: body, rollup: { _ in }).hours
            }
        case .files(let files):
            try body(files.recording(window, labels: labels, includesMarked: true))
            return nil
        }
    }

    /// The sums of the hours that begin in a window, in their order, from ``storeOfSums()``.
    func readSums(
        of store: Store,
        _ window: Range<Timestamp>,
        _ body: @escaping (HourlySum) throws -> Void
    ) throws {
        try Self.passingErrors(of: body) { body in
            try store.forEachRollup(storeWindow(window)) { try body(HourlySum($0)) }
        }
    }

    /// The one store that has hourly sums.
    func storeOfSums() throws(Failure) -> Store {
        guard case .stores(let group) = content else {
            throw Failure(
                .usage,
                "--rollups: a samples file has none; import it into a store first (dnstempo "
                    + "store import)"
            )
        }
        guard group.stores.count == 1 else {
            throw Failure(
                .usage,
                "--rollups: of several stores hours would count twice; export each, or merge "
                    + "them first (dnstempo store merge)"
            )
        }
        return group.stores[0]
    }

    /// A store takes any error for one of its own: those of `body` leave as they are.
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

    /// When the rounds of a window began, and their marks.
    func rounds(_ window: Range<Timestamp>) throws -> [RoundLog.Round] {
        switch content {
        case .stores(let group):
            try group.rounds(storeWindow(window)).map {
                RoundLog.Round(
                    vantage: $0.run.recordingRun.vantage,
                    started: $0.start,
                    marks: $0.marks
                )
            }
        case .files(let files): files.rounds(window)
        }
    }

    /// What to do about a window without anything in it: one sentence.
    func advice(_ clock: LocalClock) throws -> String {
        switch content {
        case .files(let files):
            guard let span = files.span else { return "The file has no samples." }
            return "There are samples from \(clock.text(span)): choose another --since."
        case .stores(let group):
            var spans: [Store.Origin: ClosedRange<Timestamp>] = [:]
            for store in group.stores { spans.merge(try store.spans()) { $0.union($1) } }
            let wanted = spans.filter { origins?.contains($0.key) ?? true }.values
            if let span = wanted.reduce(nil, { $0?.union($1) ?? $1 }) {
                return "There are rounds from \(clock.text(span)): choose another --since."
            }
            guard let other = spans.min(by: { $0.key.rawValue < $1.key.rawValue }) else {
                return "The store has no rounds yet: see dnstempo schedule --help."
            }
            return "There are rounds of \(other.key.name) from \(clock.text(other.value)): "
                + "add --origin \(other.key.name)."
        }
    }

    private func storeWindow(_ window: Range<Timestamp>) -> Store.Window {
        Store.Window(
            since: window.lowerBound,
            until: window.upperBound,
            origins: origins,
            labels: labels
        )
    }

    private func checkLabels() throws {
        guard let labels else { return }
        var known: [String] = []
        switch content {
        case .stores(let group): for store in group.stores { known += try store.labels() }
        case .files(let files): known = files.labels
        }
        for label in labels.sorted() where !known.contains(label) {
            let near = NearestName.question(label, among: known)
            let some = known.uniqued.prefix(12).joined(separator: ", ")
            throw Failure(
                .usage,
                "--resolver: '\(label)' was not measured"
                    + (near.isEmpty && !some.isEmpty ? "; there are \(some)" : near)
            )
        }
    }

    /// By the command line or the configuration, or the default, which must be there.
    private static func path(_ named: String?) throws -> String {
        if let named = try named ?? UserConfiguration.current().options.store { return named }
        let path = try AbsolutePath.ofDefaultStore()
        guard !AbsolutePath.isMissing(path) else {
            throw Failure(
                .noInput,
                "nothing was sampled yet, there is no '\(path)': begin with 'dnstempo schedule "
                    + "install --every 5m', or name a store with --store"
            )
        }
        return path
    }
}

extension HourlySum {
    init(_ rollup: Rollup) {
        self.init(
            vantage: rollup.vantage,
            target: rollup.target,
            type: rollup.type,
            timeout: rollup.timeout,
            hour: rollup.hour,
            counts: rollup.counts,
            latency: rollup.latency
        )
    }
}

extension ClosedRange<Timestamp> {
    fileprivate func union(_ other: Self) -> Self {
        Swift.min(lowerBound, other.lowerBound)...Swift.max(upperBound, other.upperBound)
    }
}

extension LocalClock {
    /// Such as `2026-11-21 04:35 to 2026-11-30 12:00`, on this system's clock whenever that is.
    fileprivate func text(_ span: ClosedRange<Timestamp>) -> String {
        let clock = LocalClock.system(from: span.lowerBound, to: span.upperBound)
        return "\(clock.text(span.lowerBound)) to \(clock.text(span.upperBound))"
    }
}
