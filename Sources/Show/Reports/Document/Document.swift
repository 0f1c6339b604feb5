package import Charts
package import Samples

/// The content of a report, which every output format renders.
package struct Document: Sendable {
    /// An answer with the figures that support it.
    package struct Section: Sendable {
        package var headline: String
        /// The amount of data, such as the number of queries.
        package var scope = ""
        /// Facts, one per sentence, the most important first.
        package var details: [String] = []
        package var tables: [Table] = []
        /// Whether the headline summarises the tables. A text then shows the headline below the
        /// tables.
        var addsUp = false

        /// The details, then the scope.
        var facts: [String] { (details + [scope]).filter { !$0.isEmpty } }

        package init(_ headline: String, details: [String] = [], tables: [Table] = []) {
            self.headline = headline
            self.details = details
            self.tables = tables
        }
    }

    /// A heading, and the state of each checked item.
    typealias Terms = (heading: String, pairs: [(name: String, text: String)])

    /// A subject of checks, with the finding for each question.
    struct Examination: Sendable {
        struct Finding: Sendable {
            var question: String
            var judgement: Table.Cell
            /// A clause without a final full stop.
            var conclusion: String
            /// A sentence about the evidence; empty without evidence.
            var evidence: String
        }

        var subject: String
        var findings: [Finding]
        /// A sentence that gives the reason why there are no findings.
        var silence: String?
    }

    /// A part of running text.
    enum Passage: Sendable {
        case paragraph(String)
        case list([String])
        case terms([(name: String, text: String)])
    }

    /// The sections, the answer first.
    package var sections: [Section]
    var encryption: [String] = []
    var advice: Advice?
    /// Sentences about other measurements than the queries.
    var beside: [String] = []
    /// The state of the instrument, shown in detailed texts and on pages.
    var instruments: [Terms] = []
    /// The single findings that the answer rests on.
    var examinations: [Examination] = []
    var warnings: [Warning] = []
    /// The parts that were not tested, and the advice for testing them. Each is a clause. The
    /// advice is shown only if there is room.
    var untested: (fact: String, advice: String)?
    /// The method of the measurement, shown under ``methodHeading``.
    var method: [Passage] = []
    var methodHeading = "How it was measured"
    /// The place, the time and the program version of the measurement.
    package var provenance: String
    /// Sentences at the end of a text. Only detailed output shows ``details``.
    var closing: [String] = []
    var details: [String] = []
    /// The command that repeats the measurement, with its heading.
    package var command: String?
    package var commandHeading = "Measure it again"
    /// The charts, created only when they are shown.
    package var charts: @Sendable () -> [Sheet] = { [] }
    /// One picture of all charts or of one kind; `nil` without charts.
    package var sheet: @Sendable (ChartKind?) -> Sheet? = { _ in nil }
    /// The sentence that names the removed values; `nil` if the document is not redacted.
    package var redaction: String?
    /// All figures.
    package var figures: @Sendable () -> FigureTable = { FigureTable() }
    /// The figures for spreadsheets, with additional columns; `nil` if they equal ``figures``.
    var spreadsheet: (@Sendable () -> FigureTable)?
    package var json: @Sendable () -> JSONValue

    package init(
        _ sections: [Section],
        provenance: String,
        json: @escaping @Sendable () -> JSONValue
    ) {
        self.sections = sections
        self.provenance = provenance
        self.json = json
    }

    /// One picture of `charts` below the answer.
    package func sheet(of charts: [Chart]) -> Sheet {
        Sheet(
            title: sections.first?.headline ?? "",
            subtitle: sections.flatMap(\.facts).joined(separator: " "),
            charts: charts,
            footer: (warnings.filter { !$0.isDetail }.map(\.text) + [provenance])
                .joined(separator: " ")
        )
    }
}

package protocol Report: Sendable {
    var document: Document { get }
}

package protocol DocumentFormat: Sendable {
    /// Returns the document as text that ends with a line break.
    func render(_ document: Document) -> String
}
