/// Turns successive frames of lines into what a terminal has to be sent, so that each takes the
/// place of the one before without flicker.
///
/// The cursor stays at the end of the last line. Sequences: ECMA-48 (CUU, EL, ED), and the private
/// mode 2026 (synchronized output), which terminals that do not know it ignore.
public struct LiveScreen: Hashable, Sendable {
    /// Widths of the lines that are on the screen, in columns.
    private var shown: [Int] = []

    public init() {}

    /// What shows `lines` on a terminal of `width` columns, in place of the frame before.
    public mutating func frame(_ lines: [String], width: Int) -> String {
        let start = toStart(width: width)
        shown = lines.map(\.displayWidth)
        // Behind a line that fills its row the cursor still stands on the last character, which
        // an erasure would take away.
        let head = zip(lines, shown).dropLast()
            .map { $0 + ($1 < width ? Self.eraseLine : "") + "\r\n" }
        let last = Self.eraseBelow + (lines.last ?? "")
        return Self.beginUpdate + start + head.joined() + last + Self.endUpdate
    }

    /// What removes the last frame and leaves the cursor where it began.
    public mutating func erase(width: Int) -> String {
        guard !shown.isEmpty else { return "" }
        let start = toStart(width: width)
        shown = []
        return start + Self.eraseBelow
    }

    /// To the first column of the first line of the frame that is shown. On a terminal that became
    /// narrower its lines may have been broken into several.
    private func toStart(width: Int) -> String {
        guard !shown.isEmpty else { return "\r" }
        let columns = max(1, width)
        let lines = shown.reduce(0) { $0 + max(1, ($1 + columns - 1) / columns) }
        return lines > 1 ? "\r\u{1B}[\(lines - 1)A" : "\r"
    }

    private static let eraseLine = "\u{1B}[K"
    private static let eraseBelow = "\u{1B}[J"
    private static let beginUpdate = "\u{1B}[?2026h"
    private static let endUpdate = "\u{1B}[?2026l"
}
