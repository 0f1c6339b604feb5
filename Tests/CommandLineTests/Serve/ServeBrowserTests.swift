import Foundation
import Servers
import Testing

/// The dashboard as somebody uses it in a browser.
@Suite(.serialized) struct ServeBrowserTests {
    private struct Visit: Decodable {
        struct Width: Decodable {
            var page: Int
            var window: Int
            var ground: String
        }

        struct Round: Decodable {
            var before: [[String]]
            var after: [[String]]
            var live: String
            var mark: String?
            var sorted: String?
        }

        struct Resolver: Decodable {
            var name: String
            var headline: String
            var sections: [String]
            var charts: Int
        }

        struct Comparison: Decodable {
            var address: String
            var headline: String
            var resolvers: [String]
            var sections: [String]
        }

        var pictures: [String: Width]
        var headline: String
        var cards: [String]
        var windows: [[String]]
        var orders: [[[String]]]
        var round: Round
        var resolver: Resolver
        var comparison: Comparison
        var requests: [String]
        var console: [String]
        var taken: Bool
    }

    private func visit(_ served: Served) async throws -> Visit {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let run = try await Browser.run(
            "dashboard.py",
            ["http://\(served.address)", folder.path],
            limit: .seconds(600)
        )
        guard run.code == 0 else { throw ServerError("dashboard.py failed:\n\(run.errors)") }
        return try JSONDecoder().decode(Visit.self, from: Data(run.bytes))
    }

    @Test func `it is looked at, sorted, compared, and follows its store`() async throws {
        let arguments = ["--lab", "-d", "example.com", "--sample-every", "1s"]
        try await Binary.withServe(arguments) { served in
            while try await served.json("/api/overview")["headline"] as? String == nil {}
            let visit = try await visit(served)
            #expect(visit.console == [])
            #expect(!visit.taken)
            let place = "http://\(served.address)/"
            #expect(visit.requests.allSatisfy { $0.hasPrefix(place) }, "\(visit.requests)")
            #expect(visit.pictures.count == 12)
            for (name, width) in visit.pictures {
                #expect(width.page <= width.window, "\(name) scrolls sideways")
                let isDark = name.hasSuffix("dark")
                #expect(
                    width.ground == (isDark ? "rgb(21, 23, 26)" : "rgb(255, 255, 255)")
                )
            }
            #expect(visit.headline.hasPrefix("harbour "))
            #expect(visit.cards == ["Now", "Today", "This week"])
            #expect(visit.windows.map(\.first) == [place + "?window=1h", place + "?window=30d"])
            #expect(visit.windows[0][1] != visit.windows[1][1])
            let names = visit.orders.map { $0.compactMap(\.first) }
            #expect(names[1] == names[0].sorted())
            #expect(names[2] == names[0].sorted().reversed())
            #expect(names[0].count > 2 && names[0] != names[2])
            expectRound(visit.round)
            #expect(visit.resolver.headline.contains(visit.resolver.name))
            let sections = ["Timeline", "Smoke", "Hours of the week"]
            #expect(visit.resolver.sections.starts(with: sections))
            #expect(visit.resolver.charts == 6)
            #expect(visit.comparison.address.contains("candidate=meadow"))
            #expect(visit.comparison.resolvers.sorted() == ["harbour", "meadow"])
            #expect(visit.comparison.headline.contains("meadow"))
            #expect(visit.comparison.sections.starts(with: ["Distribution", "Timeline"]))
        }
    }

    /// The table has more queries than before, in the order that the reader chose.
    private func expectRound(_ round: Visit.Round) {
        #expect(round.mark == "still here")
        #expect(round.sorted == "descending")
        #expect(round.before.map(\.first) == round.after.map(\.first))
        let counts = [round.before, round.after].map { $0.compactMap { Int($0[4]) } }
        #expect(zip(counts[0], counts[1]).allSatisfy { $0 <= $1 } && counts[0] != counts[1])
        #expect(round.live.hasPrefix("Refreshes automatically; last at "))
    }
}
