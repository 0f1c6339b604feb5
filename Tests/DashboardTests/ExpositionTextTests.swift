import Reports
import Testing

@testable import Dashboard

@Suite struct ExpositionTextTests {
    @Test func `the help and the type of a family precede its figures`() {
        var text = ExpositionText()
        text.begin(
            MetricFamily("a_total", .counter, labels: [], help: "What a\\b counts, all of it.")
        )
        text.add("a_total", [], 3)
        text.add("a_total", [("x", "1"), ("y", "")], 2.5)
        #expect(
            text.text == """
                # HELP a_total What a\\\\b counts, all of it.
                # TYPE a_total counter
                a_total 3
                a_total{x="1",y=""} 2.5

                """
        )
    }

    @Test(arguments: [
        (value: "router", written: "router"),
        (value: "a\"b", written: "a\\\"b"),
        (value: "a\\", written: "a\\\\"),
        (value: "a\n} 1", written: "a\\\\u{A}} 1"),
        (value: "a\r\nb", written: "a\\\\u{D}\\\\u{A}b"),
        (value: "a\"\u{301}", written: "a\\\"\\\\u{301}"),
        (value: "ä 🙂", written: "ä 🙂"),
    ])
    func `a label's value cannot terminate the label`(value: String, written: String) {
        var text = ExpositionText()
        text.add("a", [("x", value)], 1)
        #expect(text.text == "a{x=\"\(written)\"} 1\n")
    }
}
