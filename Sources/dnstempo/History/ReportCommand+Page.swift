import Catalogue
import Reports
import Samples

extension ReportCommand {
    /// The charts of the window that the report is about, and the command for the same window.
    func extras() throws -> PageExtras {
        let isBesideFile = against.map(AgainstFile.isMeant) ?? false
        let source =
            isBesideFile
            ? try HistorySource(window, origins: nil)
            : try HistorySource(window, exact: precision.exact)
        let length = isBesideFile ? nil : try against.map(length)
        let context = try window.window(span: source.spanOfFiles, last: length)
        let isOpen = source.spanOfFiles == nil && !isBesideFile
        let command = isOpen ? CommandLine.shown(over: context.window) : CommandLine.shown
        // A comparison draws its own charts.
        let heading = "Make this report again"
        if baseline != nil { return PageExtras(command: command, commandHeading: heading) }
        let reader = HistoryReader(source, context)
        let lasts = context.window.upperBound.since(context.window.lowerBound)
        let kinds = Self.kinds(isLong: lasts >= .seconds(2 * 86_400))
        var timelines: [Bool: HistoryTimeline] = [:]
        let charts = try kinds.compactMap { kind in
            let timeline =
                try timelines[kind.isHourly]
                ?? reader.timeline(kind, fromFirstRound: window.since == nil)
            timelines[kind.isHourly] = timeline
            let drawing = HistoryDrawing(kind, of: timeline)
            return drawing.showsNothing ? nil : drawing.figure
        }
        return PageExtras(command: command, commandHeading: heading, charts: charts)
    }

    /// Hours of the day are worth a look once there are several days.
    private static func kinds(isLong: Bool) -> [HistoryDrawing.Kind] {
        [.timeline] + (isLong ? [.heatmap] : []) + [.distribution, .opening]
    }
}

extension CommandLine {
    /// The command as it was typed, but for the same window whenever it is repeated.
    static func shown(over window: Range<Timestamp>) -> String {
        var kept: [String] = []
        var words = arguments.dropFirst()[...]
        while let word = words.popFirst() {
            if ["--since", "--until"].contains(word) {
                _ = words.popFirst()
            } else if !word.hasPrefix("--since="), !word.hasPrefix("--until=") {
                kept.append(word)
            }
        }
        let since = arguments.contains("--against") ? [] : ["--since", "\(window.lowerBound)"]
        return shown(kept + since + ["--until", "\(window.upperBound)"])
    }
}
