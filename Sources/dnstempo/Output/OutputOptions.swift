import ArgumentParser

/// Where results go, and how they look.
struct OutputOptions: ParsableArguments {
    @Option(
        name: [.short, .long],
        help: ArgumentHelp(
            "Write the result to a file too; .txt .csv .json .md .svg or .html; repeatable.",
            valueName: "file"
        ),
        completion: .file()
    )
    var output: [String] = []

    @Option(
        help: ArgumentHelp("Write every sample to a .csv or .jsonl file.", valueName: "file"),
        completion: .file()
    )
    var samples: String?

    @Option(
        help: ArgumentHelp(
            "The chart of an .svg file: bars, distribution, rounds or opening. (default: all)",
            valueName: "kind"
        ),
        completion: .list(["bars", "distribution", "rounds", "opening"])
    )
    var chart: String?

    @Option(
        help: ArgumentHelp(
            "What standard output gets: table, csv, json or markdown.",
            valueName: "format"
        ),
        completion: .list(["table", "csv", "json", "markdown"])
    )
    var format = "table"

    @Flag(name: [.short, .long], help: "No progress and no table; files are written.")
    var quiet = false

    @Flag(name: [.short, .long], help: "More columns, and what the instrument says of itself.")
    var verbose = false

    @Flag(help: "No colour, as with NO_COLOR.")
    var noColor = false
}
