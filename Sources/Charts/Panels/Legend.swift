/// Samples of marks with their words, in rows that fill a width.
struct Legend {
    /// Words, and the mark that they stand for, of which the left end of the middle is given.
    struct Entry {
        let text: String
        let sample: (Point) -> [Mark]
    }

    let entries: [Entry]
    /// The width of a sample with the space behind it, and the space between entries.
    let sample: Double
    let gap: Double
    var row = 19.0
    /// The height of a legend of one row.
    let height: Double
    var style = TextStyle.label

    /// The height at a width.
    func height(width: Double) -> Double {
        entries.isEmpty ? 0 : height + Double(rows(width).count - 1) * row
    }

    /// The legend at the top of `frame`.
    func marks(in frame: Rect) -> [Mark] {
        rows(frame.width).enumerated().flatMap { index, entries in
            let y = frame.y + 8 + Double(index) * row
            return entries.flatMap { x, entry in
                let base = Point(frame.x + x + sample, y + (style == .small ? 4 : 4.5))
                return entry.sample(Point(frame.x + x, y)) + [.text(entry.text, at: base, style)]
            }
        }
    }

    /// The entries of each row, with their distances from the left.
    private func rows(_ width: Double) -> [[(x: Double, entry: Entry)]] {
        var rows: [[(x: Double, entry: Entry)]] = [[]]
        var x = 0.0
        for entry in entries {
            let needed = sample + style.width(entry.text)
            if x > 0, x + needed > width {
                rows.append([])
                x = 0
            }
            rows[rows.count - 1].append((x, entry))
            x += needed + gap
        }
        return rows
    }
}
