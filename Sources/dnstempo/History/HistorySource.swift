import Catalogue
import Central
import DNSWire
import Failures
import Reports
import Samples
import Store

struct HistorySource: SampleSource {
    enum Content {
        case stores(StoreGroup)
        case central(CentralReader)
        case files(SampledFiles)
    }

    let content: Content
    /// The origins of rounds of stores; `nil` is any.
    private(set) var origins: Set<Run.Origin>?
    private var unaskedImports: ClosedRange<Timestamp>?
    var labels: Set<String>?
    private(set) var filter = SampleFilter()
    private let exact: Bool
    /// Whether resolvers that are another machine at each place are told apart.
    var tellsPlaces: Bool

    /// Opens what the options name; of stores, rounds of `usual` origins unless --origin is given or
    /// there are none.
    init(
        _ options: WindowOptions,
        origins usual: Set<Run.Origin>? = Run.Origin.usual,
        exact: Bool = false,
        tellsPlaces: Bool = false
    ) throws {
        self.tellsPlaces = tellsPlaces
        origins = try Run.Origin.list(options.origin, usual: usual)
        // Whatever is in the files, a wrong moment stays one.
        _ = try options.openWindow()
        labels = options.resolver.isEmpty ? nil : Set(options.resolver)
        self.exact = exact
        let samples = options.file.filter(SamplesFormat.isSuffix(of:))
        if options.named.store != nil, !options.file.isEmpty {
            throw Failure.usage("--store and files: write every store without --store")
        }
        if samples.isEmpty {
            let paths =
                options.file.isEmpty ? [try options.named.pathOfHistory()] : options.file
            let leftOut = try options.without.places(of: paths)
            content =
                try CentralReader(ofAll: paths, without: leftOut).map(Content.central)
                ?? .stores(try StoreGroup(paths: paths))
        } else if samples.count == options.file.count {
            guard options.origin == nil else {
                throw Failure.usage(
                    "--origin is of a store's rounds: leave it out with samples files"
                )
            }
            content = .files(try SampledFiles(samples))
        } else {
            throw Failure.usage(
                "stores and samples files together: import '\(samples[0])' into a store first "
                    + "(dnstempo store import)"
            )
        }
        if options.origin == nil { try showWhatThereIs() }
        try checkMinutes(options)
        try checkLabels()
        var wanted = SampleFilter(options)
        try replaceForeignNames(in: &wanted)
        try check(wanted, in: try options.openWindow())
        filter = wanted
    }

    /// The store that pages show, as it grows.
    init(served path: String, origin: String?, without places: [Int]) throws {
        origins = try Run.Origin.list(origin, usual: Run.Origin.usual)
        labels = nil
        exact = false
        tellsPlaces = true
        content =
            try CentralReader(ofAll: [path], without: LeftOutPlaces(Set(places)))
            .map(Content.central) ?? .stores(try StoreGroup(paths: [path]))
    }

    /// The same, with rounds of any origin where there are no others now.
    func showingWhatThereIs() throws -> HistorySource {
        var source = self
        try source.showWhatThereIs()
        return source
    }

    /// Has rounds of any origin shown where all are of other origins than the usual ones.
    private mutating func showWhatThereIs() throws {
        guard let origins, spanOfFiles == nil else { return }
        let spans = try spans()
        if !spans.isEmpty, origins.isDisjoint(with: spans.keys) {
            self.origins = nil
        } else if !origins.contains(.imported) {
            unaskedImports = spans[.imported]
        }
    }

    /// When the first query of samples files left, and the last; `nil` of stores.
    var spanOfFiles: ClosedRange<Timestamp>? {
        guard case .files(let files) = content else { return nil }
        return files.span
    }

