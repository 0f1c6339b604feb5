import Foundation
import Servers
import Testing

/// The content of the dashboard's pages and of their data.
@Suite struct ServePageTests {
    private static let window = "since=2026-03-16&until=2026-03-18"

    /// Returns samples of two days. On the second day, harbour loses half of its queries.
    private func samples(naming names: [String: String] = [:]) throws -> String {
        let text = try Rounds(start: "2026-03-16T00:00:00Z", count: 96).file { query in
            query.resolver == 1 && query.round >= 48 && query.round % 2 == 0
                ? .timeout : .answer(10 + 5 * Double(query.resolver) + query.noise)
        }
        return names.reduce(text) { $0.replacing($1.key, with: $1.value) }
    }

    @Test(arguments: [
        (path: "/api/window?by=resolver", report: [String]()),
        ("/api/window?by=hour", ["--by", "hour"]),
        ("/api/window?by=name", ["--by", "name"]), ("/api/changes?x=", ["--changes"]),
        (
            "/api/comparison?baseline=harbour&candidate=meadow",
            ["--baseline", "harbour", "--resolver", "harbour", "--resolver", "meadow"]
        ),
    ])
    func `the data match the command line's figures`(path: String, report: [String]) async throws {
        try await Binary.withServe(samples: try samples()) { served in
            let shown = try await served.json("\(path)&\(Self.window)")
            let run = try await Binary.succeed(
                ["report", served.store, "--origin", "all", "--format", "json"]
                    + ["--since", "2026-03-16", "--until", "2026-03-18"] + report
            )
            let told = try JSONSerialization.jsonObject(with: Data(run.output.utf8))
            #expect(NSDictionary(dictionary: shown) == told as? NSDictionary)
        }
    }

    @Test(arguments: [30, 96])
    func `the first page shows the comparisons of a report`(rounds: Int) async throws {
        let start = Date(timeIntervalSinceNow: -Double(rounds) * 1800).formatted(.iso8601)
        let text = try Rounds(start: start, count: rounds).file { query in
            .answer(10 + 12 * Double(query.resolver) + query.noise)
        }
        let samples = text.replacing("harbour", with: "system")
        try await Binary.withServe(samples: samples) { served in
            let overview = try await served.json("/api/overview")
            let arguments = ["report", served.store, "--origin", "all", "--format", "json"]
            let run = try await Binary.succeed(arguments + ["--baseline", "system"])
            let report = try JSONSerialization.jsonObject(with: Data(run.output.utf8))
            let told = try #require((report as? [String: Any])?["comparisons"] as? [[String: Any]])
            let shown = try #require(overview["comparisons"] as? [[String: Any]])
            let all = [shown, told].map { comparisons in
                // Holm's test may put equally certain candidates in either order.
                comparisons.map { $0.filter { $0.key != "confidence" } }
                    .sorted { "\($0["candidate"] ?? "")" < "\($1["candidate"] ?? "")" }
            }
            #expect(shown.count == 2 && NSArray(array: all[0]) == NSArray(array: all[1]))
            let verdict = try #require(overview["verdict"] as? [String: Any])
            let details = try #require(verdict["details"] as? [String])
            #expect(details.contains { $0.contains("% confidence interval") })
            #expect(try await served.ask("/").body.contains("<summary>How to use meadow</summary>"))
        }
    }

    @Test func `the bins of a resolver's timeline add up`() async throws {
        try await Binary.withServe(samples: try samples()) { served in
            let timeline = try await served.json("/api/resolver?label=harbour&\(Self.window)")
            let resolvers = try #require(timeline["resolvers"] as? [[String: Any]])
            try #require(resolvers.count == 1)
            let bins = try #require(resolvers[0]["bins"] as? [[String: Any]])
            #expect(bins.compactMap { $0["sent"] as? Int }.reduce(0, +) == 192)
            #expect(bins.compactMap { $0["lost"] as? Int }.reduce(0, +) == 48)
            #expect(resolvers[0]["sent"] as? Int == 192)
            let week = try #require(resolvers[0]["hours_of_week_median_ms"] as? [[Any]])
            #expect(week.count == 7 && week.allSatisfy { $0.count == 24 })
            // Only Monday and Tuesday have queries.
            let measured = week.map { $0.count { $0 is Double } }
            #expect(measured == [24, 24, 0, 0, 0, 0, 0])
            let queries = try #require(resolvers[0]["hours_of_week_queries"] as? [[Int]])
            #expect(queries.map { $0.reduce(0, +) }.reduce(0, +) == 192)
            #expect(queries.map { $0.count { $0 > 0 } } == measured)
        }
    }

    @Test func `the first page and the metrics show an objective`() async throws {
        let start = Date(timeIntervalSinceNow: -96 * 1800).formatted(.iso8601)
        let text = try Rounds(start: start, count: 96).file { query in
            query.resolver == 1 && query.round % 2 == 0 ? .answer(80) : .answer(20)
        }
        let options = ["--objective", "p95 < 50ms"]
        try await Binary.withServe(options, samples: text) { served in
            let page = try await served.ask("/").body
            let words = "p95 &lt;&nbsp;50&nbsp;ms: kept by brook and meadow; missed by harbour."
            #expect(page.contains(words))
            #expect(page.contains("In the last 7 days, "))
            let overview = try await served.json("/api/overview")
            let objective = try #require(overview["objective"] as? [String: Any])
            let rows = try #require(objective["rows"] as? [[String: Any]])
            #expect(rows.map { $0["share"] as? Double } == [1, 0.5, 1])
            let metrics = try await served.ask("/metrics").body
            #expect(metrics.contains("dnstempo_objective_target_ratio{"))
        }
        let system = text.replacing("harbour", with: "system")
        try await Binary.withServe(options, samples: system) { served in
            let page = try await served.ask("/").body
            #expect(page.contains("p95 &lt;&nbsp;50&nbsp;ms: missed by system, "))
            #expect(page.contains(" 50.0&nbsp;% within 50&nbsp;ms ("))
        }
    }

