import Reports
import Testing

@testable import Dashboard

/// The frame around the content of every page.
struct PageShellTests {
    @Test(arguments: [(250, "<select id=\"vantage\""), (251, "<input id=\"vantage\"")])
    func `a place is selected from few places and typed for many`(count: Int, control: String) {
        let shell = PageShell(
            target: RequestTarget("/?vantage=probe-7"),
            window: WindowChoice(RequestTarget("/?vantage=probe-7")),
            places: (1...count).map { "probe-\($0)" }
        )
        let page = shell.page("Overview", []).text
        #expect(page.contains(control))
        #expect(page.contains("all \(count) places"))
        #expect(page.contains("value=\"probe-7\""))
        #expect(page.contains("probe-250") == (count == 250))
    }
}
