/// Charts of one kind below each other, one a resolver, on the same axes: transports are compared
/// within a resolver, and fewer lines cross each other.
struct GroupedPanel: Panel {
    private static let title = 20.0
    private static let gap = 8.0
    /// More resolvers than this are left out, and said to be.
    static let limit = 8

    /// A resolver's label and chart.
    struct Part {
        let resolver: String
        let panel: any Panel
    }

    private let parts: [Part]
    private let leftOut: Int

    /// `leftOut` more resolvers are only told of.
    init(_ parts: [Part], leftOut: Int) {
        self.parts = parts
        self.leftOut = leftOut
    }

    var heading: String { parts.first?.panel.heading ?? "" }

    var notes: [String] {
        var seen: Set<String> = []
        let different = parts.flatMap(\.panel.notes).filter { seen.insert($0).inserted }
        // Not all have everything that is to be explained.
        let all = different.filter { note in
            !different.contains { $0 != note && $0.hasPrefix(note) }
        }
        return leftOut == 0 ? all : all + ["\(leftOut) more resolvers are not drawn."]
    }

    func height(width: Double) -> Double {
        parts.reduce(0) { $0 + Self.title + $1.panel.height(width: width) + Self.gap }
    }

    func marks(in frame: Rect) -> [Mark] {
        var y = frame.y
        return parts.flatMap { part -> [Mark] in
            let style = TextStyle.strong
            let name = TextMetrics.elided(
                part.resolver,
                to: frame.width,
                size: style.size,
                bold: style.isBold
            )
            let title = Mark.text(name, at: Point(x: frame.x, y: y + 13), style)
            let room = Rect(
                x: frame.x,
                y: y + Self.title,
                width: frame.width,
                height: part.panel.height(width: frame.width)
            )
            y = room.bottom + Self.gap
            return [title] + part.panel.marks(in: room)
        }
    }
}