    @Test func `names that look like markup are escaped`() async throws {
        let hostile = "<script>window.taken=1</script>"
        let names = ["meadow": hostile, "brook": "'onload='x"]
        try await Binary.withServe(samples: try samples(naming: names)) { served in
            let label = "%3Cscript%3Ewindow.taken%3D1%3C%2Fscript%3E"
            for path in [
                "/?", "/resolver?label=\(label)&",
                "/compare?baseline=harbour&candidate=\(label)&",
                "/resolver?label=%27onload%3D%27x&",
            ] {
                let reply = try await served.ask(path + Self.window)
                #expect(reply.status == 200)
                #expect(reply.body.contains("&lt;script&gt;window.taken"))
                #expect(!reply.body.contains(hostile))
                #expect(!reply.body.contains("='onload='"))
            }
            let wrong = try await served.ask("/compare?baseline=%3Cb%3E")
            #expect(wrong.status == 400 && !wrong.body.contains("<b>"))
        }
    }

    @Test(arguments: [
        (path: "/nowhere", status: 404), ("/api/nowhere", 404), ("/api/", 404), ("/..//", 404),
        ("/?window=soon", 400), ("/api/window?since=2026-13-01", 400),
        ("/?since=2026-05-01&until=2026-04-01", 400), ("/api/window?by=moon", 404),
        ("/compare?baseline=none", 400), ("/resolver?label=none", 200), ("/metrics", 200),
        ("/?window=1h", 200), ("/?window=99999999d", 400), ("/events/x", 404),
    ])
    func `unknown and invalid paths get the right status`(path: String, status: Int) async throws {
        try await Binary.withServe(samples: try samples()) { served in
            let reply = try await served.ask(path)
            #expect(reply.status == status, "\(reply.body.suffix(300))")
            #expect(!served.process.hasEnded && served.errors == "")
        }
    }

    @Test func `the dashboard shows rounds that other processes add`() async throws {
        try await Binary.withServe(samples: try samples()) { served in
            let path = "/api/window?\(Self.window)"
            #expect(try await served.json(path)["rounds"] as? Int == 96)
            for number in 1...3 {
                let start = "2026-03-16T0\(number):10:00Z"
                let text = try Rounds(start: start, count: 5, run: "r\(number)").file { _ in
                    .answer(7)
                }
                let file = try served.folder.write(text, to: "\(number).csv")
                try await Binary.succeed(["store", "import", file, "--store", served.store])
                #expect(try await served.json(path)["rounds"] as? Int == 96 + 5 * number)
            }
        }
    }

    @Test func `imported rounds are shown until a schedule has rounds`() async throws {
        let start = Date(timeIntervalSinceNow: -3 * 1800).formatted(.iso8601)
        let samples = try Rounds(start: start, count: 3).file { _ in .answer(7) }
        try await Binary.withServe(samples: samples, origin: nil) { served in
            #expect(try await served.json("/api/window")["rounds"] as? Int == 3)
            let sample = ["sample", "--lab", "meadow", "-d", "example.com", "--vantage", "desk"]
            #expect(try await Binary.run(sample + ["--store", served.store]).code == 0)
            #expect(try await served.json("/api/window")["rounds"] as? Int == 1)
            let run = try await Binary.run(["report", served.store, "--format", "json"])
            #expect(try JSON(run.output)["rounds"] as? Int == 1)
        }
    }

    @Test func `the dashboard shows a store that replaces the first store`() async throws {
        try await Binary.withServe(samples: try samples()) { served in
            let path = "/api/window?\(Self.window)"
            #expect(try await served.json(path)["rounds"] as? Int == 96)
            let folder = TemporaryFolder()
            let file = try folder.write(
                try Rounds(start: "2026-03-16T00:00:00Z", count: 5).file { _ in .answer(7) },
                to: "other.csv"
            )
            let other = served.store + ".other"
            try await Binary.succeed(["store", "import", file, "--store", other])
            let looking = try RawHTTP(served.address)
            looking.send("GET /events HTTP/1.1\r\nHost: \(served.address)\r\n\r\n")
            // A page that opens gets the present state at once.
            _ = await looking.receive { $0.text.contains("event: edition") }
            try FileManager.default.removeItem(atPath: served.store)
            let gone = await looking.receive { $0.text.contains("event: edition") }
            #expect(gone.text.contains("event: edition"))
            try FileManager.default.moveItem(atPath: other, toPath: served.store)
            let back = await looking.receive { $0.text.contains("event: edition") }
            #expect(back.text.contains("event: edition"))
            #expect(try await served.json(path)["rounds"] as? Int == 5)
        }
    }
}
