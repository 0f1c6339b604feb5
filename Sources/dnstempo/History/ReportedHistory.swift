import Catalogue
import Charts
import Failures
import History
import Processes
import Reports
import Samples

/// A history, and the redaction of the reports on it.
struct ReportedHistory {
    let source: HistorySource
    /// The redaction with all values of the history; `nil` if reports are not redacted.
    let redaction: Redaction?

    init(_ source: HistorySource, _ redaction: Redaction?) throws {
        self.source = source
        var noted = redaction
        if var redaction {
            try source.note(in: &redaction)
            // The description of a filter contains the names of sites.
            for site in source.filter.sites ?? [] { redaction.note(word: site, as: "site") }
            noted = redaction
        }
        self.redaction = noted
    }

    init(_ source: HistorySource, noted redaction: Redaction?) {
        (self.source, self.redaction) = (source, redaction)
    }

    /// The source of the reports.
    var reported: any SampleSource {
        redaction.map { RedactedSource(source, $0) } ?? source
    }

    /// The same history, with each resolver under the name that its place uses.
    var namedAsRecorded: ReportedHistory {
        ReportedHistory(source.namedAsRecorded, noted: redaction)
    }

    /// The label of reports for a label that the user wrote.
    func label(_ label: String) -> String { redaction?.label(label) ?? label }

    func reader(_ context: WindowContext, charts: WantedCharts? = nil) -> HistoryReader {
        HistoryReader(reported, reported(context), charts: charts)
    }

    /// The context without the values in its options.
    func reported(_ context: WindowContext) -> WindowContext {
        var context = context
        if let redaction { context.selection = redaction.replacingNoted(in: context.selection) }
        return context
    }

    /// The recording of a window as reports show it.
    func recording(_ window: Range<Timestamp>) throws -> Recording {
        let recording = try source.recording(window)
        return redaction?.applied(to: recording) ?? recording
    }
}

extension CommandLine {
    /// The command as outputs show it.
    static func shown(_ words: some Sequence<String>, by redaction: Redaction?) -> String {
        redaction?.command(Array(words)) ?? shown(Array(words))
    }
}
