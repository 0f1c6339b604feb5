/// A drawing of a fixed size: marks in the order in which they cover each other.
struct Canvas: Hashable, Sendable {
    let width: Double
    let height: Double
    private(set) var marks: [Mark] = []

    init(width: Double, height: Double) {
        self.width = width
        self.height = height
    }

    /// Puts a mark above those drawn before.
    mutating func draw(_ mark: Mark) {
        marks.append(mark)
    }

    /// Puts marks above those drawn before, each above the one before it.
    mutating func draw(_ more: [Mark]) {
        marks += more
    }

    /// The drawing as a standalone SVG 1.1 document. `identifier` begins the ids of the title and
    /// the description, which must differ between the charts of one page; without `style` it is for
    /// a page that has it.
    func svg(
        title: String,
        description: String,
        identifier: String,
        style: String? = StyleSheet.text
    ) -> String {
        let (width, height) = (Self.number(width), Self.number(height))
        let id = identifier.filter { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
        var lines = [
            #"<svg xmlns="http://www.w3.org/2000/svg" class="dnstempo" width="\#(width)""#
                + #" height="\#(height)" viewBox="0 0 \#(width) \#(height)" role="img""#
                + #" aria-labelledby="\#(id)-title \#(id)-desc">"#,
            #"<title id="\#(id)-title">\#(XMLText.escaped(title))</title>"#,
            #"<desc id="\#(id)-desc">\#(XMLText.escaped(description))</desc>"#,
            style.map { "<style>\n\($0)\n</style>" },
            #"<rect class="ground" width="\#(width)" height="\#(height)"/>"#,
        ].compactMap(\.self)
        lines += marks.map(Self.element)
        lines.append("</svg>")
        return lines.joined(separator: "\n") + "\n"
    }

    private static func element(_ mark: Mark) -> String {
        switch mark {
        case .line(let from, let to, let style):
            #"<line class="\#(style.classes)" x1="\#(number(from.x))" y1="\#(number(from.y))""#
                + #" x2="\#(number(to.x))" y2="\#(number(to.y))"/>"#
        case .rect(let rect, let style):
            #"<rect class="\#(style.classes)" x="\#(number(rect.x))" y="\#(number(rect.y))""#
                + #" width="\#(number(rect.width))" height="\#(number(rect.height))"/>"#
        case .disc(let centre, let radius, let style):
            #"<circle class="\#(style.classes)" cx="\#(number(centre.x))""#
                + #" cy="\#(number(centre.y))" r="\#(number(radius))"/>"#
        case .path(let path, let style):
            #"<path class="\#(style.classes)" d="\#(path.commands)"/>"#
        case .text(let content, let position, let anchor, let style):
            #"<text class="\#(style.rawValue)" x="\#(number(position.x))""#
                + #" y="\#(number(position.y))""#
                + (anchor == .start ? "" : #" text-anchor="\#(anchor.rawValue)""#)
                + ">\(XMLText.escaped(content))</text>"
        case .group(let tooltip, let marks):
            "<g><title>\(XMLText.escaped(tooltip))</title>\n"
                + marks.map(element).joined(separator: "\n") + "\n</g>"
        }
    }

    private static func number(_ value: Double) -> String {
        DecimalText.trimmed(value, places: 2)
    }
}
