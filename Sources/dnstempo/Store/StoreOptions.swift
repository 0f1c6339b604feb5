import ArgumentParser
import Catalogue
import Store

/// Where rounds are kept.
struct StoreOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The store. (default: $XDG_DATA_HOME/dnstempo/dnstempo.sqlite)",
            valueName: "path"
        ),
        completion: .file()
    )
    var store: String?

    @Option(
        help: ArgumentHelp(
            "What a stored round outlasts: full, a power cut; or normal, or off.",
            valueName: "kind"
        ),
        completion: .list(["full", "normal", "off"])
    )
    var durability = "full"

    /// The file: by the command line, by campaign or configuration, or the default, whose folders
    /// are made where they are missing, for their owner alone (XDG Base Directory Specification).
    func path(_ options: RunOptions) throws -> String {
        if let path = store ?? options.store { return path }
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
            throw Failure(
                .usage,
                "--durability: '\(durability)' is none; write full, normal or off"
            )
        }
        return kind
    }
}