    func read(
        _ window: Range<Timestamp>,
        by grain: HistoryGrain,
        samples: (Recording) throws -> Void,
        sum: (HourlySum) throws -> Void
    ) throws -> HistoryLimits {
        let names = try placeNames()
        switch content {
        case .stores, .central:
            let isExact = grain == .samples || filter.needsSamples
            var wanted = storeWindow(window, names)
            wanted.tellsAnswers = false
            let detail = grain == .days ? CentralHistory.Detail.days : .hours
            let coverage = try group(window, isExact || exact ? .samples : detail).read(
                wanted,
                exact: isExact || exact,
                samples: { try samples(names.applied(to: filter.applied(to: $0))) },
                rollup: { if filter.contains($0), let named = names.named($0) { try sum(named) } }
            )
            var limits = HistoryLimits(
                lost: coverage.lost,
                samplesSince: isExact ? coverage.hours?.upperBound : nil
            )
            limits.unaskedImports = unaskedImports
            return limits
        case .files(let files):
            let recording = files.recording(
                window,
                labels: names.recorded,
                includesMarked: false
            )
            try samples(names.applied(to: filter.applied(to: recording)))
            return HistoryLimits()
        }
    }

    @discardableResult
    func readSamples(
        _ window: Range<Timestamp>,
        _ body: @escaping (Recording) throws -> Void
    ) throws -> Range<Timestamp>? {
        let names = try placeNames()
        switch content {
        case .stores, .central:
            var wanted = storeWindow(window, names)
            wanted.includesMarked = true
            let group = try group(window, .samples)
            return try Self.passingErrors(of: body) { body in
                try group.read(
                    wanted,
                    exact: true,
                    samples: { try body(names.applied(to: filter.applied(to: $0))) },
                    rollup: { _ in }
                ).hours
            }
        case .files(let files):
            let recording = files.recording(window, labels: names.recorded, includesMarked: true)
            try body(names.applied(to: filter.applied(to: recording)))
            return nil
        }
    }

    /// The sums of the hours that begin in a window, in their order, from ``storeOfSums()``.
    func readSums(
        of store: Store,
        _ window: Range<Timestamp>,
        _ body: @escaping (HourlySum) throws -> Void
    ) throws {
        let names = try placeNames()
        try Self.passingErrors(of: body) { body in
            try store.forEachRollup(storeWindow(window, names)) { sum in
                if filter.contains(sum), let named = names.named(sum) { try body(named) }
            }
        }
    }

