import Servers
import Testing

/// Histories of several places. Each place has its own router. All routers have the same private address.
@Suite struct PlaceTests {
    private let folder = TemporaryFolder()

    init() throws {
        let header =
            "run,round,scheduled,vantage,resolver,endpoint,transport,series,name,type,outcome,"
            + "rcode,rtt_ms,timeout_ms"
        for (vantage, router, meadow) in [("home", 2, 14), ("office", 30, 12)] {
            var lines = [header]
            for round in 1...48 {
                let moment =
                    "2026-03-16T\(round < 21 ? "0" : "")\((round - 1) / 2):\(round % 2 * 3)0:00Z"
                for (resolver, milliseconds) in [
                    ("system,192.168.1.1:53", router), ("meadow,192.0.2.1:53", meadow),
                ] {
                    lines.append(
                        "\(vantage),\(round),\(moment),\(vantage),\(resolver),udp,cached,"
                            + "example.com,A,answered,NOERROR,\(milliseconds),5000"
                    )
                }
            }
            try folder.write(lines.joined(separator: "\n") + "\n", to: "\(vantage).csv")
        }
    }

    private func run(_ arguments: String) async throws -> CommandOutput {
        try await Command.run(
            arguments.split(separator: " ").map(String.init),
            environment: ["TZ": "UTC"],
            in: folder.path
        )
    }

