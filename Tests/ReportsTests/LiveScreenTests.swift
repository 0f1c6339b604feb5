import Reports
import Testing

struct LiveScreenTests {
    @Test func `a frame takes the place of the one before`() {
        var screen = LiveScreen()
        let first = screen.frame(["one", "two", "three"], width: 80)
        #expect(!first.contains("A"))
        let second = screen.frame(["four", "five"], width: 80)
        let expected =
            "\u{1B}[?2026h\r\u{1B}[2Afour\u{1B}[K\r\n\u{1B}[Jfive\u{1B}[?2026l"
        #expect(second == expected)
    }

    @Test func `lines that a narrower terminal broke are counted`() {
        var screen = LiveScreen()
        _ = screen.frame([String(repeating: "x", count: 80), "short"], width: 80)
        // 80 columns are three lines of 30.
        #expect(screen.frame(["y"], width: 30).hasPrefix("\u{1B}[?2026h\r\u{1B}[3A"))
    }

    @Test func `colour has no width`() {
        var screen = LiveScreen()
        _ = screen.frame(["\u{1B}[1;36m1234567890\u{1B}[0m", "x"], width: 10)
        #expect(screen.frame(["y"], width: 10).contains("\r\u{1B}[1A"))
    }

    @Test func `a full line is not erased again`() {
        var screen = LiveScreen()
        let frame = screen.frame(["1234567890", "x"], width: 10)
        #expect(frame.contains("1234567890\r\n"))
    }

    @Test func `at its end it removes itself`() {
        var screen = LiveScreen()
        #expect(screen.erase(width: 80).isEmpty)
        _ = screen.frame(["one", "two"], width: 80)
        #expect(screen.erase(width: 80) == "\r\u{1B}[1A\u{1B}[J")
        #expect(screen.erase(width: 80).isEmpty)
    }
}
