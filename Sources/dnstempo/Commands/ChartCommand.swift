import ArgumentParser
import Catalogue
import Charts
import Failures
import Files
import History
import Reports
import Samples

struct ChartCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "chart",
        abstract: "Draw charts of the history.",
        discussion: """
            Kinds of charts:
              timeline      median, spread and failed queries over time
              smoke         density of query times
              heatmap       median by hour of the day and weekday
              places        median of each resolver at each place
              distribution  share of queries answered within a time
              percentiles   query time of the slowest queries by their share
              bars          median and spread side by side
              opening       connect, handshake and query time of new encrypted connections

            Without -o the chart is drawn in the terminal, the distribution as bars.

            Examples:
              dnstempo chart
              dnstempo chart --since 30d --kind heatmap -o week.svg
              dnstempo chart home.sqlite office.sqlite --since 2026-05-01 -o charts/
              dnstempo chart samples.csv --kind distribution -o spread.svg
            """
    )

    @OptionGroup var window: WindowOptions
    @OptionGroup var precision: PrecisionOption

    @Option(
        help: "timeline, smoke, heatmap, places, distribution, percentiles, bars or opening."
            .naming("kind"),
        completion: .list(ChartKind.ofWindow.map(\.rawValue))
    )
    var kind = "timeline"

    @Option(
        name: [.short, .long],
        help: """
            Write an .svg or .png file, or one .svg file per resolver into a folder, which ends in \
            /; - is standard output.
            """.naming("file"),
        completion: .file()
    )
    var output: String?

    @OptionGroup var style: TextStyleOptions

    @OptionGroup var redacting: RedactOptions

    func run() async throws {
        let redaction = try redacting.redaction()
        let kind = try ChartKind(named: kind, by: "--kind", among: ChartKind.ofWindow)
        let destination = try output.map(ChartDestination.init)
        try await destination?.check()
        if let output { try InputFile.keep(window.inputs, from: [output]) }
        let source = try HistorySource(window, exact: precision.exact, tellsPlaces: true)
        let history = try ReportedHistory(source, redaction)
        let reader = history.reader(try source.context(window))
        let charts = WantedCharts([kind], fromFirstRound: window.since == nil)
        let timeline = try reader.timeline(of: charts)
        var drawing = HistoryDrawing(kind, of: timeline)
        drawing.redaction = redaction?.sentence
        if drawing.isEmpty {
            let advice = try source.advice(timeline.context.window)
            Terminal.mention("nothing was measured in this window. \(advice)")
        }
        if let destination {
            try await destination.write(drawing)
        } else if Terminal.wantsPlain {
            throw Failure.usage(
                "--plain: a chart in characters has no plain form; use report --plain, or write an .svg "
                    + "file with -o, whose page readers can read"
            )
        } else {
            let terminal = Terminal.output
            let text = drawing.text(
                width: terminal.size.columns,
                height: terminal.size.rows,
                colour: terminal.allowsColour && !style.noColor
            )
            try terminal.write(text)
        }
    }
}

/// One file with every resolver, or a folder with one file per resolver.
enum ChartDestination {
    case standardOutput
    case file(String)
    case folder(String)

    /// A path that ends in `/` is a folder.
    init(_ path: String) throws {
        if path == OutputFiles.standardOutput {
            self = .standardOutput
        } else if path.hasSuffix("/") {
            self = .folder(path)
        } else {
            guard (try? OutputFormat(path: path))?.isPicture == true else {
                throw Failure.usage(
                    "-o '\(path)': a chart is an .svg or .png file, or a folder that ends in /"
                )
            }
            self = .file(path)
        }
    }

    /// Throws if a file cannot be written, before any input is read.
    func check() async throws {
        guard case .file(let path) = self else { return }
        try OutputFiles.check([path])
        try await PNGPicture.check([path])
    }

    func write(_ drawing: HistoryDrawing) async throws {
        switch self {
        case .standardOutput: try Terminal.output.write(data: drawing.svg())
        case .file(let path):
            let bytes = try await PNGPicture.bytes(of: drawing.svg(), for: path)
            try OutputFiles.write([(path, bytes)])
        case .folder(let path):
            let pictures = drawing.singles()
            guard !pictures.isEmpty else { return }
            try Folder.create(path)
            let names = pictures.map(\.name).fileNames(suffix: "svg")
            try OutputFiles.write(
                zip(names, pictures).map { name, picture in
                    (path + name, Array(picture.svg.utf8))
                }
            )
        }
    }
}
