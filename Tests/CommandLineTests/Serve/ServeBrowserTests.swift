import Foundation
import Servers
import Testing

/// The dashboard as a user operates it in a browser.
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
        /// The broken rules of accessibility, each with its page and its first element.
        var violations: [String]
        var headline: String
        var periods: [String]
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
        let folder = TemporaryFolder()
        let run = try await Browser.run(
            "dashboard.py",
            ["http://\(served.address)", folder.path],
            limit: .seconds(600)
        )
        guard run.code == 0 else { throw ServerError("dashboard.py failed:\n\(run.errors)") }
        return try JSONDecoder().decode(Visit.self, from: Data(run.bytes))
    }

    @Test func `the dashboard sorts, compares and follows its store`() async throws {
        let arguments = ["--lab", "-d", "example.com", "--sample-every", "1s"]
        try await Binary.withServe(arguments) { served in
            while try await served.json("/api/overview")["headline"] as? String == nil {}
            let visit = try await visit(served)
            #expect(visit.console == [])
            #expect(!visit.taken)
            let place = "http://\(served.address)/"
            #expect(visit.requests.allSatisfy { $0.hasPrefix(place) }, "\(visit.requests)")
            #expect(visit.pictures.count == 12)
            #expect(visit.violations == [])
            for (name, width) in visit.pictures {
                #expect(width.page <= width.window, "\(name) scrolls sideways")
                let isDark = name.hasSuffix("dark")
                #expect(width.ground == (isDark ? "rgb(21, 23, 26)" : "rgb(255, 255, 255)"))
            }
            #expect(!visit.headline.isEmpty && !visit.headline.hasPrefix("No round"))
            let periods = visit.periods.compactMap { $0.split(separator: "\n").first }
            #expect(periods == ["last hour", "last 24 hours", "last 7 days"])
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
            #expect(!visit.comparison.headline.isEmpty)
            #expect(visit.comparison.sections.starts(with: ["Distribution", "Timeline"]))
        }
    }

    private struct Reading: Decodable {
        struct Readings: Decodable {
            var texts: [String]
            var said: String
            var cursors: Int
        }

        struct Menu: Decodable {
            var links: [[String]]
            var here: String
        }

        var readings: Readings
        var menu: Menu
        var console: [String]
    }

    /// Samples of eight resolvers in the last two days. Each resolver is a millisecond slower than the
    /// previous one. All resolvers become 0.01 ms slower with each hour.
    private var hours: String {
        let now = Date().timeIntervalSince1970
        let header =
            "run,round,sent,resolver,endpoint,transport,series,name,type,outcome,rcode,rtt_ms"
        let rows = (0..<48).flatMap { hour in
            let sent = Date(timeIntervalSince1970: now - Double(48 - hour) * 3600)
                .formatted(.iso8601)
            return (1...8).map { resolver in
                let time = Double(10 + resolver) + Double(hour) / 100
                return "r,\(hour + 1),\(sent),r-\(resolver),192.0.2.\(resolver):53,udp,cached,"
                    + "example.com,A,answered,NOERROR,\(time)"
            }
        }
        return ([header] + rows).map { $0 + "\n" }.joined()
    }

    @Test func `keyboard and pointer show values, and resolvers have a menu`() async throws {
        try await Binary.withServe(samples: hours) { served in
            let run = try await Browser.run(
                "dashboard.py",
                ["http://\(served.address)"],
                limit: .seconds(600)
            )
            guard run.code == 0 else { throw ServerError("dashboard.py failed:\n\(run.errors)") }
            let found = try JSONDecoder().decode(Reading.self, from: Data(run.bytes))
            #expect(found.console == [])
            let texts = found.readings.texts
            try #require(texts.count == 6)
            #expect(texts[0].contains("r-1 11.5 ms, r-2 12.5 ms") && texts[4] == texts[0])
            #expect(texts[2].contains("r-1 11.0 ms") && Set(texts).count == 4)
            // The first hour is the nearest hour to the middle of the week.
            #expect(texts[5] == texts[2] && texts[5] == found.readings.said)
            #expect(found.readings.cursors == 1)
            #expect(found.menu.links.map(\.count) == [8, 1])
            #expect(found.menu.here == "r-7")
        }
    }

    /// Expects that the table has more queries than before the round. Expects that its rows keep the order
    /// that the user chose.
    private func expectRound(_ round: Visit.Round) {
        #expect(round.mark == "still here")
        #expect(round.sorted == "descending")
        #expect(round.before.map(\.first) == round.after.map(\.first))
        let counts = [round.before, round.after].map { $0.compactMap { Int($0[4]) } }
        #expect(zip(counts[0], counts[1]).allSatisfy { $0 <= $1 } && counts[0] != counts[1])
        #expect(round.live.hasPrefix("Refreshes automatically; last at "))
    }
}