    @Test func `a report on one place can be grouped by place`() async throws {
        let report = try await run("report home.csv --baseline system --by vantage")
        #expect(
            report.output.hasPrefix(
                "No place is known where another resolver is more than 5 ms faster than system.\n"
            )
        )
        let picture = try await run("report home.csv office.csv --baseline meadow -o a.svg")
        #expect(picture.code == 0, "\(picture.errors)")
        #expect(
            String(decoding: folder.read("a.svg"), as: UTF8.self).contains("system from office")
        )
        let refused = try await run("report home.csv --by name --baseline system")
        #expect(refused.code == 64)
    }

    @Test func `a baseline is accepted if one place of the window has it`() async throws {
        let other = folder.text("office.csv").replacing("2026-03-16", with: "2026-03-10")
        try folder.write(other, to: "office.csv")
        _ = try await run("store import home.csv office.csv --store s.sqlite")
        let window = "report s.sqlite --since 2026-03-16 --until 2026-03-17"
        for (baseline, more) in [
            ("system", ""), ("system from home", ""), ("system from home", " --vantage home"),
        ] {
            let words = (window + more).split(separator: " ").map(String.init)
            for options in [["--baseline", baseline], ["--resolver", baseline]] {
                try await Command.succeed(
                    words + options,
                    environment: ["TZ": "UTC"],
                    in: folder.path
                )
            }
            guard more.isEmpty else { continue }
            let judged = try await Command.run(
                words + ["--fail-if", "\(baseline):p50 > 1ms"],
                environment: ["TZ": "UTC"],
                in: folder.path
            )
            #expect(judged.code == 1, "\(judged.errors)")
        }
        let missing = try await run("\(window) --baseline sys")
        #expect(missing.code == 64 && missing.errors.contains("'sys' was not measured"))
    }

    /// Expects that conditions are evaluated for one place, and rejected for two.
    private func expectConditionsOfOnePlace(_ report: String) async throws {
        for options in ["--baseline system", "", "--against home.csv"] {
            let refused = try await run("\(report) \(options) --fail-if meadow:p50>13ms")
            #expect(refused.code == 64)
            #expect(
                refused.errors == "dnstempo: --fail-if applies to one place, and 2 measured: add "
                    + "--vantage 'home'\n"
            )
        }
        let judged = try await run("\(report) --vantage home --fail-if meadow:p50>13ms")
        #expect(judged.code == 1, "\(judged.errors)")
    }

    @Test func `two routers at one private address are two resolvers`() async throws {
        _ = try await run("store import home.csv --store home.sqlite")
        _ = try await run("store import office.csv --store office.sqlite")
        _ = try await run("store import home.csv office.csv --store both.sqlite")
        let window = "--since 2026-03-16 --until 2026-03-17"
        for source in ["home.csv office.csv", "home.sqlite office.sqlite", "both.sqlite"] {
            let table = Table(try await run("report \(source) \(window) --format csv").output)
            #expect(table.column("name") == ["system from home", "meadow", "system from office"])
            #expect(table.column("median_ms") == ["2.000", "12.000", "30.000"], "\(source)")
            let text = try await run("report \(source) \(window)").output
            #expect(
                text.hasPrefix("2 places measured; times of different places are not compared.")
            )
            // meadow has 14 and 12 ms at the two places. The group shows the lower median, 12 ms. The routers
            // have 2 and 30 ms.
            #expect(
                text.contains(/meadow +2 +12.0 ms/) && text.contains(/system from office +1 +30/)
            )
            let byPlace = try await run("report \(source) \(window) --by vantage").output
            #expect(byPlace.contains("system from office: median 30.0 ms."), "\(byPlace)")
            #expect(!byPlace.contains("only from"))
            // The label is accepted in the form of reports and in the recorded form.
            for (label, count) in [("system", 2), ("meadow", 1)] {
                let part = try await run("report \(source) \(window) --resolver \(label)")
                #expect(part.output.contains("\(48 * 2 / count)"), "\(part.output)")
            }
            let one = try await Command.run(
                ["report"] + source.split(separator: " ").map(String.init)
                    + ["--since", "2026-03-16", "--until", "2026-03-17", "--format", "csv"]
                    + ["--resolver", "system from office"],
                environment: ["TZ": "UTC"],
                in: folder.path
            )
            #expect(Table(one.output).column("sent") == ["48"], "\(one.errors)")
            // Names of a single place have no suffix. Exported files keep the recorded names.
            let home = try await run("report \(source) \(window) --vantage home --format csv")
            #expect(Table(home.output).column("name") == ["system", "meadow"])
            // Times of different places are never combined. Each place has its own baseline.
            let places = Table(
                try await run("report \(source) \(window) --baseline system --format csv").output
            )
            #expect(places.column("vantage") == ["home", "office"])
            #expect(places.column("difference_ms") == ["-12.000", "18.000"])
            #expect(places.column("named_faster") == ["false", "true"])
            try await expectConditionsOfOnePlace("report \(source) \(window)")
            let exported = Table(try await run("export \(source) \(window)").output)
            #expect(Set(exported.column("resolver")) == ["system", "meadow"])
        }
    }

    /// Writes samples of `places` places. Each place has its own system resolver.
    private func write(places: Int, to name: String) throws {
        var lines = [
            "run,round,scheduled,vantage,resolver,endpoint,transport,series,name,type,outcome,"
                + "rcode,rtt_ms,timeout_ms"
        ]
        for place in 1...places {
            for resolver in ["system,192.168.1.1:53", "meadow,192.0.2.1:53"] {
                lines.append(
                    "p\(place),1,2026-03-16T10:00:00Z,probe-\(place),\(resolver),udp,cached,"
                        + "example.com,A,answered,NOERROR,\(place % 40),5000"
                )
            }
        }
        try folder.write(lines.joined(separator: "\n") + "\n", to: name)
    }

    @Test func `a report on hundreds of places is a short summary`() async throws {
        try write(places: 300, to: "many.csv")
        let text = try await run("report many.csv").output
        #expect(text.split(separator: "\n").count <= 60)
        #expect(text.contains(/system +300 +\d/) && text.contains(/meadow +300 +\d/), "\(text)")
        let byPlace = try await run("report many.csv --by vantage").output
        #expect(byPlace.split(separator: "\n").count <= 60)
        #expect(byPlace.contains("40 of 600 rows are shown."), "\(byPlace)")
        let compared = try await run("report many.csv --baseline system").output
        #expect(compared.contains("40 of 300 places are shown."), "\(compared)")
        let chart = try await run("chart many.csv --kind distribution").output
        #expect(chart.split(separator: "\n").count <= 120)
        let page = try await run("report many.csv -o x.html")
        #expect(page.code == 0, "\(page.errors)")
        #expect(folder.read("x.html").count < 1_000_000)
        // Formats for programs contain all rows.
        let all = Table(try await run("report many.csv --format csv").output)
        #expect(all.column("name").count == 301)
    }
}