    func storeOfSums() throws(Failure) -> Store {
        guard !filter.needsSamples else {
            throw Failure.usage("--rollups: sums do not tell --name and --site: leave those out")
        }
        guard case .stores(let group) = content else {
            if case .central = content {
                throw Failure.usage("--rollups: export a place's own store")
            }
            throw Failure.usage(
                "--rollups: a samples file has none; import it into a store first (dnstempo "
                    + "store import)"
            )
        }
        guard group.stores.count == 1 else {
            throw Failure.usage(
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

    func rounds(_ window: Range<Timestamp>) throws -> [RoundMoment] {
        let rounds =
            switch content {
            case .stores(let group): try group.moments(storeWindow(window, try placeNames()))
            case .central(let reader): try reader.moments(storeWindow(window, try placeNames()))
            case .files(let files): files.rounds(window)
            }
        let places = try placesOfLabels()
        return rounds.filter {
            filter.contains(vantage: $0.vantage) && places?.contains($0.vantage) != false
        }
    }

    func sites(_ window: Range<Timestamp>) throws -> [AnsweringSites] {
        let names = try placeNames()
        let sites =
            switch content {
            case .stores(let group): try group.sites(storeWindow(window, names))
            case .central(let reader):
                // Without them a change is told, and not which site answered.
                try reader.samples(in: window) <= Store.mostExactSamples
                    ? group(window, .samples).sites(storeWindow(window, names)) : []
            case .files(let files):
                files.recording(window, labels: names.recorded, includesMarked: false)
                    .answeringSites
            }
        return named(sites, names, target: \.target, vantage: \.vantage)
    }

    func causes(_ window: Range<Timestamp>) throws -> [EstablishedCause] {
        guard spanOfFiles == nil else { return [] }
        let names = try placeNames()
        let causes = try group(CentralReader.always, .names).causes(storeWindow(window, names))
        return named(causes, names, target: \.target, vantage: \.vantage)
    }

    func traces(_ window: Range<Timestamp>) throws -> [KeptTrace] {
        guard spanOfFiles == nil else { return [] }
        let names = try placeNames()
        let traces = try group(CentralReader.always, .names).traces(storeWindow(window, names))
        return named(traces, names, target: \.target, vantage: \.vantage)
    }

    /// Those of `rows` that are meant, with their resolvers called as reports call them.
    private func named<Row>(
        _ rows: [Row],
        _ names: PlaceNames,
        target: WritableKeyPath<Row, Recording.Target>,
        vantage: KeyPath<Row, String>
    ) -> [Row] {
        rows.compactMap { row in
            let (found, place) = (row[keyPath: target], row[keyPath: vantage])
            guard filter.contains(found), filter.contains(vantage: place),
                let name = names.named(found, at: place)
            else { return nil }
            var row = row
            row[keyPath: target] = name
            return row
        }
    }

    func targets() throws -> [Recording.Target] {
        let names = try placeNames()
        let recorded =
            filter.vantages == nil
            ? try recordedTargets()
            : try targetsByPlace().filter { filter.contains(vantage: $0.vantage) }.map(\.1).uniqued
        let all = recorded.filter { names.recorded?.contains($0.label) ?? true }
        return all.flatMap(names.targets).filter(filter.contains)
    }

    func everyLabel() throws -> [String] {
        if case .files(let files) = content { return files.everyLabel }
        var whole = self
        (whole.labels, whole.filter) = (nil, SampleFilter())
        return try recordedTargets().labels(unnamedAmong: whole.vantages())
    }

    func recordedTargets() throws -> [Recording.Target] {
        switch content {
        case .stores, .central:
            try named().stores.flatMap { try $0.targets() }
        case .files(let files): files.targets
        }
    }

    var unreadPlaces: [String] {
        guard case .central(let reader) = content else { return [] }
        return reader.unreadPlaces.map(\.sentences)
    }

    func limited(to labels: Set<String>) -> any SampleSource {
        var limited = self
        limited.labels = labels
        return limited
    }

    func limited(toPlace vantage: String) -> any SampleSource {
        var limited = self
        limited.filter.vantages = [vantage]
        return limited
    }

    /// The stores that are read; of a central one as far as it is wanted.
    func group(
        _ window: Range<Timestamp>,
        _ detail: CentralHistory.Detail
    ) throws -> StoreGroup {
        switch content {
        case .stores(let group): return group
        case .central(let reader): return try reader.stores(window, detail)
        case .files: return StoreGroup([])
        }
    }

    /// Reads the samples of a central store's window, so that places that cannot be read are known.
    func prepare(_ window: Range<Timestamp>) throws {
        if case .central = content { _ = try group(window, .samples) }
    }

    /// The stores with what rounds refer to, of all time.
    func named() throws -> StoreGroup { try group(CentralReader.always, .names) }

    private func storeWindow(_ window: Range<Timestamp>, _ names: PlaceNames) -> Store.Window {
        Store.Window(
            since: window.lowerBound,
            until: window.upperBound,
            origins: origins,
            labels: names.recorded
        )
    }
}

extension NamedStore {
    /// The store that is named, or the default one, which must be there.
    func pathOfHistory() throws -> String {
        let path = try pathOrURL()
        // One that was named is missed by its name.
        if AbsolutePath.isMissing(path), try path == AbsolutePath.ofDefaultStore() {
            throw Failure(
                .noInput,
                "there is no store '\(path)' yet: begin with 'dnstempo schedule "
                    + "install --every 5m', or name a store with --store"
            )
        }
        return path
    }
}
