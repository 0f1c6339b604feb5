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

    /// Finds out whether the file can be written; `nil` where none is asked for.
    init?(_ options: MetricsOptions, objective: ServiceObjective? = nil) throws {
        guard let path = options.textfile else { return nil }
        guard path != OutputFiles.standardOutput else {
            throw Failure.usage("--textfile: '-' names no file; write a path")
        }
        try OutputFiles.check([path])
        (self.path, self.objective) = (path, objective)
    }

    /// Puts the figures of now in its place, in one step, for every user to read.
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
