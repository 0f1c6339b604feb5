import Samples

/// The document for a terminal and for text files.
package struct TextFormat: DocumentFormat {
    package let width: Int
    /// The maximum width of running text. Longer lines are hard to read.
    private let proseWidth: Int
    /// Whether escape sequences may add colour.
    package let colour: Bool
    /// Whether to show every statistic, and the place, time and method of the measurement.
    package let isVerbose: Bool
    /// Whether each row of a table is a sentence, as screen readers need it. There are no columns and bars.
    package let isPlain: Bool

    package init(
        width: Int = 80,
        colour: Bool = false,
        isVerbose: Bool = false,
        isPlain: Bool = false
    ) {
        self.width = max(20, width)
        proseWidth = min(self.width, 100)
        self.colour = colour
        self.isVerbose = isVerbose
        self.isPlain = isPlain
    }

    package func render(_ document: Document) -> String {
        let advice = document.advice.flatMap { $0.isSwitch || isVerbose ? $0 : nil }
        let warnings = document.warnings.filter { isVerbose || !$0.isDetail }
        let answers = document.sections.flatMap { blocks($0, of: document) }
        let examinations: [[String]] = document.examinations.map(lines)
        let beside = [
            prose(document.encryption), advice?.lines(width: proseWidth) ?? [],
            prose(document.beside),
        ]
        let instruments: [[String]] = isVerbose ? document.instruments.map(lines) : []
        let end = [
            warnings.flatMap(lines), isVerbose ? prose(document.details) : [], closing(document),
            prose([document.redaction].compactMap(\.self)),
        ]
        return (answers + examinations + beside + instruments + end).filter { !$0.isEmpty }
            .joined(separator: [""]).map { $0 + "\n" }.joined()
    }

    private func prose(_ sentences: [String]) -> [String] {
        sentences.flatMap { EscapedText.terminal($0).wrapped(to: proseWidth) }
    }

    private func blocks(_ section: Document.Section, of document: Document) -> [[String]] {
        let tables = section.tables.filter { isVerbose || !$0.isDetail }
            .map { isPlain ? $0.sentences(width: width) : $0.lines(width: width, colour: colour) }
        if section.addsUp { return tables + [[EscapedText.terminal(section.headline)]] }
        let headline = prose([section.headline])
            .map { StyledText(text: $0, style: .strong).rendered(colour: colour) }
        // The examinations contain the same facts in full.
        let shown = document.examinations.isEmpty ? section.facts : []
        let facts = shown.flatMap {
            "- \(EscapedText.terminal($0))".wrapped(to: proseWidth, indent: "  ")
        }
        return [headline + facts] + tables
    }

    /// The subject, then each finding with its evidence.
    private func lines(_ examination: Document.Examination) -> [String] {
        let findings = examination.findings.flatMap { finding in
            let words = "\(finding.question), \(finding.judgement.text): \(finding.conclusion)."
            return hanging(words, by: 2) + hanging(finding.evidence, by: 4)
        }
        let silence = examination.silence.map { hanging($0, by: 2) }
        return [EscapedText.terminal(examination.subject)] + (silence ?? findings)
    }

    /// Indents the first line by `first` columns and the other lines by four.
    private func hanging(_ text: String, by first: Int) -> [String] {
        let margin = String(repeating: " ", count: 4 - first)
        return EscapedText.terminal(text).wrapped(to: max(40, proseWidth) - first, indent: margin)
            .map { String(repeating: " ", count: first) + $0 }
    }

    private func lines(_ warning: Warning) -> [String] {
        warning.isStarred
            ? "* \(warning.text)".wrapped(to: proseWidth, indent: "  ")
            : "Note: \(warning.text)".wrapped(to: proseWidth, indent: "      ")
    }

    /// A heading, and at least one line per checked item.
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

    /// The closing sentences on one line if they fit. Otherwise the command starts a line of its
    /// own.
    private func closing(_ document: Document) -> [String] {
        let sentences = (document.untested.map { ["\($0.fact)."] } ?? []) + document.closing
        let line = EscapedText.terminal(sentences.joined(separator: " "))
        return line.isEmpty || line.displayWidth > width ? prose(sentences) : [line]
    }
}

extension Advice {
    /// The changes other than speed, the lines to write at each place, and the purpose of the
    /// second resolver.
    func lines(width: Int) -> [String] {
        differences.flatMap { $0.wrapped(to: width) } + opening.wrapped(to: width)
            + TextColumn.lines(places) + silence.wrapped(to: width)
    }
}
