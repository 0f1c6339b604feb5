/// Turns successive frames of lines into output for a terminal. Each frame replaces the previous
/// frame without flicker. Only the changed lines are written if the terminal's size and the number
/// of lines are unchanged.
///
/// The cursor stays at the end of the last line. Sequences: ECMA-48 (CUU, CUF, EL, ED), and the
/// private mode 2026 (synchronized output). Terminals that do not support this mode ignore it.
package struct LiveScreen: Sendable {
    /// Lines on the screen.
    private var shown: [String] = []
    /// The columns and rows of the terminal when the frame was drawn.
    private var size = (columns: 0, rows: 0)
    /// The number of rows of earlier frames that left the screen when the window became lower. They
    /// return above the frame when the window becomes higher.
    private var pushedOff = 0

    package init() {}

    /// Text that replaces the previous frame with `lines`, on a terminal of `columns` and `rows`.
    /// With `isWhole`, all lines are written again, which overwrites the output of other programs.
    package mutating func frame(
        _ lines: [String],
        columns: Int,
        rows: Int,
        isWhole: Bool = false
    ) -> String {
        let start = toStart(columns: columns, rows: rows)
        let isAlike = size == (columns, rows) && lines.count == shown.count && !isWhole
        let before = shown
        shown = lines
        size = (columns, rows)
        guard isAlike else { return Self.update(start + Self.all(lines, columns: columns)) }
        if lines == before { return "" }
        return Self.update(start + Self.changes(from: before, to: lines, columns: columns))
    }

    /// Text that removes the last frame. The cursor returns to the start of the frame.
    package mutating func erase(columns: Int, rows: Int) -> String {
        guard !shown.isEmpty else { return "" }
        let start = toStart(columns: columns, rows: rows)
        shown = []
        pushedOff = 0
        return start + Self.eraseBelow
    }

    private static func all(_ lines: [String], columns: Int) -> String {
        let head = lines.dropLast().map { ended($0, columns: columns) + "\r\n" }
        return head.joined() + eraseBelow + (lines.last ?? "")
    }

    private static func changes(
        from before: [String],
        to lines: [String],
        columns: Int
    ) -> String {
        let rows = zip(before, lines).map { $0 == $1 ? "" : ended($1, columns: columns) }
        var text = rows.joined(separator: "\r\n")
        if let last = lines.last, last == before.last, last.displayWidth > 0 {
            text += "\u{1B}[\(last.displayWidth)C"
        }
        return text
    }

    /// After a line that fills its row, the cursor is still on the last character. An erasure would
    /// remove this character.
    private static func ended(_ line: String, columns: Int) -> String {
        line.displayWidth < columns ? line + eraseLine : line
    }

    private static func update(_ text: String) -> String { beginUpdate + text + endUpdate }

    /// Moves the cursor to the first column of the frame's first line. A terminal that became
    /// narrower may have broken its lines into several rows. If a frame was cut off, the next frame
    /// started at the top of the screen. The cursor does not move beyond the top, whether or not
    /// rows have returned.
    private mutating func toStart(columns: Int, rows: Int) -> String {
        guard !shown.isEmpty else { return "\r" }
        let width = max(1, columns)
        var up = shown.reduce(-1) { $0 + max(1, ($1.displayWidth + width - 1) / width) }
        if up >= rows {
            pushedOff += up + 1 - rows
        } else if pushedOff > 0, rows > size.rows {
            let back = min(pushedOff, rows - size.rows)
            pushedOff -= back
            up += back
        }
        return up > 0 ? "\r\u{1B}[\(up)A" : "\r"
    }

    private static let eraseLine = "\u{1B}[K"
    private static let eraseBelow = "\u{1B}[J"
    private static let beginUpdate = "\u{1B}[?2026h"
    private static let endUpdate = "\u{1B}[?2026l"
}
