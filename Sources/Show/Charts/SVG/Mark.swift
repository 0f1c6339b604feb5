/// One drawn object, as an SVG element.
struct Mark: Hashable, Sendable {
    let element: String

    private static func shape(
        _ name: String,
        _ style: MarkStyle,
        _ numbers: KeyValuePairs<String, Double>
    ) -> Mark {
        let attributes = numbers.map { #" \#($0)="\#(number($1))""# }.joined()
        return Mark(element: #"<\#(name) class="\#(style.classes)"\#(attributes)/>"#)
    }

    static func line(from: Point, to: Point, _ style: MarkStyle) -> Mark {
        shape("line", style, ["x1": from.x, "y1": from.y, "x2": to.x, "y2": to.y])
    }

    /// A horizontal line.
    static func level(_ y: Double, from: Double, to: Double, _ style: MarkStyle) -> Mark {
        .line(from: Point(from, y), to: Point(to, y), style)
    }

    /// A vertical line.
    static func upright(_ x: Double, from: Double, to: Double, _ style: MarkStyle) -> Mark {
        .line(from: Point(x, from), to: Point(x, to), style)
    }

    static func rect(_ rect: Rect, _ style: MarkStyle) -> Mark {
        let size: KeyValuePairs = [
            "x": rect.x, "y": rect.y, "width": rect.width, "height": rect.height,
        ]
        return shape("rect", style, size)
    }

    static func disc(centre: Point, radius: Double, _ style: MarkStyle) -> Mark {
        shape("circle", style, ["cx": centre.x, "cy": centre.y, "r": radius])
    }

    static func path(_ path: Path, _ style: MarkStyle) -> Mark {
        Mark(element: #"<path class="\#(style.classes)" d="\#(path.commands)"/>"#)
    }

    /// A text with one end, or its middle, at a position.
    static func text(
        _ content: String,
        at place: Point,
        anchor: TextAnchor = .start,
        _ style: TextStyle
    ) -> Mark {
        Mark(
            element: #"<text class="\#(style.rawValue)" x="\#(number(place.x))""#
                + #" y="\#(number(place.y))""#
                + (anchor == .start ? "" : #" text-anchor="\#(anchor.rawValue)""#)
                + ">\(XMLText.escaped(content))</text>"
        )
    }

    static func group(tooltip: String, isPale: Bool = false, _ marks: [Mark]) -> Mark {
        let opacity = isPale ? #" opacity="0.45""# : ""
        let elements =
            ["<g\(opacity)><title>\(XMLText.escaped(tooltip))</title>"] + marks.map(\.element)
        return Mark(element: (elements + ["</g>"]).joined(separator: "\n"))
    }

    private static func number(_ value: Double) -> String { DecimalText.trimmed(value, places: 2) }
}

extension [Mark] {
    /// The marks of the non-empty `paths`.
    static func paths(_ paths: [(Path, MarkStyle)]) -> [Mark] {
        paths.filter { !$0.0.isEmpty }.map { .path($0, $1) }
    }

    static func areas(_ areas: [MarkStyle: Path], of styles: [MarkStyle]) -> [Mark] {
        styles.compactMap { style in areas[style].map { .path($0, style) } }
    }
}

/// The part of a text that its position refers to.
enum TextAnchor: String, Hashable, Sendable {
    case start, middle, end
}

/// The class of a line or an area in the style sheet.
struct MarkStyle: Hashable, Sendable {
    let classes: String

    private init(_ classes: String) { self.classes = classes }

    static let ground = Self("ground")
    /// The background of a plot, over which a page may show values.
    static let plot = Self("ground plot")
    static let grid = Self("grid")
    static let axis = Self("axis")
    static let band = Self("band")
    /// An interval without measurements, and the hatching of a cell without measurements.
    static let gap = Self("gap")
    static let hatch = Self("hatch")
    /// A time without any answer: its area and its crossed lines.
    static let outage = Self("outage")
    static let outageLines = Self("outage-lines")
    /// A marked moment, and a moment from which another site answered.
    static let moment = Self("moment")
    static let site = Self("moment site")

    /// An area in the colour of a class of losses.
    static func loss(_ loss: LossClass) -> Self { Self("l\(loss.rawValue)") }
    static let losses = LossClass.allCases.map(loss)
    /// One of the greys of a density, from the palest; one of the colours of a heat map.
    static func smoke(_ shade: Int) -> Self { Self("s\(shade)") }
    static func heat(_ step: Int) -> Self { Self("h\(step)") }
    /// The sign for losses in a cell of a heat map.
    static func corner(onDark: Bool) -> Self { Self(onDark ? "onDark" : "onPale") }

    // The styles of a series. `nil` is a series without a style, drawn in grey.

    /// A line in the colour and dash pattern of a series.
    static func curve(_ style: SeriesStyle?) -> Self { dashed("curve", style) }
    /// A thinner line in the colour and dash pattern of a series, for lines with jumps.
    static func trace(_ style: SeriesStyle?) -> Self { dashed("trace", style) }
    /// A line in the colour of a series, without dashes.
    static func solid(_ style: SeriesStyle?) -> Self { line("curve", style) }
    /// Lines without dashes: thicker; for crosses; thin; as a row of dots.
    static func stroke(_ style: SeriesStyle?) -> Self { line("stroke", style) }
    static func cross(_ style: SeriesStyle?) -> Self { line("cross", style) }
    static func thin(_ style: SeriesStyle?) -> Self { line("thin", style) }
    static func dotted(_ style: SeriesStyle?) -> Self { line("dotted", style) }
    /// An area in the colour of a series: full, pale, or fainter where areas overlap.
    static func fill(_ style: SeriesStyle?) -> Self { Self(colour("f", style)) }
    static func pale(_ style: SeriesStyle?) -> Self { Self("pale " + colour("f", style)) }
    static func faint(_ style: SeriesStyle?) -> Self { Self("faint " + colour("f", style)) }
    /// A marker: filled, or hollow with the background inside.
    static func marker(_ style: SeriesStyle) -> Self {
        style.marker.isHollow ? line("hollow", style) : fill(style)
    }

    private static func line(_ kind: String, _ style: SeriesStyle?) -> Self {
        Self("\(kind) \(colour("c", style))")
    }

    private static func dashed(_ kind: String, _ style: SeriesStyle?) -> Self {
        Self(line(kind, style).classes + (style.map { " d\($0.dash)" } ?? ""))
    }

    private static func colour(_ letter: String, _ style: SeriesStyle?) -> String {
        style.map { "\(letter)\($0.colour)" } ?? "\(letter)-rest"
    }
}

/// The class of a text: its size in user units, weight and ink.
enum TextStyle: String, CaseIterable, Hashable, Sendable {
    case title, subtitle, heading, label, strong, small, figure, loss
    /// Text inside the cells of a heat map: on a pale cell, a dark cell, and a cell of losses.
    case onPale, onDark, onLost

    var size: Double {
        switch self {
        case .title: 21
        case .subtitle, .heading: 14
        case .label, .strong, .figure, .loss: 12.5
        case .small, .onPale, .onDark, .onLost: 11
        }
    }

    var isBold: Bool { [.title, .heading, .strong, .loss].contains(self) }

    var isQuiet: Bool { self == .subtitle || self == .small }

    /// The styles for heat maps only, with the ink of the cell, and the styles with the ink of the page.
    static let ofCells: [TextStyle] = [.onPale, .onDark, .onLost]
    static let ofPages = allCases.filter { !ofCells.contains($0) }

    /// The width of `text` in user units. The actual font is unknown, so this uses the widths of DejaVu Sans,
    /// a wide typeface.
    func width(_ text: String) -> Double {
        text.reduce(0) { $0 + Self.advance($1) } * size * weight
    }

    private var weight: Double { isBold ? 1.12 : 1 }

    /// `text`, with its middle replaced by `…` if it is wider than `limit`. The ends stay, because they
    /// distinguish addresses and names with a common beginning.
    func elided(_ text: String, to limit: Double) -> String {
        guard width(text) > limit else { return text }
        let room = limit / (size * weight) - Self.advance("…")
        let tail = Self.suffix(of: text, within: room * 0.4)
        let head = Self.suffix(of: String(text.reversed()), within: room * 0.6).reversed()
        return head + "…" + tail
    }

    /// `text` broken at spaces into lines no wider than `limit`. It is never broken before a unit. A word
    /// that is too long is shortened.
    func wrapped(_ text: String, to limit: Double) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in Self.words(of: text) {
            let longer = line.isEmpty ? word : "\(line) \(word)"
            if width(longer) <= limit {
                line = longer
                continue
            }
            if !line.isEmpty { lines.append(line) }
            line = elided(word, to: limit)
        }
        return line.isEmpty ? lines : lines + [line]
    }

    /// The words of a text. A number stays with its unit and its comparison sign.
    private static func words(of text: String) -> [String] {
        text.split(whereSeparator: \.isWhitespace).reduce(into: []) { words, word in
            let unit = word.prefix { $0.isLetter || $0 == "%" }
            let last = words.last?.last
            let isOfNumber = ["ms", "s", "min", "h", "d", "%"].contains(unit)
            if last == "<" || last == ">" || (isOfNumber && last?.isNumber == true) {
                words[words.count - 1] += " " + word
            } else {
                words.append(String(word))
            }
        }
    }

    private static func suffix(of text: String, within room: Double) -> String {
        var left = room
        let kept = text.reversed().prefix { character in
            left -= advance(character)
            return left >= 0
        }
        return String(kept.reversed())
    }

    /// The advance of one character, in em.
    private static func advance(_ character: Character) -> Double {
        switch character {
        case "i", "j", "l", "'", ".", ",", ":", ";", "|", "!", " ": 0.33
        case "f", "r", "t", "I", "-", "(", ")", "[", "]", "/": 0.42
        case "m", "w", "M", "W", "@", "%", "…", "—", "–": 1
        case "a"..."z", "0"..."9": 0.64
        case "A"..."Z": 0.76
        default: character.isASCII ? 0.84 : 1.05
        }
    }
}
