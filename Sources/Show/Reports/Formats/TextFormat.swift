import Samples

/// The document for a terminal and for text files.
package struct TextFormat: DocumentFormat {
    package let width: Int
    /// Longer lines are hard to read.
    private let proseWidth: Int
    /// Whether escape sequences may add colour.
    package let colour: Bool
    /// Whether every statistic is shown, and where, when and how it was measured.
    package let isVerbose: Bool

    package init(width: Int = 80, colour: Bool = false, isVerbose: Bool = false) {
        self.width = max(20, width)
        proseWidth = min(self.width, 100)
        self.colour = colour
        self.isVerbose = isVerbose
    }

    package func render(_ document: Document) -> String {
        if let text = document.text { return text(width) }
        let advice = document.advice.flatMap { $0.isSwitch || isVerbose ? $0 : nil }
        let warnings = document.warnings.filter { isVerbose || !$0.isDetail }
        let blocks =
            document.sections.flatMap(blocks) + [
                prose(document.encryption), advice?.lines(width: proseWidth) ?? [],
                prose(document.beside),
            ] + (isVerbose ? document.instruments.map(lines) : []) + [
                warnings.flatMap(lines), isVerbose ? prose(document.details) : [],
                closing(document),
            ]
        return blocks.filter { !$0.isEmpty }.joined(separator: [""]).map { $0 + "\n" }.joined()
    }

    private func prose(_ sentences: [String]) -> [String] {
        sentences.flatMap { EscapedText.terminal($0).wrapped(to: proseWidth) }
    }

    private func blocks(_ section: Document.Section) -> [[String]] {
        let headline = prose([section.headline])
            .map { StyledText(text: $0, style: .strong).rendered(colour: colour) }
        let facts = section.facts.flatMap {
            "- \(EscapedText.terminal($0))".wrapped(to: proseWidth, indent: "  ")
        }
        let tables = section.tables.filter { isVerbose || !$0.isDetail }
        return [headline + facts]
            + tables.map { $0.lines(width: width, colour: colour) }
    }

    private func lines(_ warning: Warning) -> [String] {
        warning.isStarred
            ? "* \(warning.text)".wrapped(to: proseWidth, indent: "  ")
            : "Note: \(warning.text)".wrapped(to: proseWidth, indent: "      ")
    }

    /// A heading and a line or more for each thing that was looked at.
    private func lines(_ terms: Document.Terms) -> [String] {
        guard !terms.pairs.isEmpty else { return [] }
        let names = terms.pairs.map {
            EscapedText.terminal($0.name).truncated(to: max(8, proseWidth / 3))
        }
        let column = (names.map(\.displayWidth).max() ?? 0) + 2
        let texts = terms.pairs.map { $0.text.wrapped(to: max(20, proseWidth - column - 2)) }
        return "\(terms.heading):".wrapped(to: proseWidth)
            + TextColumn.lines(Array(zip(names, texts)))
    }

    /// On one line where that has room for the command, which else begins its own.
    private func closing(_ document: Document) -> [String] {
        let sentences = (document.untested.map { [$0.text] } ?? []) + document.closing
        let line = EscapedText.terminal(sentences.joined(separator: " "))
        return line.isEmpty || line.displayWidth > width ? prose(sentences) : [line]
    }
}
