import ArgumentParser
import Catalogue
import Store

/// Where rounds are kept, or that none is: for the commands that measure without a store too.
struct StoreChoice: ParsableArguments {
    @OptionGroup var storing: StoreOptions

    @Flag(help: "Keep nothing; with --lab it is so unless --store names one.")
    var noStore = false

    func validate() throws {
        guard storing.store == nil || !noStore else {
            throw ValidationError("--store and --no-store exclude each other; give one")
        }
    }

    /// The file, whose folders are made; `nil` where nothing is to be kept. Simulated resolvers are
    /// kept out of the user's own history: with them only --store counts.
    func path(_ options: RunOptions, isLab: Bool) throws -> String? {
        guard !noStore else { return nil }
        if storing.store == nil, isLab || options.noStore == true { return nil }
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
