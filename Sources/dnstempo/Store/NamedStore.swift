import ArgumentParser
import Catalogue

/// The store that a command is about; it is there already.
struct NamedStore: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The store. (default: $XDG_DATA_HOME/dnstempo/dnstempo.sqlite)",
            valueName: "path"
        ),
        completion: .file()
    )
    var store: String?

    /// The file: by the command line, by the configuration, or the default.
    func path() throws -> String { try Self.path(store) }

    /// The file that is meant by what the command line says of it.
    static func path(_ store: String?) throws -> String {
        try store ?? UserConfiguration.current().options.store ?? AbsolutePath.ofDefaultStore()
    }
}
