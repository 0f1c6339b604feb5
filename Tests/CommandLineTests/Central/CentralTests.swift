import Foundation
import Servers
import Testing

/// Stores of places, shipped to a PostgreSQL of the test's own.
@Suite struct CentralTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        for (place, router) in [("home", 2), ("office", 30)] {
            try folder.write(
                Self.samples(from: place, router: router, days: 12),
                to: "\(place).csv"
            )
        }
    }

    /// A round an hour of three resolvers, one of which each place has of its own.
    private static func samples(from place: String, router: Int, days: Int, names: Int = 3)
        -> String
    {
        var lines = [
            "run,round,scheduled,sent,vantage,resolver,endpoint,transport,series,name,type,outcome,"
                + "rcode,rtt_ms,timeout_ms,site,ttl,connect_ms,detail"
        ]
        for round in 1...(24 * days) {
            let (day, hour) = (1 + (round - 1) / 24, (round - 1) % 24)
            let moment =
                "2026-03-\(day < 10 ? "0" : "")\(day)T\(hour < 10 ? "0" : "")\(hour):10:00Z"
            for (resolver, base) in [
                ("system,192.168.1.1:53", router), ("meadow,192.0.2.1:53", 14),
                ("brook,192.0.2.2:53", 19),
            ] {
                for name in 0..<names {
                    let isLost = (round + name) % 37 == 0
                    let time = Double(base) + Double((round * 7 + name * 3) % 10) / 8
                    lines.append(
                        "\(place)-\(day),\(round),\(moment),\(moment),\(place),\(resolver),udp,cached,"
                            + "n\(name).example,A,\(isLost ? "timeout,," : "answered,NOERROR,\(time)"),"
                            + "5000,\(isLost ? "" : "ams1"),\(isLost ? "" : "300"),,"
                            + "\(isLost ? "" : name == 1 ? "a word" : "")"
                    )
                }
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private func run(_ arguments: [String], code: Int32? = 0) async throws -> CommandOutput {
        let output = try await Binary.run(arguments, in: folder.path, limit: .seconds(120))
        if let code {
            #expect(output.code == code, "\(arguments.joined(separator: " ")): \(output.errors)")
        }
        return output
    }

    /// Places with their stores, enrolled in their order.
    private func enrol(_ server: RunningServer) async throws {
        _ = try await run(["store", "init", "--store", server.url()])
        for place in ["home", "office"] {
            _ = try await run(["store", "import", "\(place).csv", "--store", "\(place).sqlite"])
            _ = try await run([
                "store", "enrol", place, "--label", "country=DE", "--store", server.url(),
            ])
        }
    }

    private func ship(
        _ store: String,
        as role: Int,
        to server: RunningServer,
        code: Int32 = 0
    ) async throws -> CommandOutput {
        try await run(
            ["store", "ship", "--store", store, "--to", server.url("dnstempo_\(role)")],
            code: code
        )
    }

    @Test func `a central store tells what the places' own stores tell`() async throws {
        defer { folder.remove() }
        _ = try await run(["sample", "--lab", "--store", "home.sqlite"])
        try await withPostgreSQL { server in
            try await enrol(server)
            for (role, place) in [(1, "home"), (2, "office")] {
                let shipped = try await ship("\(place).sqlite", as: role, to: server)
                #expect(
                    shipped.output.hasPrefix(place == "home" ? "289 rounds, " : "288 rounds, 2592 ")
                )
                let again = try await ship("\(place).sqlite", as: role, to: server)
                #expect(again.output.hasPrefix("0 rounds, 0 samples shipped to "))
            }
            let window = ["--since", "2026-03-01", "--until", "2026-03-04"]
            // By hourly sums, from and to some minute of an hour.
            let long = ["--since", "2026-03-01T03:05", "--until", "2026-03-11T20:30"]
            let reports =
                [
                    [], ["--by", "hour"], ["--by", "vantage"], ["--by", "site"], ["--by", "name"],
                    ["--baseline", "meadow"], ["--baseline", "system"], ["--against", "24h"],
                    ["--changes"], ["--vantage", "home", "--baseline", "brook"],
                    ["--objective", "p95 < 20ms"], ["--resolver", "system from home"],
                ].flatMap { kind in
                    ["table", "json", "csv"].map { ["report"] + kind + ["--format", $0] }
                } + [["chart", "--kind", "timeline"], ["chart", "--kind", "heatmap"]]
            for report in reports {
                for span in report.contains("--against")
                    ? [["--until", "2026-03-04"]] : [window, long]
                {
                    let arguments = report + span + ["--origin", "import"]
                    let own = try await run(
                        arguments + ["home.sqlite", "office.sqlite"],
                        code: nil
                    )
                    let central = try await run(arguments + ["--store", server.url()], code: nil)
                    #expect(own.code == central.code && own.errors == central.errors)
                    #expect(own.output == central.output, "\(arguments)")
                    #expect(!own.output.isEmpty)
                }
            }
            let export = ["export"] + window
            let own = try await run(export + ["home.sqlite", "office.sqlite"])
            #expect(try await run(export + ["--store", server.url()]).output == own.output)
            #expect(own.output.contains("a word"))
            let lab =
                ["report", "--origin", "sample", "--format", "json", "--until"]
                + [String(Date.now.addingTimeInterval(60).ISO8601Format().prefix(19)) + "Z"]
            #expect(
                try await run(lab + ["--store", server.url()]).output
                    == run(lab + ["home.sqlite", "office.sqlite"]).output
            )
        }
    }

    @Test func `what would mix or double places is refused by name`() async throws {
        defer { folder.remove() }
        try await withPostgreSQL { server in
            try await enrol(server)
            _ = try await run(["store", "import", "home.csv", "--store", "older.sqlite"])
            try folder.write(Self.samples(from: "home", router: 2, days: 13), to: "more.csv")
            _ = try await run(["store", "import", "more.csv", "--store", "home.sqlite"])
            let early = folder.file("early.sqlite")
            try FileManager.default.copyItem(atPath: folder.file("home.sqlite"), toPath: early)
            _ = try await ship("home.sqlite", as: 1, to: server)
            let other = try await ship("older.sqlite", as: 1, to: server, code: 65)
            #expect(other.errors.contains("another store than 'older.sqlite' ships as place 1"))
            // A store that was put back to before the last rounds that it shipped.
            try folder.write(Self.samples(from: "home", router: 2, days: 14), to: "more.csv")
            _ = try await run(["store", "import", "more.csv", "--store", "home.sqlite"])
            _ = try await ship("home.sqlite", as: 1, to: server)
            let back = try await ship(early, as: 1, to: server, code: 65)
            #expect(back.errors.contains("was put back to before it shipped round 336 of run"))
            let owner = try await run(
                ["store", "ship", "--store", "home.sqlite", "--to", server.url()],
                code: 78
            )
            #expect(owner.errors.contains("the role 'postgres' is of no place"))
            _ = try await server.psql("UPDATE dnstempo.version SET version = version + 1")
            let newer = try await run(["store", "init", "--store", server.url()], code: 65)
            #expect(newer.errors.contains("was made by a newer dnstempo"))
            _ = try await server.psql("UPDATE dnstempo.version SET version = 1")
            let older = try await ship("office.sqlite", as: 2, to: server, code: 65)
            #expect(older.errors.contains("have its owner run dnstempo store init"))
        }
    }

    @Test func `a server is reached within limits, and by its certificate unless told otherwise`()
        async throws
    {
        defer { folder.remove() }
        _ = try await run(["store", "import", "home.csv", "--store", "home.sqlite"])
        func ship(to url: String, code: Int32) async throws -> String {
            try await run(["store", "ship", "--store", "home.sqlite", "--to", url], code: code)
                .errors
        }
        #expect(
            try await ship(to: "postgresql://me:secret@127.0.0.1/db", code: 64)
                .contains("put it into ~/.pgpass")
        )
        #expect(
            try await ship(to: "postgresql://me@192.0.2.1/db", code: 64)
                .contains("outside the allowed networks")
        )
        for command in [
            ["sample", "--lab"], ["compare", "--lab"], ["serve"],
            ["store", "prune", "--older-than", "9d"],
            ["store", "import", "home.csv"],
        ] {
            let url = "postgresql://me@127.0.0.1/db"
            let refused = try await run(command + ["--store", url], code: 64)
            #expect(
                refused.errors.contains("'\(url)' is a central store, and a file is wanted here")
            )
        }
        #expect(try await ship(to: "home.sqlite", code: 64).contains("is no central store"))
        #expect(try await ship(to: "postgresql://a,b/db", code: 64).contains("several hosts"))
        #expect(
            try await ship(to: "postgresql://me@127.0.0.1/db?no=1", code: 64)
                .contains("is no URL of a central store")
        )
        let port = try Loopback.freePort()
        #expect(
            try await ship(to: "postgresql://me@127.0.0.1:\(port)/db?sslmode=disable", code: 75)
                .contains("try again later")
        )
        try await withPostgreSQL { server in
            // libpq by itself would go on without.
            let plain = server.url("dnstempo_1").replacing("?sslmode=disable", with: "")
            #expect(try await ship(to: plain, code: 78).contains("SSL"))
            #expect(try await ship(to: server.url("dnstempo_1"), code: 78).contains("dnstempo_1"))
            _ = try await run(["store", "init", "--store", server.url()])
            _ = try await run(["store", "enrol", "", "--store", server.url()], code: 64)
            _ = try await run(
                ["store", "enrol", "a", "--label", "DE", "--store", server.url()],
                code: 64
            )
        }
    }

    @Test func `a hostile place sees and changes nothing of others, and of its own rounds nothing`()
        async throws
    {
        defer { folder.remove() }
        try await withPostgreSQL { server in
            try await enrol(server)
            for (role, place) in [(1, "home"), (2, "office")] {
                _ = try await ship("\(place).sqlite", as: role, to: server)
            }
            for table in [
                "source", "shipped", "vantage", "endpoint", "target", "question", "probe", "text",
                "run",
                "rollup_key", "round", "rollup", "connection", "warmup", "cause",
            ] {
                let key = table == "source" ? "id" : "source"
                let count = "SELECT count(*) FROM dnstempo.\"\(table)\" WHERE \(key)"
                #expect(try await server.psql("\(count) = 1", as: "dnstempo_2") == "0")
            }
            for sql in [
                "INSERT INTO dnstempo.vantage VALUES (1, 99, 'forged')",
                "UPDATE dnstempo.round SET samples = 0", "DELETE FROM dnstempo.round",
                "DELETE FROM dnstempo.rollup", "TRUNCATE dnstempo.round",
                "UPDATE dnstempo.source SET vantage = 'x'", "DELETE FROM dnstempo.shipped",
                "INSERT INTO dnstempo.source (vantage) VALUES ('x')",
                "COPY dnstempo.round TO '/tmp/dnstempo-copy'", "CREATE ROLE dnstempo_3",
                "SET ROLE dnstempo_1", "SET SESSION AUTHORIZATION dnstempo_1",
                "UPDATE dnstempo.version SET version = 9", "CREATE TABLE dnstempo.mine (a int)",
                "UPDATE dnstempo.rollup SET source = 1",
            ] {
                await #expect(throws: ServerError.self, "\(sql)") {
                    try await server.psql(sql, as: "dnstempo_2")
                }
            }
            // What it may change is its own.
            let others = "SELECT sum(answered) FROM dnstempo.rollup WHERE source = 1"
            let before = try await server.psql(others)
            _ = try await server.psql("UPDATE dnstempo.rollup SET answered = 7", as: "dnstempo_2")
            #expect(try await server.psql(others) == before)
        }
    }

    @Test func `sample and watch ship what they store, and go on without a server`() async throws {
        defer { folder.remove() }
        let port = try Loopback.freePort()
        let away = "postgresql://me@127.0.0.1:\(port)/db?sslmode=disable"
        let sample = ["sample", "--lab", "--store", "s.sqlite", "--ship"]
        let waiting = try await run(sample + [away])
        #expect(waiting.errors.contains("; the rounds wait in the store"))
        _ = try await run(
            ["sample", "--lab", "--store", "s.sqlite", "--ship-every", "1h"],
            code: 64
        )
        _ = try await run(
            ["sample", "--lab", "--store", "s.sqlite", "--ship", "s.sqlite"],
            code: 64
        )
        try await withPostgreSQL { server in
            _ = try await run(["store", "init", "--store", server.url()])
            _ = try await run(["store", "enrol", "a", "--store", server.url()])
            let rounds = "SELECT count(*) FROM dnstempo.round"
            // Due with every round.
            let due = [server.url("dnstempo_1"), "--ship-every", "1ms"]
            let shipped = try await run(sample + due)
            #expect(shipped.errors == "" && shipped.output == "")
            #expect(try await server.psql(rounds) == "2")
            // Within the span of the round before it waits.
            _ = try await run(sample + [server.url("dnstempo_1"), "--ship-every", "365d"])
            #expect(try await server.psql(rounds) == "2")
            _ = try await run(
                [
                    "watch", "--lab", "--store", "s.sqlite", "--interval", "0s", "--rounds", "2",
                    "-q",
                ]
                    + ["--ship"] + due
            )
            #expect(try await server.psql(rounds) == "5")
        }
    }

    @Test func `an altered sum and a missing round are found, and places are listed`() async throws
    {
        defer { folder.remove() }
        try await withPostgreSQL { server in
            try await enrol(server)
            for (role, place) in [(1, "home"), (2, "office")] {
                _ = try await ship("\(place).sqlite", as: role, to: server)
            }
            let check = ["store", "check", "--store", server.url()]
            let sound = try await run(check)
            #expect(sound.output.contains("is sound: 576 rounds, 5184 samples, "))
            let info = try await run(["store", "info", "--store", server.url()])
            #expect(info.output.contains(#/1 +home +288 +20\d\d-/#), "\(info.output)")
            let json = try await run(["store", "info", "--store", server.url(), "--format", "json"])
            #expect(json.output.contains("\"vantage\": \"office\""))
            for (harm, finding) in [
                (
                    "UPDATE dnstempo.rollup SET sum = sum + 1 WHERE source = 2 AND ctid IN "
                        + "(SELECT ctid FROM dnstempo.rollup WHERE source = 2 LIMIT 1)",
                    "place 2 (office): "
                ),
                (
                    "DELETE FROM dnstempo.round WHERE source = 1 AND number = 100",
                    "place 1 (home): "
                ),
                (
                    "UPDATE dnstempo.round SET data = '\\x0102' WHERE source = 1 AND number = 7",
                    "place 1 (home): the samples of a round are not as they were packed"
                ),
            ] {
                _ = try await server.psql(harm)
                let found = try await run(check, code: 65)
                #expect(found.output.contains(finding), "\(found.output) \(found.errors)")
            }
        }
    }

    @Test func `whenever a shipper is killed or its server stops, each round is there once`()
        async throws
    {
        defer { folder.remove() }
        try folder.write(Self.samples(from: "home", router: 2, days: 28, names: 30), to: "home.csv")
        try await withPostgreSQL { server in
            try await enrol(server)
            let shipping = ["store", "ship", "--store", folder.file("home.sqlite"), "--to"]
            // At other moments of its way each time.
            for delay in stride(from: 0, to: 12, by: 1) {
                try await Binary.withRunning(shipping + [server.url("dnstempo_1")]) { process, _ in
                    let count = "SELECT count(*) FROM pg_stat_activity WHERE usename = 'dnstempo_1'"
                    var looks = 0
                    _ = try await eventually(while: process) {
                        looks += 1
                        return try await server.psql(count) == "1" && looks > delay % 4
                    }
                    if delay.isMultiple(of: 2) {
                        process.send(signal: SIGKILL)
                    } else {
                        _ = try await server.psql(
                            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                                + "WHERE usename = 'dnstempo_1'"
                        )
                    }
                    _ = await process.end()
                }
            }
            try await withThrowingTaskGroup { group in
                for _ in 0..<2 {
                    group.addTask { _ = try await ship("home.sqlite", as: 1, to: server) }
                }
                try await group.waitForAll()
            }
            #expect(
                try await server.psql(
                    "SELECT count(*), count(DISTINCT (run, number)), sum(samples) FROM dnstempo.round"
                ) == "672|672|60480"
            )
            let report = [
                "report", "--since", "2026-03-01", "--until", "2026-03-30", "--by", "day",
            ]
            let own = try await run(report + ["home.sqlite"])
            #expect(try await run(report + ["--store", server.url()]).output == own.output)
        }
    }
}
