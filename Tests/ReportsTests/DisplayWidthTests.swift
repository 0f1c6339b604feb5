import Testing

@testable import Reports

struct DisplayWidthTests {
    @Test(arguments: [
        ("", 0), ("abc", 3), ("東京", 4), ("e\u{301}", 1), ("😀", 2), ("\u{1B}[1;36mab\u{1B}[0m", 2),
        ("┣━●━┫", 5), ("…", 1),
    ])
    func `the width of text is its number of terminal columns`(text: String, width: Int) {
        #expect(text.displayWidth == width)
    }

    @Test(arguments: [("abcdef", 4, "abc…"), ("abc", 3, "abc"), ("東京都", 4, "東…"), ("ab", 0, "")])
    func `text that is too long ends in an ellipsis`(text: String, width: Int, cut: String) {
        #expect(text.truncated(to: width) == cut)
    }

    @Test(arguments: [
        ("cloudflare@2606:4700::1111", 16, "cloudfla…0::1111"), ("ab", 3, "ab"),
        ("abcdef", 2, "a…"),
    ])
    func `a long name keeps both its ends`(text: String, width: Int, cut: String) {
        #expect(text.truncatedInside(to: width) == cut)
        #expect(cut.displayWidth <= width)
    }

    @Test func `lines break at spaces, and all except the first are indented`() {
        let lines = "one two three incomprehensibilities four".wrapped(to: 9, indent: "  ")
        #expect(lines == ["one two", "  three", "  incomprehensibilities", "  four"])
        #expect("".wrapped(to: 9).isEmpty)
    }

    @Test(arguments: [
        ("about 12 ms faster", ["about", "12 ms", "faster"]),
        ("it lost 3.5 %, again", ["it", "lost", "3.5 %,", "again"]),
        ("p95 of > 5 s", ["p95 of", "> 5 s"]), ("at 40 µs.", ["at", "40 µs."]),
    ])
    func `a number and its unit stay on one line`(text: String, lines: [String]) {
        #expect(text.wrapped(to: 6) == lines)
    }

    @Test func `a command stays on one line`() {
        let closing = "See the charts: dnstempo compare harbour meadow --rounds 30 -o charts.svg"
        #expect(
            closing.wrapped(to: 20) == [
                "See the charts:",
                "dnstempo compare harbour meadow --rounds 30 -o charts.svg",
            ]
        )
        let note = "Lower the rate with dnstempo compare --rate 2 and repeat it."
        #expect(
            note.wrapped(to: 24) == [
                "Lower the rate with", "dnstempo compare --rate 2", "and repeat it.",
            ]
        )
        #expect("2 s, dnstempo 1.0.0.".wrapped(to: 14) == ["2 s, dnstempo", "1.0.0."])
    }
}
