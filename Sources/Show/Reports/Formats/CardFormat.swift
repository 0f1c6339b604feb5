import Charts
import Samples
import Statistics

/// The answer as one picture for a message or a page of news, with the first five rows of its table, the date and
/// the command. As PNG, which has two pixels for each pixel of an SVG, it has 1200 × 630 pixels.
package struct CardFormat: DocumentFormat {
    private static let width = 1200.0
    private static let margin = 60.0
    private static let rows = 5
    /// The places of the bars and of the right ends of the figures.
    private static let bars = 380.0...720.0
    private static let figures = [880.0, 1025.0, 1140.0]
    /// The widest character of a usual font is this share of the font's size. Most are narrower.
    private static let characterWidth = 0.6

    private static let ground = "#ffffff"
    private static let ink = "#1c1e21"
    private static let quiet = "#5b6067"
    private static let grid = "#e4e6ea"
    private static let accent = "#0072b2"

    package init() {}

    /// Whether a picture with this file name is a card: `card.png` or `card.svg`.
    package static func isName(_ path: String) -> Bool {
        let name = path.split(separator: "/").last.map { $0.lowercased() }
        return name == "card.png" || name == "card.svg"
    }

    package func render(_ document: Document) -> String {
        let headline = document.sections.first?.headline ?? ""
        // A long headline gets a smaller font.
        let size = headline.displayWidth > 90 ? 34.0 : 44.0
        let lines = Self.lines(headline, size: size, atMost: 3)
        var parts = lines.enumerated().map { index, line in
            Self.text(line, at: (Self.margin, 100 + Double(index) * size * 1.25), size, bold: true)
        }
        let top = 100 + Double(lines.count) * size * 1.25
        if let table = document.sections.first?.tables.first {
            parts += rows(of: table, below: top)
        }
        let foot = EscapedText.terminal("dnstempo · " + document.provenance)
        parts.append(Self.text(foot, at: (Self.margin, 560), 18, Self.quiet))
        if let command = document.command {
            let shown = EscapedText.terminal(command)
            parts.append(Self.text(shown, at: (Self.margin, 592), 18, Self.quiet, mono: true))
        }
        if let redaction = document.redaction {
            parts.append(Self.text(redaction, at: (Self.margin, 618), 16, Self.quiet))
        }
        return """
            <svg xmlns="http://www.w3.org/2000/svg" width="600" height="315" viewBox="0 0 1200 630" \
            role="img" font-family="DejaVu Sans, system-ui, sans-serif">
            <title>\(EscapedText.html(headline))</title>
            <rect width="1200" height="630" fill="\(Self.ground)"/>
            <rect width="1200" height="12" fill="\(Self.accent)"/>
            \(parts.joined(separator: "\n"))
            </svg>

            """
    }

    private func rows(of table: Table, below top: Double) -> [String] {
        let columns = table.columns(in: .text)
        let names = columns.filter {
            $0.kind == .heading || $0.joinsHeading && $0.kind != .figures
        }
        let figures = columns.filter { $0.kind == .figures && !$0.joinsHeading && $0.bars == nil }
            .enumerated().sorted { ($0.element.drop, $0.offset) < ($1.element.drop, $1.offset) }
            .prefix(Self.figures.count).sorted { $0.offset < $1.offset }.map(\.element)
        let places = Self.figures.suffix(figures.count)
        let height = min(50, (540 - top - 30) / Double(Self.rows))
        var parts = zip(figures, places).map { column, x in
            Self.text(column.header, at: (x, top + 10), 18, Self.quiet, end: true)
        }
        let scale = Scale(columns.lazy.compactMap(\.bars).first, Self.bars, rows: Self.rows)
        for row in 0..<min(Self.rows, table.rowCount) {
            let y = top + 18 + Double(row + 1) * height - height * 0.3
            let isCurrent = table.current.indices.contains(row) && table.current[row]
            let name = names.map { $0.cells[row].text }.filter { !$0.isEmpty }.joined(
                separator: " "
            )
            let shown = EscapedText.terminal(name).truncatedInside(to: 20)
            parts.append(Self.text(shown, at: (Self.margin, y), 26, bold: isCurrent))
            parts += scale?.bar(row, y - 9) ?? []
            for (column, x) in zip(figures, places) {
                let figure = EscapedText.terminal(column.cells[row].text)
                parts.append(Self.text(figure, at: (x, y), 24, end: true))
            }
        }
        return parts
    }

    /// The bars of the shown rows, on a common axis.
    private struct Scale {
        private let summaries: [LatencySummary]
        private let place: ClosedRange<Double>
        private let axis: Axis

        init?(_ bars: TableBars?, _ place: ClosedRange<Double>, rows: Int) {
            guard case .latencies(let summaries)? = bars else { return nil }
            let shown = summaries.prefix(rows)
            (self.summaries, self.place) = (summaries, place)
            axis = Axis.durations(
                shown.flatMap { [$0.p5, $0.median, $0.p95] }.compactMap(\.self),
                typical: shown.compactMap(\.median),
                tickCount: 4
            )
        }

        private func position(_ time: Double?) -> Double? {
            time.map {
                place.lowerBound + axis.position($0) * (place.upperBound - place.lowerBound)
            }
        }

        /// The line from p5 to p95, and the dot of the median.
        func bar(_ row: Int, _ y: Double) -> [String] {
            guard summaries.indices.contains(row), let median = position(summaries[row].median),
                let start = position(summaries[row].p5)
            else { return [] }
            let end = position(summaries[row].p95) ?? place.upperBound
            return [
                "<rect x=\"\(start.fixed(1))\" y=\"\((y - 4).fixed(1))\" "
                    + "width=\"\(max(2, end - start).fixed(1))\" height=\"8\" rx=\"4\" "
                    + "fill=\"\(CardFormat.grid)\"/>",
                "<circle cx=\"\(median.fixed(1))\" cy=\"\(y.fixed(1))\" r=\"8\" "
                    + "fill=\"\(CardFormat.accent)\"/>",
            ]
        }
    }

    /// The lines of a text in a font of this size. The end of a text that is too long is replaced by an
    /// ellipsis.
    private static func lines(_ text: String, size: Double, atMost most: Int) -> [String] {
        let columns = Int((width - 2 * margin) / (size * characterWidth))
        let lines = EscapedText.terminal(text).wrapped(to: columns)
        guard lines.count > most else { return lines }
        return lines.prefix(most - 1)
            + [lines[(most - 1)...].joined(separator: " ").truncated(to: columns)]
    }

    private static func text(
        _ text: String,
        at point: (x: Double, y: Double),
        _ size: Double,
        _ colour: String = ink,
        bold: Bool = false,
        mono: Bool = false,
        end: Bool = false
    ) -> String {
        let columns = Int((width - 2 * margin) / (size * characterWidth))
        return "<text x=\"\(point.x.fixed(1))\" y=\"\(point.y.fixed(1))\" "
            + "font-size=\"\(size.fixed(0))\" fill=\"\(colour)\""
            + (bold ? " font-weight=\"700\"" : "")
            + (mono ? " font-family=\"DejaVu Sans Mono, monospace\"" : "")
            + (end ? " text-anchor=\"end\"" : "") + " xml:space=\"preserve\">"
            + EscapedText.html(text.truncated(to: columns)) + "</text>"
    }
}
