/// Turns successive frames of lines into what a terminal has to be sent, so that each takes the
/// place of the one before without flicker: of a frame like the one before only what changed.
///
/// The cursor stays at the end of the last line. Sequences: ECMA-48 (CUU, CUF, EL, ED), and the
/// private mode 2026 (synchronized output), which terminals that do not know it ignore.
package struct LiveScreen: Sendable {
    /// Lines on the screen.
    private var shown: [String] = []
    /// Columns and rows of the terminal when it was drawn.
    private var size = (columns: 0, rows: 0)
    /// Rows of earlier frames that a window which became lower has pushed off the screen: one that
    /// becomes higher again brings them back, just above the frame.
    private var pushedOff = 0

    package init() {}

    /// Text that shows `lines` on a terminal of `columns` and `rows`, in place of the frame before; all
    /// of them where `isWhole`, which mends what others wrote in between.
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

    /// Text that removes the last frame and leaves the cursor where it began.
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

    /// Behind a line that fills its row the cursor still stands on the last character, which an
    /// erasure would take away.
    private static func ended(_ line: String, columns: Int) -> String {
        line.displayWidth < columns ? line + eraseLine : line
    }

    private static func update(_ text: String) -> String { beginUpdate + text + endUpdate }

    /// To the first column of the first line of the frame that is shown. On a terminal that became
    /// narrower its lines may have been broken into several. Where a frame was cut off, the next one
    /// began at the top: beyond it the cursor does not go, whether or not rows have come back.
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
