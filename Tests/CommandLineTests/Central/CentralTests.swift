import Foundation
import Servers
import Testing

/// Stores of places, shipped to a PostgreSQL server of the test.
@Suite struct CentralTests {
    private static let reports =
        [
            [], ["--by", "hour"], ["--by", "vantage"], ["--by", "site"], ["--by", "name"],
            ["--baseline", "meadow"], ["--baseline", "system"], ["--against", "24h"],
            ["--changes"], ["--vantage", "home", "--baseline", "brook"],
            ["--objective", "p95 < 20ms"], ["--resolver", "system from home"],
        ].flatMap { kind in
            ["table", "json", "csv"].map { ["report"] + kind + ["--format", $0] }
        } + [["chart", "--kind", "timeline"], ["chart", "--kind", "heatmap"]]

    @Test func `a central store gives the same reports as the places' stores`() async throws {
        let places = try CentralPlaces()
        _ = try await places.run(["sample", "--lab", "--store", "home.sqlite"])
        try await withPostgreSQL { server in
            try await places.enrol(server)
            try await StoredFile(places.folder.file("home.sqlite")).query(
                "INSERT INTO trace VALUES (1, 1, 0, 'home-1', 1, 'slower', 0, 'silent', '*', NULL, NULL, 0)"
            )
            for (role, place) in [(1, "home"), (2, "office")] {
                let shipped = try await places.ship("\(place).sqlite", as: role, to: server)
                #expect(
                    shipped.output.hasPrefix(place == "home" ? "289 rounds, " : "288 rounds, 2592 ")
                )
                let again = try await places.ship("\(place).sqlite", as: role, to: server)
                #expect(again.output.hasPrefix("0 rounds, 0 samples shipped to "))
            }
            #expect(try await server.psql("SELECT source, run FROM dnstempo.trace") == "1|home-1")
            let window = ["--since", "2026-03-01", "--until", "2026-03-04"]
            // A long window is read from hourly sums. This window begins and ends in the middle of an hour.
            let long = ["--since", "2026-03-01T03:05", "--until", "2026-03-11T20:30"]
            for report in Self.reports {
                for span in report.contains("--against")
                    ? [["--until", "2026-03-04"]] : [window, long]
                {
                    let arguments = report + span + ["--origin", "import"]
                    let own = try await places.run(
                        arguments + ["home.sqlite", "office.sqlite"],
                        code: nil
                    )
                    let central = try await places.run(
                        arguments + ["--store", server.url()],
                        code: nil
                    )
                    #expect(own.code == central.code && own.errors == central.errors)
                    #expect(own.output == central.output, "\(arguments)")
                    #expect(!own.output.isEmpty)
                }
            }
            let export = ["export"] + window
            let own = try await places.run(export + ["home.sqlite", "office.sqlite"])
            #expect(try await places.run(export + ["--store", server.url()]).output == own.output)
            #expect(own.output.contains("a word"))
            let lab =
                ["report", "--origin", "sample", "--format", "json", "--until"]
                + [String(Date.now.addingTimeInterval(60).ISO8601Format().prefix(19)) + "Z"]
            #expect(
                try await places.run(lab + ["--store", server.url()]).output
                    == places.run(lab + ["home.sqlite", "office.sqlite"]).output
            )
        }
    }

    @Test func `a pruned central store gives the same reports as pruned stores`() async throws {
        try await CentralPlaces.withEnrolled { places, server in
            _ = try await places.ship("home.sqlite", as: 1, to: server)
            // The age limit is in the middle of an hour, so commands a minute later prune the same hours.
            let limit = try #require(try? Date("2026-03-07T12:30:00Z", strategy: .iso8601))
            let age = "\(Int(Date.now.timeIntervalSince(limit)) / 60)m"
            let prune = ["store", "prune", "--older-than", age]
            let planned = try await places.run(prune + ["--dry-run", "--store", server.url()])
            #expect(planned.output.hasPrefix("would drop "))
            let refused = try await places.run(
                prune + ["--store", server.url("dnstempo_1")],
                code: 78
            )
            #expect(refused.errors.contains("use the role of its owner"))
            let own = try await places.run(prune + ["--store", "home.sqlite"]).output
            let central = try await places.run(prune + ["--store", server.url()]).output
            #expect(own.hasPrefix(central.dropLast()) && central.hasPrefix("dropped "))
            #expect(
                try await server.psql("SELECT count(*) FROM dnstempo.round WHERE data IS NULL")
                    != "0"
            )
            for options in [[], ["--exact"], ["--by", "name"]] {
                let report = ["report", "--since", "2026-03-01", "--until", "2026-03-11"] + options
                let own = try await places.run(report + ["home.sqlite"])
                #expect(
                    try await places.run(report + ["--store", server.url()]).output == own.output
                )
            }
            let again = try await places.run(prune + ["--store", server.url()])
            #expect(again.output.hasPrefix("nothing is from before "))
            _ = try await places.run(["store", "check", "--store", server.url()])
        }
    }

    @Test func `sample and watch ship stored rounds, and continue without a server`() async throws {
        let places = try CentralPlaces()
        let port = try Loopback.freePort()
        let away = "postgresql://me@127.0.0.1:\(port)/db?sslmode=disable"
        let sample = ["sample", "--lab", "--store", "s.sqlite", "--ship"]
        let waiting = try await places.run(sample + [away])
        #expect(waiting.errors.contains("; the rounds wait in the store"))
        _ = try await places.run(
            ["sample", "--lab", "--store", "s.sqlite", "--ship-every", "1h"],
            code: 64
        )
        _ = try await places.run(
            ["sample", "--lab", "--store", "s.sqlite", "--ship", "s.sqlite"],
            code: 64
        )
        try await withPostgreSQL { server in
            _ = try await places.run(["store", "init", "--store", server.url()])
            _ = try await places.run(["store", "enrol", "a", "--store", server.url()])
            let rounds = "SELECT count(*) FROM dnstempo.round"
            // With this interval, a shipment is due after every round.
            let due = [server.url("dnstempo_1"), "--ship-every", "1ms"]
            let shipped = try await places.run(sample + due)
            #expect(shipped.errors == "" && shipped.output == "")
            #expect(try await server.psql(rounds) == "2")
            // The last shipment was less than 365 days ago, so the round stays in the store.
            _ = try await places.run(sample + [server.url("dnstempo_1"), "--ship-every", "365d"])
            #expect(try await server.psql(rounds) == "2")
            _ = try await places.run(
                [
                    "watch", "--lab", "--store", "s.sqlite", "--interval", "0s", "--rounds", "2",
                    "-q",
                ]
                    + ["--ship"] + due
            )
            #expect(try await server.psql(rounds) == "5")
        }
    }

    @Test func `pages of a growing central store equal pages of the places' files`() async throws {
        let places = try CentralPlaces()
        _ = try await places.run(["sample", "--lab", "--store", "home.sqlite"])
        try await withPostgreSQL { server in
            try await places.enrol(server)
            for (role, place) in [(1, "home"), (2, "office")] {
                _ = try await places.ship("\(place).sqlite", as: role, to: server)
            }
            let merge = ["store", "merge", "home.sqlite", "office.sqlite", "--store", "all.sqlite"]
            _ = try await places.run(merge)
            let span = "since=2026-03-01T00:00:00Z&until=2026-03-11T00:00:00Z"
            let pages = [
                "/api/window?\(span)", "/api/window?by=vantage&\(span)", "/api/resolver?\(span)",
                "/api/comparison?baseline=meadow&candidate=brook&\(span)", "/metrics",
            ]
            let all = places.folder.file("all.sqlite")
            var own: [String] = []
            try await Binary.withServe(of: all) { served in
                for page in pages { own.append(try await served.ask(page).body) }
            }
            try await Binary.withServe(of: server.url()) { served in
                for (page, own) in zip(pages, own) {
                    let reply = try await served.ask(page)
                    #expect(reply.body == own, "\(page)")
                    #expect(own.contains("meadow") || own.contains("dnstempo_queries_total"))
                }
                let before = try await served.ask("/api/overview").body
                _ = try await places.run(["sample", "--lab", "--store", "home.sqlite"])
                _ = try await places.ship("home.sqlite", as: 1, to: server)
                #expect(try await served.ask("/api/overview").body != before)
            }
        }
    }

    @Test func `months are read from sums, and a re-enrolled place from rounds`() async throws {
        let places = try CentralPlaces()
        let samples = CentralPlaces.samples(from: "home", router: 2, days: 70, since: "2026-01-20")
        try places.folder.write(samples, to: "home.csv")
        try await withPostgreSQL { server in
            try await places.enrol(server)
            for (role, place) in [(1, "home"), (2, "office")] {
                _ = try await places.ship("\(place).sqlite", as: role, to: server)
            }
            let months = "SELECT count(DISTINCT hour) FROM dnstempo.rollup_month WHERE source = 1"
            #expect(try await server.psql(months) == "3")
            // Expects equal reports from the central store and from `stores`. For a whole month, the central
            // store reads only the sums of the month.
            func expectSame(_ stores: [String]) async throws {
                for span in [
                    ["2026-01-20", "2026-04-10"], ["2026-01-25T07:30", "2026-03-30T02:15"],
                ] {
                    for options in [
                        [], ["--by", "type", "--format", "json"], ["--by", "vantage"],
                    ] {
                        let report = ["report", "--since", span[0], "--until", span[1]] + options
                        let own = try await places.run(report + stores)
                        let central = try await places.run(report + ["--store", server.url()])
                        #expect(central.output == own.output)
                    }
                }
            }
            try await expectSame(["home.sqlite", "office.sqlite"])
            // The place home is enrolled again, as after its store was restored from a backup.
            let merge = ["store", "merge", "home.sqlite", "--store", "again.sqlite"]
            _ = try await places.run(merge)
            _ = try await places.run(["store", "enrol", "home", "--again", "--store", server.url()])
            _ = try await places.ship("again.sqlite", as: 3, to: server)
            try await expectSame(["home.sqlite", "office.sqlite", "again.sqlite"])
        }
    }

    @Test func `the next shipment includes the sums of an interrupted shipment`() async throws {
        let places = try CentralPlaces()
        let samples = CentralPlaces.samples(from: "home", router: 2, days: 35)
        // The last round is incomplete. Its hour is summed again when the round is complete.
        let begun = samples.split(separator: "\n").prefix(500).joined(separator: "\n") + "\n"
        try places.folder.write(begun, to: "home.csv")
        try await withPostgreSQL { server in
            try await places.enrol(server)
            _ = try await places.ship("home.sqlite", as: 1, to: server)
            try places.folder.write(samples, to: "home.csv")
            _ = try await places.run(["store", "import", "home.csv", "--store", "home.sqlite"])
            // One part of a shipment has the sums of at most thirty days. The trigger stops the second part.
            for statement in [
                """
                CREATE FUNCTION public.cut_off() RETURNS trigger LANGUAGE plpgsql AS
                $$ BEGIN RAISE 'cut off'; END $$
                """,
                """
                CREATE TRIGGER cut_off BEFORE INSERT ON dnstempo.rollup FOR EACH ROW
                WHEN (NEW.hour >= extract(epoch FROM timestamptz '2026-04-04 00:00Z') / 3600)
                EXECUTE FUNCTION public.cut_off()
                """,
            ] { _ = try await server.psql(statement) }
            let cut = try await places.ship("home.sqlite", as: 1, to: server, code: 75)
            #expect(cut.errors.contains("cut off: try again later"))
            // The central store has the samples added to the last round. The later rounds and their sums are
            // missing.
            #expect(try await server.psql("SELECT count(*) FROM dnstempo.round") == "57")
            let hours = "SELECT count(DISTINCT hour) FROM dnstempo.rollup WHERE source = 1"
            #expect(try await server.psql(hours) == "56")
            _ = try await server.psql("DROP TRIGGER cut_off ON dnstempo.rollup")
            _ = try await places.ship("home.sqlite", as: 1, to: server)
            #expect(try await server.psql(hours) == "840")
            _ = try await places.ship("home.sqlite", as: 2, to: server)
            for table in ["rollup", "rollup_day", "rollup_month", "day"] {
                let same = try await server.psql(
                    """
                    SELECT count(*), count(DISTINCT sums) FROM (
                        SELECT array_agg(
                            to_jsonb(one) - 'source' ORDER BY to_jsonb(one) - 'source'
                        ) AS sums
                        FROM dnstempo.\(table) AS one GROUP BY source
                    ) AS places
                    """
                )
                #expect(same == "2|1", "\(table)")
            }
        }
    }
}
