import ArgumentParser

/// Who reads the store's figures from a file.
struct MetricsOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            After each stored round, write the store's metrics there for node_exporter, which \
            reads files that end in .prom.
            """,
            valueName: "path"
        ),
        completion: .file()
    )
    var textfile: String?
}
