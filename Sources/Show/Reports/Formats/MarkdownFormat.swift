import Samples

/// The answer and the tables for an issue, a wiki or an e-mail (GitHub Flavored Markdown, §4.10).
package struct MarkdownFormat: DocumentFormat {
    package init() {}

    package func render(_ document: Document) -> String {
        let notes = document.warnings.filter { !$0.isDetail }
            .map { "- " + EscapedText.markdown($0.text) }
        let blocks =
            document.sections.flatMap(blocks) + document.encryption.map(EscapedText.markdown)
            + fenced(document.advice) + [notes.joined(separator: "\n")]
            + [EscapedText.markdown(document.provenance), document.redaction ?? ""]
        return blocks.filter { !$0.isEmpty }.joined(separator: "\n\n") + "\n"
    }

    private func blocks(_ section: Document.Section) -> [String] {
        let facts = section.facts.map { "- " + EscapedText.markdown($0) }
        let tables = section.tables.filter { !$0.columns(in: .markdown).isEmpty }
        return ["**\(EscapedText.markdown(section.headline))**", facts.joined(separator: "\n")]
            + tables.map(\.markdown)
    }

    private func fenced(_ advice: Advice?) -> [String] {
        guard let advice, advice.isSwitch else { return [] }
        let lines = advice.lines(width: 100).joined(separator: "\n")
        // The fence is longer than any sequence of backticks in the lines.
        let backticks = lines.split { $0 != "`" }.map(\.count).max() ?? 0
        let fence = String(repeating: "`", count: max(3, backticks + 1))
        return ["\(fence)\n\(lines)\n\(fence)"]
    }
}

extension Table {
    /// The table in GitHub Flavored Markdown (§4.10).
    var markdown: String {
        let columns = columns(in: .markdown)
        let cells = columns.map { $0.cells(in: .markdown) }
        let head = [
            columns.map { EscapedText.markdown($0.header) },
            columns.map { $0.kind == .figures ? "--:" : ":--" },
        ]
        let body = (0..<rowCount).map { row in
            zip(columns, cells).map { column, cells in
                guard row < cells.count else { return "" }
                // Figures come from this program and need no escaping.
                let text = cells[row].text
                return column.kind == .figures ? text : EscapedText.markdown(text)
            }
        }
        let notes = (footnotes?(0) ?? []).map { "\n" + EscapedText.markdown($0) }
        return ((head + body).map { "| " + $0.joined(separator: " | ") + " |" } + notes)
            .joined(separator: "\n")
    }
}
