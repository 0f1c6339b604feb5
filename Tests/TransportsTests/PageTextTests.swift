import Testing

@testable import Transports

struct PageTextTests {
    @Test(arguments: [
        ("<html><TITLE>\n Sign in\t to  WiFi </title><body>x", "text/html", "Sign in to WiFi"),
        (
            "<h1>Access denied</h1><p>by policy", "text/html; charset=utf-8",
            "Access denied by policy"
        ),
        ("<title> </title><b>Hello</b>", "text/html", "Hello"),
        ("Too many requests\r\nlater", "text/plain", "Too many requests later"),
        ("{\"error\": \"bad\"}", "application/json", "{\"error\": \"bad\"}"),
        ("<title>open", "text/html", "open"), ("a < b", "text/html", "a"),
        ("a\u{1b}[31m\u{0}b", "text/plain", "a [31m b"),
    ])
    func `the first words of a text are one line`(text: String, type: String, words: String) {
        #expect(PageText.firstWords(of: Array(text.utf8), type: type) == words)
    }

    @Test func `long texts are cut`() {
        let words = PageText.firstWords(
            of: Array(String(repeating: "word ", count: 100_000).utf8),
            type: "text/plain"
        )
        #expect(words?.unicodeScalars.count == 61)
        let page = "<title>" + String(repeating: "x", count: 1_000_000)
        #expect(PageText.firstWords(of: Array(page.utf8), type: "text/html")?.count == 61)
    }

    @Test(arguments: [
        ("", "text/html"), ("<br>", "text/html"), ("x", "image/png"), ("\u{7}", "text/plain"),
    ])
    func `other content has no words`(text: String, type: String) {
        #expect(PageText.firstWords(of: Array(text.utf8), type: type) == nil)
        #expect(PageText.firstWords(of: Array(text.utf8), type: nil) == nil)
    }
}
