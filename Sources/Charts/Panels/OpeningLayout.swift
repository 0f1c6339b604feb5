/// Where the rows of the parts of first answers go: resolver by resolver, the bar beside its label
/// and figures, or, where it is narrow, below them.
struct OpeningLayout {
    /// A line above the rows of a resolver, or a row.
    enum Line: Hashable {
        case resolver(String, note: String?)
        case row(Int)
    }

    private static let header = 18.0
    private static let footer = 38.0
    private static let title = 29.0
    private static let column = 82.0
    private static let indent = 10.0

    let room: Rect
    let left: Double
    let labelWidth: Double
    /// The right ends of the columns of figures.
    let first: Double
    let kept: Double
    let headerLevel: Double
    private let isNarrow: Bool

    private static func height(_ line: Line, width: Double) -> Double {
        if case .resolver = line { return title }
        return width < OpeningPanel.leastWide ? 48 : 31
    }

    static func height(_ lines: [Line], width: Double) -> Double {
        header + lines.reduce(0) { $0 + height($1, width: width) } + footer
    }

    init(_ frame: Rect, lines: [Line], labelWidth: Double, hasKept: Bool) {
        isNarrow = frame.width < OpeningPanel.leastWide
        kept = frame.right
        first = hasKept ? frame.right - Self.column : frame.right
        left = frame.x + Self.indent
        let start = isNarrow ? left : left + labelWidth + 12
        let end = isNarrow ? frame.right - 16 : first - Self.column
        room = Rect(
            x: start,
            y: frame.y + Self.header,
            width: end - start,
            height: lines.reduce(0) { $0 + Self.height($1, width: frame.width) }
        )
        self.labelWidth = isNarrow ? first - Self.column - left : labelWidth
        headerLevel = frame.y + 11
        tops = lines.reduce(into: [room.y]) { tops, line in
            tops.append((tops.last ?? 0) + Self.height(line, width: frame.width))
        }
    }

    private let tops: [Double]

    /// The middle of the bar of a line, and the base line of its texts.
    func levels(ofLine index: Int) -> (centre: Double, base: Double) {
        isNarrow ? (tops[index] + 26, tops[index] + 14) : (tops[index] + 12, tops[index] + 16.5)
    }

    /// The base line of the name above the rows of a resolver.
    func titleBase(ofLine index: Int) -> Double { tops[index] + 21 }
}
