import Reports
import Testing

struct LiveScreenTests {
    private static let begin = "\u{1B}[?2026h"
    private static let end = "\u{1B}[?2026l"

    @Test func `a frame replaces the previous frame`() {
        var screen = LiveScreen()
        let first = screen.frame(["one", "two", "three"], columns: 80, rows: 24)
        #expect(!first.contains("A"))
        let second = screen.frame(["four", "five"], columns: 80, rows: 24)
        #expect(second == Self.begin + "\r\u{1B}[2Afour\u{1B}[K\r\n\u{1B}[Jfive" + Self.end)
    }

    @Test func `only changed lines are sent`() {
        var screen = LiveScreen()
        _ = screen.frame(["one", "two", "three"], columns: 80, rows: 24)
        let second = screen.frame(["one", "TWO", "three"], columns: 80, rows: 24)
        #expect(second == Self.begin + "\r\u{1B}[2A\r\nTWO\u{1B}[K\r\n\u{1B}[5C" + Self.end)
        #expect(screen.frame(["one", "TWO", "three"], columns: 80, rows: 24).isEmpty)
        let whole = screen.frame(["one", "TWO", "three"], columns: 80, rows: 24, isWhole: true)
        #expect(whole.contains("one") && whole.contains("three"))
    }

    @Test(arguments: [(79, 24), (81, 24), (80, 23), (80, 25)])
    func `a resized terminal gets the whole frame`(columns: Int, rows: Int) {
        var screen = LiveScreen()
        _ = screen.frame(["one", "two"], columns: 80, rows: 24)
        #expect(screen.frame(["one", "two"], columns: columns, rows: rows).contains("one"))
    }

    @Test func `rows of lines that a narrower terminal wraps are counted`() {
        var screen = LiveScreen()
        _ = screen.frame([String(repeating: "x", count: 80), "short"], columns: 80, rows: 24)
        // A line of 80 columns fills three rows of 30 columns.
        let frame = screen.frame(["y"], columns: 30, rows: 24)
        #expect(frame.hasPrefix(Self.begin + "\r\u{1B}[3A"))
    }

    @Test func `rows that a lower terminal scrolled off return at the top`() {
        var screen = LiveScreen()
        let lines = (1...8).map(String.init)
        _ = screen.frame(lines, columns: 80, rows: 24)
        let low = screen.frame(Array(lines.prefix(6)), columns: 80, rows: 6)
        #expect(low.hasPrefix(Self.begin + "\r\u{1B}[7A"))
        // Two of the eight rows did not fit. One row returns for each row that the window grows.
        let higher = screen.frame(lines.dropLast(), columns: 80, rows: 7)
        #expect(higher.hasPrefix(Self.begin + "\r\u{1B}[6A"))
        let high = screen.frame(lines, columns: 80, rows: 24)
        #expect(high.hasPrefix(Self.begin + "\r\u{1B}[7A"))
        let same = screen.frame(lines, columns: 80, rows: 24, isWhole: true)
        #expect(same.hasPrefix(Self.begin + "\r\u{1B}[7A"))
    }

    @Test func `colour codes have no width`() {
        var screen = LiveScreen()
        _ = screen.frame(["\u{1B}[1;36m1234567890\u{1B}[0m", "x"], columns: 10, rows: 24)
        #expect(screen.frame(["y"], columns: 10, rows: 24).contains("\r\u{1B}[1A"))
    }

    @Test func `a full line is not erased again`() {
        var screen = LiveScreen()
        let frame = screen.frame(["1234567890", "x"], columns: 10, rows: 24)
        #expect(frame.contains("1234567890\r\n"))
    }

    @Test func `the view removes itself at its end`() {
        var screen = LiveScreen()
        #expect(screen.erase(columns: 80, rows: 24).isEmpty)
        _ = screen.frame(["one", "two"], columns: 80, rows: 24)
        #expect(screen.erase(columns: 80, rows: 24) == "\r\u{1B}[1A\u{1B}[J")
        #expect(screen.erase(columns: 80, rows: 24).isEmpty)
    }
}
