package import Charts
package import Samples

/// Content of a report, which each format writes in its way.
package struct Document: Sendable {
    /// An answer with the figures that it rests on.
    package struct Section: Sendable {
        package var headline: String
        /// How much was measured.
        package var scope = ""
        /// Facts, one each, most important first.
        package var details: [String] = []
        package var tables: [Table] = []
        /// Whether the headline is the sum of the tables, below which a text has it.
        var addsUp = false

        /// The details, then the scope.
        var facts: [String] { (details + [scope]).filter { !$0.isEmpty } }

        package init(_ headline: String, details: [String] = [], tables: [Table] = []) {
            self.headline = headline
            self.details = details
            self.tables = tables
        }
    }

    /// Things that were looked at, and how each was.
    typealias Terms = (heading: String, pairs: [(name: String, text: String)])

    /// Something that was examined, with what was found of each question.
    struct Examination: Sendable {
        struct Finding: Sendable {
            var question: String
            var judgement: Table.Cell
            /// A clause without a final dot.
            var conclusion: String
            /// Sentence on what it rests on; empty for nothing.
            var evidence: String
        }

        var subject: String
        var findings: [Finding]
        /// Sentence on why there are no findings.
        var silence: String?
    }

    /// A part of running text.
    enum Passage: Sendable {
        case paragraph(String)
        case list([String])
        case terms([(name: String, text: String)])
    }

    /// The answer first.
    package var sections: [Section]
    var encryption: [String] = []
    var advice: Advice?
    /// Sentences on what was measured beside the queries.
    var beside: [String] = []
    /// How the instrument was, for those who ask.
    var instruments: [Terms] = []
    /// Findings that the answer rests on, one by one.
    var examinations: [Examination] = []
    var warnings: [Warning] = []
    /// What was not tested, and what to do about it where there is room for that: a clause each.
    var untested: (fact: String, advice: String)?
    /// How it came about, under its heading.
    var method: [Passage] = []
    var methodHeading = "How it was measured"
    /// Where, when and with what it was measured.
    package var provenance: String
    /// Sentences at the end of a text, and those for whoever asks for all.
    var closing: [String] = []
    var details: [String] = []
    /// Command that makes it again, with its heading.
    package var command: String?
    package var commandHeading = "Measure it again"
    /// Made only where they are shown.
    package var charts: @Sendable () -> [Sheet] = { [] }
    /// One picture, of all charts or of one kind; `nil` where there is none.
    package var sheet: @Sendable (ChartKind?) -> Sheet? = { _ in nil }
    /// All figures.
    package var figures: @Sendable () -> FigureTable = { FigureTable() }
    /// The same with what belongs to a file for spreadsheets alone.
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

    /// One picture of `charts` under the answer.
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
    /// The whole of it as text, with a line break at its end.
    func render(_ document: Document) -> String
}
