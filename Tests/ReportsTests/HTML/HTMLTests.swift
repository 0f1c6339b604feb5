import Reports
import Testing

struct HTMLTests {
    @Test(arguments: [
        (text: "<script>alert(1)</script>", markup: "&lt;script&gt;alert(1)&lt;/script&gt;"),
        (text: "a & b", markup: "a &amp; b"),
        (text: "\"quoted\" 'text'", markup: "&quot;quoted&quot; &#39;text&#39;"),
        (text: "&amp;", markup: "&amp;amp;"),
        (text: "a\u{0}b\u{1B}[31m", markup: "a\\u{0}b\\u{1B}[31m"),
        (text: "\u{202E}txt.exe", markup: "\\u{202E}txt.exe"),
        (text: "a\r\nb", markup: "a\\u{D}\\u{A}b"),
    ])
    func `text never becomes markup`(text: String, markup: String) {
        #expect(HTML(text: text).markup == markup)
        #expect(HTML(.p, HTML(text: text)).markup == "<p>\(markup)</p>")
        #expect(HTML(.p, "\(text)").markup == "<p>\(markup)</p>")
        #expect(HTML(.p, [.content(text)]).markup == "<p content=\"\(markup)\"></p>")
        #expect(HTML(lines: [text, text]).markup == "\(markup)\n\(markup)")
    }

    @Test(arguments: [
        "javascript:alert(1)", "//example.com/", "/\\example.com", "https://example.com/",
        "data:,x",
        " /", "",
    ])
    func `a link to another site is removed`(address: String) {
        #expect(HTML(.a, [.href(address)]).markup == "<a href=\"#\"></a>")
    }

    @Test(arguments: ["/resolver?name=a&b", "?since=7d", "#charts", "/"])
    func `a link to this site is kept`(address: String) {
        let escaped = address == "/resolver?name=a&b" ? "/resolver?name=a&amp;b" : address
        #expect(HTML(.a, [.href(address)]).markup == "<a href=\"\(escaped)\"></a>")
    }

    @Test func `a void element has no end tag`() {
        #expect(HTML(.meta, [.charset("utf-8")]).markup == "<meta charset=\"utf-8\">")
        #expect(HTML(.p, "a", HTML(.br), "b").markup == "<p>a<br>b</p>")
    }

    @Test func `a table keeps its sort keys`() {
        let table = Table(
            [
                .init("resolver", ["<b>", "quad9", "none", "less"], .heading),
                .init("median", ["14.2 ms", "> 5 s", "–", "−3 ms"], .figures),
            ],
            caption: "Times"
        )
        let markup = table.html.markup
        #expect(markup.contains("<th scope=\"row\">&lt;b&gt;</th>"))
        #expect(markup.contains("<td class=\"number\" data-key=\"14.2\">14.2&nbsp;ms</td>"))
        #expect(markup.contains(" data-key=\"Infinity\">&gt;&nbsp;5&nbsp;s</td>"))
        #expect(markup.contains("<td class=\"number\">–</td>"))
        #expect(markup.contains("<td class=\"number\" data-key=\"-3.0\">−3&nbsp;ms</td>"))
        #expect(markup.contains("<table class=\"sortable\">"))
    }
}
