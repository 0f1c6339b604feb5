import ArgumentParser
import Dashboard
import Failures
import Files
import Runs
import Statistics
import Store

/// The store's metrics as a file, for the textfile collector of Prometheus' node_exporter.
struct MetricsFile {
    private let path: String
    private let objective: ServiceObjective?

    /// Checks that the file can be written. Returns `nil` if no file is requested.
    init?(_ options: MetricsOptions, objective: ServiceObjective? = nil) throws {
        guard let path = options.textfile else { return nil }
        guard path != OutputFiles.standardOutput else {
            throw Failure.usage("--textfile: '-' names no file; write a path")
        }
        try OutputFiles.check([path])
        (self.path, self.objective) = (path, objective)
    }

    /// Replaces the file with the current figures atomically, readable for every user.
    func write(_ store: Store) throws {
        let text = try Metrics.text(
            of: store,
            version: Version.text,
            objective: objective.map { ($0, .now) }
        )
        try OutputFiles.write([(path, Array(text.utf8))], isPublic: true)
    }
}

struct MetricsOptions: ParsableArguments {
    @Option(
        help: """
            After each stored round, write metrics there for node_exporter, which reads .prom files.
            """.naming("file"),
        completion: .file()
    )
    var textfile: String?
}
