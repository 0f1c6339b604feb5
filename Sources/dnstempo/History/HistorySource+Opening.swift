import Central
import DNSWire
import Failures
import History
import Processes
import Reports
import Samples
import Store

extension HistorySource {
    /// Opens the inputs named by the options. From stores, it reads rounds of `usual` origins, unless
    /// --origin is given or there are no such rounds.
    init(
        _ options: WindowOptions,
        origins usual: Set<Run.Origin>? = Run.Origin.usual,
        exact: Bool = false,
        tellsPlaces: Bool = false
    ) throws {
        let origins = try Run.Origin.list(options.origin, usual: usual)
        // Invalid times are rejected regardless of the contents of the files.
        let window = try options.openWindow()
        self.init(try options.recordedHistory(), origins: origins)
        labels = options.resolver.isEmpty ? nil : Set(options.resolver)
        isExact = exact
        self.tellsPlaces = tellsPlaces
        if options.origin == nil { self = try showingWhatThereIs() }
        try checkMinutes(options)
        try checkLabels()
        var wanted = SampleFilter(options)
        if let names = wanted.vantages, let central = recorded as? CentralSource {
            // If no place with rounds has the name, such as `berlin`, the name means `berlin (place 3)`.
            wanted.vantages = Set(try names.flatMap { try central.reader.shownNames(of: $0) })
        }
        try check(wanted, in: window)
        filter = wanted
    }

    /// The growing store that pages show.
    init(served path: String, origin: String?, without places: [Int]) throws {
        self.init(
            try Self.stores([path], without: LeftOutPlaces(Set(places))),
            origins: try Run.Origin.list(origin, usual: Run.Origin.usual)
        )
        tellsPlaces = true
    }

    /// Local stores, or a central store.
    fileprivate static func stores(
        _ paths: [String],
        without leftOut: LeftOutPlaces
    ) throws -> any RecordedHistory {
        if let reader = try CentralReader(ofAll: paths, without: leftOut) {
            return CentralSource(reader, sentences: \.sentences)
        }
        return StoreSource(try StoreGroup(paths: paths))
    }

    /// Rejects a start such as `4m` if nothing was measured in these minutes: the user means months.
    private func checkMinutes(_ options: WindowOptions) throws {
        guard let since = options.since, let minutes = MomentText.possibleMonths(since),
            options.until == "now", let last = try span?.upperBound
        else { return }
        guard try options.openWindow().lowerBound > last else { return }
        let clock = LocalClock.system(from: last, to: last)
        throw Failure.usage(
            "--since \(since) means minutes, and the last sample is of \(clock.text(last)): for "
                + "months write \(minutes)mo"
        )
    }
}

extension WindowOptions {
    /// Opens the named stores or samples files.
    fileprivate func recordedHistory() throws -> any RecordedHistory {
        let samples = file.filter(SamplesFormat.isSuffix(of:))
        if named.store != nil, !file.isEmpty {
            throw Failure.usage("--store and files: write every store without --store")
        }
        if samples.isEmpty {
            let paths = file.isEmpty ? [try named.pathOfHistory()] : file
            return try HistorySource.stores(paths, without: try without.places(of: paths))
        }
        guard samples.count == file.count else {
            throw Failure.usage(
                "stores and samples files together: import '\(samples[0])' into a store first "
                    + "(dnstempo store import)"
            )
        }
        guard origin == nil else {
            throw Failure.usage("--origin needs a store: leave it out with samples files")
        }
        return FileSource(try samples.map { try Recording(file: $0) })
    }
}

extension SampleFilter {
    fileprivate init(_ options: WindowOptions) {
        self.init()
        func wanted(_ words: [String]) -> Set<String>? { words.isEmpty ? nil : Set(words) }
        transports = wanted(options.transport)
        names = wanted(
            options.name.map { ((try? DomainName($0))?.description ?? $0).lowercased() }
        )
        vantages = wanted(options.vantage)
        sites = wanted(options.site)
    }
}

extension NamedStore {
    /// The path of the named store, or of the default store, which must exist.
    func pathOfHistory() throws -> String {
        let path = try pathOrURL()
        // The error for a named store contains its name.
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
