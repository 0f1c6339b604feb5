import Foundation

#if canImport(FoundationXML)
import FoundationXML
#endif

/// The elements of an SVG document. An XML parser reads the document. The initialiser returns `nil` for a
/// malformed document.
struct ParsedDrawing {
    struct Element {
        let name: String
        let attributes: [String: String]
        var text = ""
    }

    let elements: [Element]

    init?(_ svg: String) {
        let reader = ElementReader()
        let parser = XMLParser(data: Data(svg.utf8))
        parser.delegate = reader
        guard parser.parse() else { return nil }
        elements = reader.elements
    }

    /// The elements with this name.
    func all(_ name: String) -> [Element] {
        elements.filter { $0.name == name }
    }
}

private final class ElementReader: NSObject, XMLParserDelegate {
    var elements: [ParsedDrawing.Element] = []
    private var open: [Int] = []

    func parser(
        _ parser: XMLParser,
        didStartElement name: String,
        namespaceURI: String?,
        qualifiedName: String?,
        attributes: [String: String]
    ) {
        open.append(elements.count)
        elements.append(ParsedDrawing.Element(name: name, attributes: attributes))
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) {
        guard let last = open.last else { return }
        elements[last].text += string
    }

    func parser(
        _ parser: XMLParser,
        didEndElement name: String,
        namespaceURI: String?,
        qualifiedName: String?
    ) {
        open.removeLast()
    }
}

extension ParsedDrawing.Element {
    /// Returns a numeric attribute, or 0 without one.
    func number(_ name: String) -> Double {
        attributes[name].flatMap(Double.init) ?? 0
    }

    /// The smallest and largest x and y of the element. Text has its estimated width.
    var extent: (x: ClosedRange<Double>, y: ClosedRange<Double>)? {
        switch name {
        case "rect":
            let (x, y) = (number("x"), number("y"))
            return (x...(x + number("width")), y...(y + number("height")))
        case "circle":
            let (x, y, r) = (number("cx"), number("cy"), number("r"))
            return ((x - r)...(x + r), (y - r)...(y + r))
        case "line":
            let (x, y) = ([number("x1"), number("x2")], [number("y1"), number("y2")])
            return (x[0]...max(x[0], x[1]), min(y[0], y[1])...max(y[0], y[1]))
        case "path": return pathExtent
        case "text": return textExtent
        default: return nil
        }
    }

    private var pathExtent: (x: ClosedRange<Double>, y: ClosedRange<Double>)? {
        var (xs, ys): ([Double], [Double]) = ([], [])
        for command in (attributes["d"] ?? "").matches(of: /([MLHVhZ])([-0-9. ]*)/) {
            let numbers = command.2.split(separator: " ").compactMap { Double($0) }
            switch command.1 {
            case "M", "L":
                xs.append(numbers[0])
                ys.append(numbers[1])
            case "H": xs += numbers
            case "V": ys += numbers
            default: continue
            }
        }
        guard let left = xs.min(), let right = xs.max(), let top = ys.min(), let low = ys.max()
        else { return nil }
        return (left...right, top...low)
    }
}
