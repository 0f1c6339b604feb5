import Foundation
import Servers
import Testing

/// The pages of a store with several places. Each place is shown with its own hours.
@Suite struct ServePlacesTests {
    /// Returns samples of two days at three places. Each place has its own system resolver. meadow is faster
    /// than system at berlin and oslo, and slower at paris.
    private func samples() throws -> String {
        let start = Date(timeIntervalSinceNow: -96 * 1800).formatted(.iso8601)
        let systems = [("berlin", 30.0), ("oslo", 25), ("paris", 4)]
        let files = try systems.map { vantage, system in
            try Rounds(start: start, count: 96, run: vantage, vantage: vantage).file { query in
                .answer([12, system, 16][query.resolver] + query.noise)
            }
        }
        let lines = files.enumerated().flatMap { index, file in
            file.split(separator: "\n").dropFirst(index > 0 ? 1 : 0)
        }
        return lines.joined(separator: "\n").replacing("harbour", with: "system") + "\n"
    }

    @Test func `resolvers are compared per place, as in a report`() async throws {
        try await Binary.withServe(samples: try samples()) { served in
            let window = ["--since", "3d", "--origin", "all", "--format", "json"]
            let pair = "baseline=system&candidate=meadow"
            for (path, options) in [
                ("", ["--resolver", "system", "--resolver", "meadow"]),
                (
                    "&vantage=paris",
                    ["--resolver", "system", "--resolver", "meadow", "--vantage", "paris"]
                ),
            ] {
                let shown = try await served.json("/api/comparison?\(pair)&window=3d\(path)")
                let run = try await Binary.succeed(
                    ["report", served.store, "--baseline", "system"] + options + window
                )
                let text = Data(run.output.utf8)
                var told = try #require(
                    try JSONSerialization.jsonObject(with: text) as? [String: Any]
                )
                // Both windows end at the time of their request.
                for key in ["since", "until", "gaps"] { told[key] = shown[key] }
                #expect(NSDictionary(dictionary: shown) == told as NSDictionary)
            }
            let page = try await served.ask("/compare?\(pair)").body
            let answer = "meadow is more than 5&nbsp;ms faster than system at 2 of 3 places."
            #expect(page.contains("<h1>\(answer)</h1>"))
            #expect(page.contains("baseline=system&amp;candidate=meadow&amp;vantage=paris"))
            let other = try await served.ask("/compare?\(pair)&vantage=paris").body
            #expect(other.contains("<h1>") && !other.contains("places.</h1>"))
        }
    }

    @Test func `the first page shows every place or the chosen one`() async throws {
        try await Binary.withServe(samples: try samples()) { served in
            let overview = try await served.json("/api/overview")
            #expect(
                overview["headline"] as? String
                    == "brook is more than 5 ms faster than system at 2 of 3 places."
            )
            #expect((overview["comparisons"] as? [Any])?.isEmpty == true)
            let places = try #require(overview["places"] as? [String: Any])
            let rows = try #require(places["places"] as? [[String: Any]])
            #expect(rows.count == 6 && rows.allSatisfy { $0["name"] as? String != "system" })
            let spans = try #require(overview["spans"] as? [[String: Any]])
            for span in spans {
                #expect(span["fastest"] is NSNull && span["state"] is NSNull)
                let rows = try #require(span["rows"] as? [[String: Any]])
                #expect(Set(rows.compactMap { $0["group"] as? String }).count == 3)
            }
            let page = try await served.ask("/").body
            #expect(page.contains("<a href=\"/?vantage=oslo\">oslo</a>"))
            #expect(page.contains("<option value=\"\" selected>all 3 places</option>"))
            // The page shows the label that the place itself uses.
            #expect(page.contains(">system</a>") && !page.contains(">system from oslo</a>"))
            let oslo = try await served.json("/api/overview?vantage=oslo")
            #expect(oslo["vantages"] as? [String] == ["oslo"] && oslo["places"] == nil)
            #expect((oslo["comparisons"] as? [Any])?.count == 2)
            let osloPage = try await served.ask("/?vantage=oslo&window=24h").body
            #expect(osloPage.contains("/resolver?label=meadow&amp;vantage=oslo&amp;window=24h"))
            #expect(try await served.ask("/?vantage=rome").status == 400)
            let week = try await served.ask("/resolver?label=system").body
            #expect(week.contains("system from oslo") && week.contains("system from paris"))
        }
    }
}
