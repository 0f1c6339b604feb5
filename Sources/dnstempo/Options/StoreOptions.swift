import ArgumentParser
import Catalogue
import Reports
import Samples
import Store

/// Options of the store that rounds go to.
struct StoreOptions: ParsableArguments {
    @OptionGroup var named: NamedStore

    @Option(
        help: "What a stored round outlasts: full, a power cut; or normal, or off.".naming("kind"),
        completion: .list(["full", "normal", "off"])
    )
    var durability = "full"

    /// The file: by the command line, by campaign or configuration, or the default, whose folders
    /// are made where they are missing, for their owner alone (XDG Base Directory Specification).
    func path(_ options: RunOptions) throws -> String {
        if let path = named.store ?? options.store { return path }
        let path = try AbsolutePath.ofDefaultStore()
        let folders = path.split(separator: "/").dropLast()
        for count in 1...max(1, folders.count) {
            let folder = "/" + folders.prefix(count).joined(separator: "/")
            try Folder.create(folder, mode: 0o700)
        }
        return path
    }

    func kind() throws -> Store.Durability {
        guard let kind = Store.Durability(rawValue: durability) else {
            throw Failure.usage("--durability: '\(durability)' is none; write full, normal or off")
        }
        return kind
    }
}

/// The store that a command is about; it is there already.
struct NamedStore: ParsableArguments {
    @Option(
        help: "The store. (default: $XDG_DATA_HOME/dnstempo/dnstempo.sqlite)".naming("path"),
        completion: .file()
    )
    var store: String?

    func path() throws -> String { try Self.path(store) }

    static func path(_ store: String?) throws -> String {
        try store ?? UserConfiguration.current().options.store ?? AbsolutePath.ofDefaultStore()
    }
}

/// Options of the commands that measure without a store too.
struct StoreChoice: ParsableArguments {
    @OptionGroup var storing: StoreOptions

    @Flag(help: "Keep nothing; with --lab it is so unless --store names one.")
    var noStore = false

    func validate() throws {
        guard storing.named.store == nil || !noStore else {
            throw ValidationError("--store and --no-store exclude each other; give one")
        }
    }

    /// The file, whose folders are made; `nil` where nothing is to be kept. Simulated resolvers are
    /// kept out of the user's own history: with them only --store counts.
    func path(_ options: RunOptions, isLab: Bool) throws -> String? {
        guard !noStore else { return nil }
        if storing.named.store == nil, isLab || options.noStore == true { return nil }
        return try storing.path(options)
    }

    /// Opens the store that ``path(_:isLab:)`` tells; what is in the way is told with the way around
    /// it, since measuring needs no store.
    func open(_ options: RunOptions, isLab: Bool) throws -> Store? {
        let durability = try storing.kind()
        do {
            return try path(options, isLab: isLab).map {
                try Store(path: $0, durability: durability)
            }
        } catch {
            var failure = Failure(describing: error)
            failure.description += "; --no-store measures without a store"
            throw failure
        }
    }
}

/// Options of the window of a report, and of where its rounds are kept.
struct WindowOptions: ParsableArguments {
    @Argument(
        help: """
            Stores (.sqlite) read as one, or samples files (.csv, .jsonl). (default: the store \
            that rounds go to)
            """,
        completion: .file()
    )
    var file: [String] = []

    @Option(
        help: """
            The beginning: 7d or 36h (ago), 2026-05-01, 2026-05-01T14:30 or with Z. (default: \
            7d before the end; of samples files their own; export: all)
            """.naming("moment")
    )
    var since: String?

    @Option(help: "The end, written as --since is.".naming("moment"))
    var until = "now"

    @Option(
        help: """
            What the rounds of a store were measured for: sample, watch, compare, import; or all. \
            (default: sample,watch; export: all)
            """.naming("list")
    )
    var origin: String?

    @Option(help: "Only this resolver; repeatable.".naming("label"))
    var resolver: [String] = []

    @OptionGroup var named: NamedStore

    /// The origins of --origin, or `usual` without it; `nil` is any.
    func origins(usual: Set<Run.Origin>?) throws(Failure) -> Set<Run.Origin>? {
        try Run.Origin.list(origin, usual: usual)
    }

    /// The window on this system's clock. Without --since it has the `last` so long before its end,
    /// else all of `span`, which is that of samples files, else 7 days.
    func window(
        span: ClosedRange<Timestamp>? = nil,
        last length: Duration? = nil
    ) throws -> WindowContext {
        try WindowContext(
            since: since,
            until: until,
            span: span,
            last: length,
            now: .now,
            toolVersion: Version.text
        )
    }
}

/// The option to read samples of a long window.
struct PrecisionOption: ParsableArguments {
    @Flag(help: "Read samples, not hourly sums, where the window is longer than 8 days.")
    var exact = false
}

extension WindowOptions {
    /// The window, without a beginning or an end where none was asked for.
    func openWindow() throws -> Range<Timestamp> {
        if since != nil { return try window().window }
        let end = until == "now" ? nil : try window().window.upperBound
        return Timestamp(nanoseconds: .min)..<(end ?? Timestamp(nanoseconds: .max))
    }
}

extension Run.Origin {
    /// The origins that the value of --origin lists, or `usual` without it; `nil` is any.
    static func list(_ text: String?, usual: Set<Self>?) throws(Failure) -> Set<Self>? {
        guard let text else { return usual }
        if text == "all" { return nil }
        var origins: Set<Self> = []
        for word in text.split(separator: ",", omittingEmptySubsequences: false) {
            guard let one = allCases.first(where: { $0.name == word }) else {
                let known = allCases.map(\.name).joined(separator: ", ")
                throw Failure.usage("--origin: '\(word)' is none; write some of \(known), or all")
            }
            origins.insert(one)
        }
        return origins
    }
}
