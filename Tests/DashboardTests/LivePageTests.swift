import Foundation
import Reports
import Servers
import Testing

@testable import Dashboard

/// A page as it refreshes in a browser; what it shows is not looked at.
@Suite struct LivePageTests {
    private struct Visit: Decodable {
        /// A box that scrolls sideways.
        struct Box: Hashable, Decodable {
            var left: Double
            var focus: Bool
        }

        /// What the page said of itself in each tab.
        var tabs: [String]
        /// Whether only the tab that is seen holds a connection, and so again once another one is.
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
        // It was refused at first, and has seen what it missed.
        #expect(visit.tabs.first == "Refreshes automatically; last at 12:01.")
        #expect(visit.follows && visit.followsAgain)
        #expect(visit.shown == "Refreshes automatically; last at 12:02.")
        #expect(visit.failed == "The last refresh failed. The figures are as of 12:02.")
        #expect(visit.before == Visit.Box(left: 40, focus: true) && visit.after == visit.before)
    }
}
