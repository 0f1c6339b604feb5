/// A cell of a table for spreadsheets, as it is before it is escaped for where it goes.
struct CSVCell: Hashable {
    let text: String
    /// Whether it came from elsewhere; figures and words of our own need no escape.
    private let isForeign: Bool

    /// A label, an address or whatever else was not made here.
    static func text(_ text: String) -> CSVCell { CSVCell(text: text, isForeign: true) }

    /// A number, a moment or a word of our own; empty for what there is not.
    static func figure(_ text: String) -> CSVCell { CSVCell(text: text, isForeign: false) }

    /// Ready for a file.
    var csv: String { isForeign ? EscapedText.csv(text) : text }
}
