import Foundation
import Reports
import Servers
import Testing

@testable import Dashboard

/// A page that refreshes itself in a browser. The test ignores its figures.
@Suite struct LivePageTests {
    private struct Visit: Decodable {
        /// A box that scrolls horizontally.
        struct Box: Hashable, Decodable {
            var left: Double
            var focus: Bool
        }

        /// The status text of the page in each tab.
        var tabs: [String]
        /// Whether only the visible tab holds a connection, also after a change of tabs.
        var follows: Bool
        var followsAgain: Bool
        var shown: String
        var failed: String
        var before: Box
        var after: Box
    }

    private var page: String {
        let cells = (1...60).map { number in HTML(.td, HTML(text: "column-\(number)")) }
        let row = HTML(.tr, [], cells)
        let box = HTML(.div, [.class("scroll"), .focusable], HTML(.table, HTML(.tbody, row)))
        let shell = PageShell(
            target: RequestTarget("/"),
            window: WindowChoice(weekAt: nil),
            moment: "12:01",
            edition: 1
        )
        return shell.page("Overview", [box]).text
    }

    @Test func `tabs share connections, and each keeps its layout`() async throws {
        let folder = TemporaryFolder()
        let run = try await Browser.run(
            "live.py",
            [folder.write(page, to: "page.html")],
            limit: .seconds(1_200)
        )
        guard run.code == 0 else { throw ServerError("live.py failed:\n\(run.errors)") }
        let visit = try JSONDecoder().decode(Visit.self, from: Data(run.bytes))
        #expect(visit.tabs.count == 8)
        // The server refused the tab at first. The tab then fetched the missed data.
        #expect(visit.tabs.first == "Refreshes automatically; last at 12:01.")
        #expect(visit.follows && visit.followsAgain)
        #expect(visit.shown == "Refreshes automatically; last at 12:02.")
        #expect(visit.failed == "The last refresh failed. The figures are as of 12:02.")
        #expect(visit.before == Visit.Box(left: 40, focus: true) && visit.after == visit.before)
    }
}
