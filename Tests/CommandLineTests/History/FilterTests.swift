import Servers
import Testing

/// Filters of a history: transports, names, places and sites.
@Suite struct FilterTests {
    private let folder = TemporaryFolder()

    init() throws {
        let header =
            "run,round,scheduled,sent,vantage,resolver,endpoint,transport,series,name,type,outcome,"
            + "rcode,rtt_ms,timeout_ms,site"
        var lines = [header]
        for round in 1...12 {
            let moment = "2026-03-16T0\(round / 2):\(round % 2 * 3)0:00Z"
            for (run, vantage) in [("r", "desk"), ("o", "office")] {
                for transport in ["udp", "tls"] {
                    for name in ["example.com", "example.net"] {
                        let target = "meadow,192.0.2.1:\(transport == "udp" ? 53 : 853)"
                        let site = round.isMultiple(of: 3) ? "ams2" : "fra1"
                        lines.append(
                            "\(run),\(round),\(moment),\(moment),\(vantage),\(target),\(transport),"
                                + "cached,\(name),A,answered,NOERROR,\(10 + round),5000,\(site)"
                        )
                    }
                }
            }
        }
        try folder.write(lines.joined(separator: "\n") + "\n", to: "a.csv")
    }

    private func run(_ arguments: String) async throws -> CommandOutput {
        try await Binary.run(
            arguments.split(separator: " ").map(String.init),
            environment: ["TZ": "UTC"],
            in: folder.path
        )
    }

    private static let window = "--since 2026-03-16 --until 2026-03-17"

    @Test(arguments: [
        ("--transport tls", 48), ("--transport tls --transport udp", 96),
        ("--name example.net", 48), ("--name EXAMPLE", 0), ("--vantage office", 48),
        ("--site ams2", 32), ("--site ams2 --name example.com --vantage desk --transport udp", 4),
    ])
    func `a filter selects its queries in every output`(filter: String, count: Int) async throws {
        _ = try await run("store import a.csv --store a.sqlite")
        for source in ["a.csv \(Self.window)", "a.sqlite --origin import \(Self.window)"] {
            let report = try await run("report \(source) \(filter) --format csv")
            guard count > 0 else {
                #expect(report.code == 64)
                continue
            }
            #expect(report.code == 0, "\(report.errors)")
            let sent = Table(report.output).column("sent").compactMap { Int($0) }
            #expect(sent.reduce(0, +) == count, "\(source) \(filter)")
            let rows = Table(try await run("export \(source) \(filter)").output).rows
            #expect(rows.count == count)
            let chart = try await run("chart \(source) \(filter) --kind bars")
            #expect(chart.code == 0 && !chart.output.isEmpty, "\(chart.errors)")
        }
    }

    @Test func `a filtered report names its filters`() async throws {
        _ = try await run("store import a.csv --store a.sqlite")
        let part = "--transport tls --name example.com --vantage desk --site fra1"
        let words =
            "Note: The report is of queries over tls for example.com from desk answered by site fra1."
        let reports = ["", " --baseline meadow", " --by hour", " --against a.csv"]
        for report in reports {
            let run = try await run(
                "report a.sqlite --origin import \(Self.window) \(part)\(report)"
            )
            let text = run.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            #expect(text.contains(words), "\(run)")
            let whole = try await self.run(
                "report a.sqlite --origin import \(Self.window)\(report)"
            )
            #expect(!whole.output.contains("Only queries"), "\(whole)")
        }
    }

    @Test func `sums can be filtered by transport and place, but not by name`() async throws {
        _ = try await run("store import a.csv --store a.sqlite")
        let part = "--transport tls --vantage desk"
        let sums = try await run("export a.sqlite --rollups \(part)")
        #expect(sums.output.contains(",tls,") && !sums.output.contains(",udp,"))
        #expect(!sums.output.contains("office"))
        let names = try await run("export a.sqlite --rollups --name example.com")
        #expect(names.code == 64)
        #expect(
            names.errors.contains("--rollups have no names and sites: leave out --name and --site")
        )
    }

    @Test func `a filtered matrix has a file per selected name`() async throws {
        let export = "export a.csv --layout matrix --name example.net --transport udp -o tables"
        #expect(try await run(export).code == 0)
        let table = folder.text("tables/example.net.tsv")
        #expect(table.split(separator: "\n").count == 25)
        #expect(try await run("report tables/example.com.tsv").code != 0)
    }

    @Test(arguments: ["--resolver", "--baseline"])
    func `a label with a transport is rejected with a remedy`(option: String) async throws {
        let words = ["report", "a.csv", option, "meadow (tls)"]
        let run = try await Binary.run(words, in: folder.path)
        #expect(run.code == 64 && run.errors.contains("write 'meadow' with --transport tls"))
    }

    @Test(arguments: [
        ("--transport https", "--transport: 'https' was not measured; there are udp, tls"),
        ("--name example.org", "--name: 'example.org' was not measured; did you mean"),
        ("--vantage moon", "--vantage: 'moon' was not measured; there are desk, office"),
        ("--site syd9", "--site: 'syd9' was not measured; there are fra1, ams2"),
    ])
    func `an unmeasured filter value is rejected with the measured values`(
        filter: String,
        message: String
    ) async throws {
        _ = try await run("store import a.csv --store a.sqlite")
        for command in ["report", "chart", "export"] {
            for source in ["a.csv", "a.sqlite --origin import"] {
                let run = try await run("\(command) \(source) \(filter)")
                #expect(run.code == 64 && run.errors.contains(message), "\(run.errors)")
            }
        }
    }
}
