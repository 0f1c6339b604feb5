/// A page of the guide for a terminal. It supports the part of Markdown (GitHub Flavored Markdown)
/// that the guide uses.
///
/// Paragraphs and list items are wrapped. Blocks of code are indented. Each row of a table becomes
/// an entry of a list. Comments are omitted.
package struct MarkdownText {
    private let width: Int
    /// The text of a link to another page, by the name of the page.
    private let link: (_ page: String) -> String
    private var lines: [String] = []
    private var paragraph: [Substring] = []
    private var isInCode = false
    /// The index of the first line of the last row of a table.
    private var header = 0

    package init(
        _ markdown: String,
        width: Int,
        link: @escaping (_ page: String) -> String
    ) {
        self.width = width
        self.link = link
        for line in markdown.split(separator: "\n", omittingEmptySubsequences: false) { add(line) }
        endParagraph()
    }

    /// The page, with a line break at its end and without two empty lines in a row.
    package var text: String {
        let kept = lines.indices.filter { index in
            !lines[index].isEmpty || index > 0 && !lines[index - 1].isEmpty
        }
        let text = kept.map { lines[$0] + "\n" }.joined()
        return text.hasSuffix("\n\n") ? String(text.dropLast()) : text
    }

    private mutating func add(_ line: Substring) {
        if line.hasPrefix("```") {
            endParagraph()
            isInCode.toggle()
            lines.append("")
        } else if isInCode {
            lines.append(line.isEmpty ? "" : "    " + line)
        } else if line.hasPrefix("    "), paragraph.isEmpty {
            lines.append(String(line))
        } else if line.hasPrefix("#") {
            endParagraph()
            let heading = plain(line.drop { $0 == "#" || $0 == " " })
            lines += [""] + heading.wrapped(to: width) + [""]
        } else if line.hasPrefix("|") {
            endParagraph()
            addRow(line)
        } else if line.hasPrefix("<!--") || line.isEmpty {
            endParagraph()
            lines.append("")
        } else {
            if Self.beginsItem(line) { endParagraph() }
            paragraph.append(line)
        }
    }

    private mutating func endParagraph() {
        guard let first = paragraph.first else { return }
        let isItem = Self.beginsItem(first)
        let text = plain(paragraph.map { $0.trimming(" ") }.joined(separator: " ")[...])
        lines += text.wrapped(to: width, indent: isItem ? "  " : "")
        paragraph = []
    }

    private mutating func addRow(_ line: Substring) {
        if line.hasPrefix("|:") || line.hasPrefix("|-") {
            // The row before the separator is the header. The entries do not need its words.
            lines.removeSubrange(header...)
            return
        }
        header = lines.count
        let cells = line.trimming("| ").split(separator: " | ").map { plain($0.trimming(" ")) }
        guard let first = cells.first else { return }
        let rest = cells.dropFirst().filter { !$0.isEmpty }.joined(separator: "; ")
        lines += "- \(first)\(rest.isEmpty ? "" : ": \(rest)")".wrapped(to: width, indent: "  ")
    }

    /// The text without marks of code and emphasis, and with the targets of links.
    private func plain(_ text: Substring) -> String {
        String(text).replacing(#/\[([^\]]*)\]\(([^)]*)\)/#) { match in
            let (words, target) = (match.1, match.2)
            if target.contains("://") { return "\(words) (\(target))" }
            let page = target.prefix { $0 != "#" }.split(separator: "/").last ?? ""
            return page.hasSuffix(".md")
                ? "\(words) (\(link(String(page.dropLast(3)))))" : "\(words)"
        }
        .replacing("**", with: "").replacing("`", with: "")
    }

    private static func beginsItem(_ line: Substring) -> Bool {
        line.drop { $0 == " " }.hasPrefix("- ") || line.prefixMatch(of: #/\d+\. /#) != nil
    }
}

extension Substring {
    /// The text without `characters` at both ends.
    fileprivate func trimming(_ characters: String) -> Substring {
        var text = self
        while let first = text.first, characters.contains(first) { text.removeFirst() }
        while let last = text.last, characters.contains(last) { text.removeLast() }
        return text
    }
}
