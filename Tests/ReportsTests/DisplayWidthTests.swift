import Testing

@testable import Reports

struct DisplayWidthTests {
    @Test(arguments: [
        ("", 0), ("abc", 3), ("東京", 4), ("e\u{301}", 1), ("😀", 2), ("\u{1B}[1;36mab\u{1B}[0m", 2),
        ("┣━●━┫", 5), ("…", 1),
    ])
    func `text has the width that a terminal gives it`(text: String, width: Int) {
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

    @Test func `lines break at spaces and are indented from the second on`() {
        let lines = "one two three incomprehensibilities four".wrapped(to: 9, indent: "  ")
        #expect(lines == ["one two", "  three", "  incomprehensibilities", "  four"])
        #expect("".wrapped(to: 9).isEmpty)
    }
}
