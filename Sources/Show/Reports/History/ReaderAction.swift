import Samples

/// An action that a sentence proposes to its reader. Each medium has its own words for it.
enum ReaderAction {
    /// `advice` has the options that lead to rounds, if they are known.
    case chooseTimes(advice: String?)
    case choosePlace
    /// Shows the rows that a table omits.
    case showAllRows
    case splitByPlace
    /// Reads samples instead of hourly sums, if samples are kept.
    case readSamples
    /// The same for first queries of connections.
    case readOpenings
    case readImports
    /// Tests whether resolvers with these labels differ.
    case test(among: [String])
}

/// The medium in which a report is read.
package enum ReportMedium: Hashable, Sendable {
    case commandLine
    /// A page of the dashboard. It has buttons, and states the time zone once.
    case page

    /// A sentence, or a clause with its leading sign; empty if the medium has no way.
    func words(for action: ReaderAction) -> String {
        switch (self, action) {
        case (.commandLine, .chooseTimes(let advice)): advice ?? "Choose another --since."
        case (.page, .chooseTimes): "Choose another time span."
        case (.commandLine, .choosePlace): "Add --vantage NAME for one place."
        case (.commandLine, .showAllRows):
            "Add --vantage NAME for one place, or --format csv for all."
        case (.page, .choosePlace), (.page, .showAllRows): "Choose one place above."
        case (.commandLine, .splitByPlace): " (see --by vantage)"
        case (.commandLine, .readSamples): ": use --exact where samples are kept"
        case (.commandLine, .readOpenings): "; --exact reads samples"
        case (.page, .splitByPlace), (.page, .readSamples), (.page, .readOpenings): ""
        case (.commandLine, .readImports): "--origin all"
        case (.page, .readImports): "dnstempo serve --origin all"
        case (.commandLine, .test(let labels)):
            "test it with "
                + Self.comparison(with: labels.contains("system") ? "system" : "NAME")
        case (.page, .test): "compare two resolvers to test it"
        }
    }

    /// The command that compares the others with a resolver, over the same time.
    static func comparison(with baseline: String) -> String {
        "dnstempo report --baseline \(EscapedText.terminal(baseline))"
    }
}
