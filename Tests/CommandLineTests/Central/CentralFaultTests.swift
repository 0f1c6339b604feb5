import Foundation
import Servers
import Testing

/// Faults on the way to a central store. Each round arrives exactly once, and checks find changed rows.
@Suite struct CentralFaultTests {
    @Test func `a check finds a changed sum and a missing round, with their places`() async throws {
        try await CentralPlaces.withEnrolled { places, server in
            for (role, place) in [(1, "home"), (2, "office")] {
                _ = try await places.ship("\(place).sqlite", as: role, to: server)
            }
            let check = ["store", "check", "--store", server.url()]
            let sound = try await places.run(check)
            #expect(sound.output.contains("is sound: 576 rounds, 5184 samples, "))
            let info = try await places.run(["store", "info", "--store", server.url()])
            #expect(info.output.contains(#/1 +home +288 +20\d\d-/#), "\(info.output)")
            _ = try await server.psql(HostileRows.withoutConstraints)
            let json = try await places.run([
                "store", "info", "--store", server.url(), "--format", "json",
            ])
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
                let found = try await places.run(check, code: 65)
                #expect(found.output.contains(finding), "\(found.output) \(found.errors)")
            }
        }
    }

    @Test func `a day that differs from its shipment is found and shipped again`() async throws {
        try await CentralPlaces.withEnrolled { places, server in
            _ = try await places.ship("office.sqlite", as: 2, to: server)
            _ = try await server.psql("UPDATE dnstempo.day SET rounds = '\\x01'")
            let report = ["report", "--since", "2026-03-01", "--until", "2026-03-11"]
            let store = ["--store", server.url()]
            let check = try await places.run(["store", "check"] + store, code: 65)
            #expect(check.output.contains("a day of place 2 is not as it was shipped"))
            let told = try await places.run(report + store, code: 65).errors
            let advice = try #require(told.firstMatch(of: #/run (UPDATE .+) as its owner/#))
            _ = try await server.psql(String(advice.1))
            _ = try await places.ship("office.sqlite", as: 2, to: server)
            let own = try await places.run(report + ["office.sqlite"]).output
            #expect(try await places.run(report + store).output == own)
        }
    }

    @Test func `each round arrives once after a shipper or server is killed`() async throws {
        let places = try CentralPlaces()
        try places.folder.write(
            CentralPlaces.samples(from: "home", router: 2, days: 28, names: 30),
            to: "home.csv"
        )
        try await withPostgreSQL { server in
            try await places.enrol(server)
            let shipping = ["store", "ship", "--store", places.folder.file("home.sqlite"), "--to"]
            // Each attempt ends the process, its connection or the server at another moment.
            for delay in stride(from: 0, to: 12, by: 1) {
                try await Binary.withRunning(shipping + [server.url("dnstempo_1")]) { process, _ in
                    let count = "SELECT count(*) FROM pg_stat_activity WHERE usename = 'dnstempo_1'"
                    var looks = 0
                    _ = try await eventually(while: process) {
                        looks += 1
                        // A crashed server may accept connections once more before it restarts.
                        return (try? await server.psql(count)) == "1" && looks > delay % 4
                    }
                    switch delay % 3 {
                    case 0: process.send(signal: SIGKILL)
                    case 1:
                        _ = try await server.psql(
                            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                                + "WHERE usename = 'dnstempo_1'"
                        )
                    default: try await crash(server)
                    }
                    _ = await process.end()
                }
            }
            try await withThrowingTaskGroup(of: Int32?.self) { group in
                for _ in 0..<8 {
                    group.addTask {
                        try await places.run(shipping + [server.url("dnstempo_1")], code: nil).code
                    }
                }
                // A role may have at most two connections, so some attempts may fail with 75.
                for try await code in group {
                    #expect(code == 0 || code == 75, "\(String(describing: code))")
                }
            }
            // The server may notice the end of a connection late. Until then it counts the connection.
            let isFree = try await eventually {
                try await server.psql(
                    "SELECT count(*) FROM pg_stat_activity WHERE usename = 'dnstempo_1'"
                ) == "0"
            }
            try #require(isFree)
            _ = try await places.ship("home.sqlite", as: 1, to: server)
            #expect(
                try await server.psql(
                    "SELECT count(*), count(DISTINCT (run, number)), sum(samples) FROM dnstempo.round"
                ) == "672|672|60480"
            )
            try await expectSameReports(places, server)
        }
    }

    /// Kills the server processes that serve place 1. The server restarts and rolls back open transactions.
    private func crash(_ server: RunningServer) async throws {
        let processes = try await server.psql(
            "SELECT pid FROM pg_stat_activity WHERE usename = 'dnstempo_1'"
        )
        for line in processes.split(separator: "\n") {
            _ = Int32(line).map { kill($0, SIGKILL) }
        }
        let isBack = try await eventually { (try? await server.psql("SELECT 1")) == "1" }
        #expect(isBack)
    }

    /// Expects that central and local reports are equal, per resolver and per day.
    private func expectSameReports(_ places: CentralPlaces, _ server: RunningServer) async throws {
        for grouping in ["resolver", "day"] {
            let report = [
                "report", "--since", "2026-03-01", "--until", "2026-03-30", "--by", grouping,
            ]
            let own = try await places.run(report + ["home.sqlite"])
            #expect(try await places.run(report + ["--store", server.url()]).output == own.output)
        }
    }

    @Test func `a dashboard recovers after its database connection is closed`() async throws {
        try await CentralPlaces.withEnrolled { places, server in
            _ = try await places.ship("home.sqlite", as: 1, to: server)
            try await Binary.withServe(of: server.url()) { served in
                let page = "/api/window?until=2026-03-11T00:00:00Z&since=2026-03-0"
                #expect(try await served.ask(page + "1T00:00:00Z").status == 200)
                // Closes the connection that reads rows. The connection that polls for new rounds stays open.
                _ = try await server.psql(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE "
                        + "pid <> pg_backend_pid() AND usename = 'postgres' "
                        + "AND query NOT LIKE '%count(sums_from)%'"
                )
                let isBack = try await eventually {
                    try await served.ask(page + "2T00:00:00Z").status == 200
                }
                #expect(isBack)
                // These windows are outside the time range that the program queries a central store for.
                for years in [
                    "since=2200-01-01&until=2250-01-01", "since=1700-01-01&until=1750-01-01",
                ] {
                    #expect(try await served.ask("/api/window?\(years)").status == 200)
                }
            }
        }
    }

    /// Without the constraints, a role may write any values into rows of its own place.
    @Test func `a place's impossible values do not change reports of other places`() async throws {
        try await CentralPlaces.withEnrolled { places, server in
            for role in [1, 2] {
                let place = ["home", "office"][role - 1]
                _ = try await places.ship("\(place).sqlite", as: role, to: server)
            }
            let report = [
                "report", "--by", "vantage", "--since", "2026-03-01", "--until", "2026-03-30",
                "--store", server.url(),
            ]
            let whole = try await places.run(report).output
            _ = try await server.psql(HostileRows.withoutConstraints)
            for lie in [
                "at = '294000-01-01'", "at = 'infinity'", "longest = 9223372036854775807",
                "longest = -9223372036854775808",
                "last = -9223372036854775808, pruned = -9223372036854775808",
            ] {
                _ = try await server.psql("UPDATE dnstempo.shipped SET \(lie) WHERE source = 2")
                _ = try await places.run(["store", "info", "--store", server.url()])
                let told = try await places.run(report).output
                #expect(told.contains("home"), "\(lie)")
                if lie.hasPrefix("at") { #expect(told == whole, "\(lie)") }
            }
            _ = try await server.psql("UPDATE dnstempo.round SET samples = 9223372036854775807")
            let asked = try await places.run([
                "store", "prune", "--older-than", "24h", "--dry-run", "--store", server.url(),
            ])
            #expect(asked.output.contains("9223372036854775807 samples"), "\(asked.output)")
        }
    }

    @Test func `rounds are not duplicated if answers of the server are lost`() async throws {
        try await CentralPlaces.withEnrolled { places, server in
            try await withServer(CuttingRelay(to: server.port, step: 230)) { relay in
                var attempts = 0
                while attempts < 60 {
                    attempts += 1
                    let url = relay.url("dnstempo_1")
                    let shipped = try await places.run(
                        ["store", "ship", "--store", "home.sqlite", "--to", url],
                        code: nil
                    )
                    if shipped.code == 0 { break }
                    #expect(shipped.code == 75 && shipped.errors.contains("try again later"))
                }
                #expect(attempts > 5 && attempts < 60)
            }
            #expect(
                try await server.psql(
                    "SELECT count(*), count(DISTINCT (run, number)), sum(samples) FROM dnstempo.round"
                ) == "288|288|2592"
            )
            try await expectSameReports(places, server)
        }
    }

    @Test func `samples added to shipped rounds reach the central store`() async throws {
        let places = try CentralPlaces()
        let lines = CentralPlaces.samples(from: "home", router: 2, days: 12).split(separator: "\n")
        try await withPostgreSQL { server in
            try await places.enrol(server)
            // The first two parts end within a round, like files that are still being written. The first part
            // also lacks the first three samples of its first round.
            for (index, end) in [(0, 500), (1, 700), (2, lines.count)] {
                let part = [lines[0]] + lines[(index == 0 ? 4 : 1)..<end]
                try places.folder.write(part.joined(separator: "\n") + "\n", to: "part.csv")
                _ = try await places.run(["store", "import", "part.csv", "--store", "grown.sqlite"])
                _ = try await places.ship("grown.sqlite", as: 1, to: server)
                guard index == 0 else { continue }
                // Turns the central store into a store of an older version, in which rounds cannot grow.
                // `init` upgrades the central store.
                for change in [
                    "DROP VIEW dnstempo.current CASCADE",
                    "ALTER TABLE dnstempo.round DROP COLUMN extended, ADD PRIMARY KEY (source, start, id)",
                    "UPDATE dnstempo.version SET version = 9",
                ] { _ = try await server.psql(change) }
                _ = try await places.run(["store", "init", "--store", server.url()])
            }
            let count = "SELECT count(*), sum(samples) FROM dnstempo"
            #expect(try await server.psql("\(count).rounds") == "288|2592")
            #expect(try await server.psql("SELECT count(*) FROM dnstempo.samples") == "2592")
            #expect(
                try await server.psql("SELECT rounds FROM dnstempo.shipped WHERE source = 1")
                    == "288"
            )
            try await expectSameReports(places, server)
            let check = try await places.run(["store", "check", "--store", server.url()])
            #expect(check.output.contains("is sound: 288 rounds, 2592 samples, "))
            // Additional samples are new rows. The shipped rows do not change.
            #expect(try await server.psql("\(count).round") == "291|2608")
        }
    }

    @Test func `a read-only or full central store keeps its rows`() async throws {
        try await CentralPlaces.withEnrolled { places, server in
            let readOnly = "ALTER DATABASE postgres SET default_transaction_read_only ="
            _ = try await server.psql("\(readOnly) on")
            let refused = try await places.ship("home.sqlite", as: 1, to: server, code: 73)
            #expect(refused.errors.contains("the server takes no writes: name the primary"))
            _ = try await server.psql("BEGIN READ WRITE; \(readOnly) off; COMMIT")
            guard await SmallDisk.isPermitted else {
                _ = try await places.ship("home.sqlite", as: 1, to: server)
                return
            }
            try await SmallDisk.with(kilobytes: 2_048) { disk in
                _ = try await Program("chown", package: "coreutils").run(["postgres", disk.path])
                _ = try await server.psql("CREATE TABLESPACE small LOCATION '\(disk.path)'")
                _ = try await server.psql("ALTER TABLE dnstempo.rollup SET TABLESPACE small")
                try disk.fill()
                let full = try await places.ship("home.sqlite", as: 1, to: server, code: 73)
                #expect(full.errors.contains("No space left on device: make room at the server"))
                #expect(try await server.psql("SELECT count(*) FROM dnstempo.round") == "0")
                try FileManager.default.removeItem(atPath: disk.file("filler"))
                _ = try await places.ship("home.sqlite", as: 1, to: server)
                try await expectSameReports(places, server)
                _ = try await server.psql("ALTER TABLE dnstempo.rollup SET TABLESPACE pg_default")
                _ = try await server.psql("DROP TABLESPACE small")
            }
        }
    }

    @Test func `rounds from clocks that are decades off are kept and reported`() async throws {
        let places = try CentralPlaces()
        let lines = CentralPlaces.samples(from: "home", router: 2, days: 2).split(separator: "\n")
        for (year, name) in [("1986", "early"), ("2066", "late")] {
            let other = lines.map { $0.replacing("2026-", with: "\(year)-") }
                .map { $0.replacing("home-", with: "\(name)-") }
            try places.folder.write(other.joined(separator: "\n") + "\n", to: "\(name).csv")
        }
        try await withPostgreSQL { server in
            try await places.enrol(server)
            for name in ["late", "early"] {
                let store = ["--store", "home.sqlite"]
                _ = try await places.run(["store", "import", "\(name).csv"] + store)
                _ = try await places.ship("home.sqlite", as: 1, to: server)
            }
            try await expectSameReports(places, server)
            for year in [1986, 2066] {
                let report = ["report", "--since", "\(year)-01-01", "--until", "\(year)-12-31"]
                let own = try await places.run(report + ["home.sqlite"])
                #expect(own.output.contains("meadow"))
                #expect(
                    try await places.run(report + ["--store", server.url()]).output == own.output
                )
            }
            _ = try await places.run(["store", "check", "--store", server.url()])
        }
    }
}
