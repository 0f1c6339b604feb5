import ArgumentParser
import Catalogue
import Central
import Failures
import Processes
import Runs
import Store

struct StoreOptions: ParsableArguments {
    @OptionGroup var named: NamedStore

    @Option(
        help: """
            Durability of stored rounds: full survives a power cut; normal, off. (default: full)
            """.naming("kind").forExperts,
        completion: .list(["full", "normal", "off"])
    )
    var durability: String?

    func path(_ options: RunOptions) throws -> String {
        try NamedStore.file(named.store ?? options[.store] ?? AbsolutePath.ofDefaultStore())
    }

    func kind() throws -> Store.Durability {
        try (durability ?? "full").choice(
            of: "--durability",
            among: ["full": .full, "normal": .normal, "off": .off]
        )
    }
}

/// The existing store that a command uses.
struct NamedStore: ParsableArguments {
    @Option(
        help: "Store file. (default: $XDG_DATA_HOME/dnstempo/dnstempo.sqlite)".naming("path"),
        completion: .file()
    )
    var store: String?

    func path() throws -> String { try Self.file(pathOrURL()) }

    /// The path or URL of the store, for a command that also reads central stores.
    func pathOrURL() throws -> String { try store ?? Self.usualPath }

    static func file(_ path: String) throws(Failure) -> String {
        guard !CentralAddress.isURL(path) else {
            throw Failure.usage(
                "'\(path)' is a central store, and a file is expected here: name one, and ship it "
                    + "there (dnstempo store ship)"
            )
        }
        // SQLite's name for a database without a file.
        guard path != ":memory:" else {
            throw Failure.usage("':memory:': a store is a file; give a path, such as './:memory:'")
        }
        return path
    }

    /// The path of the default store.
    static var usualPath: String {
        get throws {
            try UserConfiguration.current().options[.store] ?? AbsolutePath.ofDefaultStore()
        }
    }
}

/// Options of the commands that can also measure without a store.
struct StoreChoice: ParsableArguments {
    @OptionGroup var storing: StoreOptions

    @Flag(help: "Store nothing; the default with --lab.")
    var noStore = false

    func validate() throws {
        guard storing.named.store == nil || !noStore else {
            throw ValidationError("--store and --no-store cannot be combined; give one")
        }
    }

    /// The file. `nil` if nothing is stored. Rounds of simulated resolvers are stored only with --store, to
    /// keep them out of the user's history.
    func path(_ options: RunOptions, isLab: Bool) throws -> String? {
        try keeps(options, isLab: isLab) ? storing.path(options) : nil
    }

    private func keeps(_ options: RunOptions, isLab: Bool) throws(Failure) -> Bool {
        let isUsual = storing.named.store == nil
        let keeps = !noStore && !(isUsual && (isLab || options[.noStore] == true))
        guard keeps || storing.durability == nil else {
            throw Failure.usage("--durability needs a store: add --store")
        }
        return keeps
    }

    /// Opens the store. On failure, the error explains how to measure without a store.
    func open(_ options: RunOptions, isLab: Bool) throws -> Store? {
        let durability = try storing.kind()
        guard try keeps(options, isLab: isLab) else { return nil }
        do {
            return try Store(path: storing.path(options), durability: durability)
        } catch {
            var failure = Failure(describing: error)
            failure.description += "; --no-store measures without a store"
            throw failure
        }
    }
}
