/// What the looks of the parts stand for, in rows that fill a width.
struct OpeningLegend {
    private static let row = 19.0
    private static let sample = 26.0

    let parts: [OpeningPart]
    let hasKept: Bool

    func height(width: Double) -> Double { Double(lines(width: width).count) * Self.row + 4 }

    func marks(at top: Point, width: Double) -> [Mark] {
        lines(width: width).enumerated().flatMap { line, entries in
            var x = top.x
            let y = top.y + Double(line) * Self.row + 8
            return entries.flatMap { entry -> [Mark] in
                let start = x
                x += Self.width(entry)
                return sample(entry.part, at: Point(x: start, y: y)) + [
                    .text(
                        entry.text,
                        at: Point(x: start + Self.sample + 6, y: y + 4.5),
                        .label
                    )
                ]
            }
        }
    }

    private func sample(_ part: OpeningPart?, at left: Point) -> [Mark] {
        guard let part else {
            let end = Point(x: left.x + Self.sample - 5, y: left.y)
            return OpeningBar.keptSample(from: left, to: end)
        }
        let box = Rect(x: left.x, y: left.y - 5.5, width: Self.sample, height: 11)
        return OpeningBar.sample(part, in: box)
    }

    private typealias Entry = (part: OpeningPart?, text: String)

    private var entries: [Entry] {
        parts.map { ($0, $0.rawValue) } + (hasKept ? [(nil, "query on a kept connection")] : [])
    }

    private func lines(width: Double) -> [[Entry]] {
        var lines: [[Entry]] = []
        var free = 0.0
        for entry in entries {
            let needed = Self.width(entry)
            if needed > free + 20 || lines.isEmpty {
                lines.append([])
                free = width
            }
            lines[lines.count - 1].append(entry)
            free -= needed
        }
        return lines
    }

    private static func width(_ entry: Entry) -> Double {
        sample + 6 + TextMetrics.width(entry.text, size: TextStyle.label.size) + 20
    }
}
