import Foundation
import Servers
import Testing

/// The rights of places at a central store, and the checks of the server that a place ships to.
@Suite struct CentralAccessTests {
    @Test func `shipping with a wrong store, role or version is rejected`() async throws {
        try await CentralPlaces.withEnrolled { places, server in
            _ = try await places.run(["store", "import", "home.csv", "--store", "older.sqlite"])
            try places.folder.write(
                CentralPlaces.samples(from: "home", router: 2, days: 13),
                to: "more.csv"
            )
            _ = try await places.run(["store", "import", "more.csv", "--store", "home.sqlite"])
            let early = places.folder.file("early.sqlite")
            try FileManager.default.copyItem(
                atPath: places.folder.file("home.sqlite"),
                toPath: early
            )
            _ = try await places.ship("home.sqlite", as: 1, to: server)
            let other = try await places.ship("older.sqlite", as: 1, to: server, code: 65)
            #expect(other.errors.contains("another store than 'older.sqlite' ships as place 1"))
            // The copy becomes older than the last shipped rounds, like a store restored from a backup.
            try places.folder.write(
                CentralPlaces.samples(from: "home", router: 2, days: 14),
                to: "more.csv"
            )
            _ = try await places.run(["store", "import", "more.csv", "--store", "home.sqlite"])
            _ = try await places.ship("home.sqlite", as: 1, to: server)
            let back = try await places.ship(early, as: 1, to: server, code: 65)
            #expect(back.errors.contains("was put back to before it shipped round 336 of run"))
            let owner = try await places.run(
                ["store", "ship", "--store", "home.sqlite", "--to", server.url()],
                code: 78
            )
            #expect(owner.errors.contains("the role 'postgres' is of no place"))
            _ = try await server.psql("UPDATE dnstempo.version SET version = version + 1")
            let newer = try await places.run(["store", "init", "--store", server.url()], code: 65)
            #expect(newer.errors.contains("was made by a newer dnstempo"))
            _ = try await server.psql("UPDATE dnstempo.version SET version = 1")
            let older = try await places.ship("office.sqlite", as: 2, to: server, code: 65)
            #expect(older.errors.contains("have its owner run dnstempo store init"))
        }
    }

    @Test func `URLs of central stores are checked, and TLS is required`() async throws {
        let places = try CentralPlaces()
        _ = try await places.run(["store", "import", "home.csv", "--store", "home.sqlite"])
        func ship(to url: String, code: Int32) async throws -> String {
            try await places.run(
                ["store", "ship", "--store", "home.sqlite", "--to", url],
                code: code
            )
            .errors
        }
        let port = try Loopback.freePort()
        for (url, code, words) in [
            ("postgresql://me:secret@127.0.0.1/db", Int32(64), "put it into ~/.pgpass"),
            ("postgresql://me@192.0.2.1/db", 64, "outside the allowed networks"),
            ("home.sqlite", 64, "is no central store"),
            ("postgresql://a,b/db", 64, "several hosts"),
            ("postgresql://me@127.0.0.1/db?no=1", 64, "is no URL of a central store"),
            ("postgresql://me@127.0.0.1:\(port)/db?sslmode=disable", 75, "try again later"),
        ] { #expect(try await ship(to: url, code: code).contains(words)) }
        for command in [
            ["sample", "--lab"], ["compare", "--lab"], ["serve", "--lab", "--sample-every", "1m"],
            ["store", "import", "home.csv"],
        ] {
            let url = "postgresql://me@127.0.0.1/db"
            let refused = try await places.run(command + ["--store", url], code: 64)
            #expect(
                refused.errors.contains("'\(url)' is a central store, and a file is expected here")
            )
        }
        try await withPostgreSQL { server in
            // libpq itself would continue without TLS.
            let plain = server.url("dnstempo_1").replacing("?sslmode=disable", with: "")
            #expect(try await ship(to: plain, code: 78).contains("SSL"))
            #expect(try await ship(to: server.url("dnstempo_1"), code: 78).contains("dnstempo_1"))
            _ = try await places.run(["store", "init", "--store", server.url()])
            _ = try await places.run(["store", "enrol", "", "--store", server.url()], code: 64)
            let twice = ["store", "enrol", "a", "--store", server.url()]
            _ = try await places.run(twice)
            let refused = try await places.run(twice, code: 64)
            #expect(
                refused.errors
                    == "dnstempo: 'a' is enrolled already, as place 1: choose another name, or "
                    + "add --again if its store was put back\n"
            )
            #expect(try await server.psql("SELECT count(*) FROM dnstempo.source") == "1")
            _ = try await places.run(
                ["store", "enrol", "a", "--label", "DE", "--store", server.url()],
                code: 64
            )
        }
    }

    @Test func `only the URL can name a server on the network`() async throws {
        for (options, environment) in [
            ("?service=prod", [:]), ("?host=/tmp&hostaddr=192.0.2.1", [:]),
            ("", ["PGSERVICE": "prod"]), ("", ["PGHOST": "192.0.2.1"]),
            ("", ["PGHOST": "/tmp,192.0.2.1"]), ("?host=", ["PGHOSTADDR": "192.0.2.1"]),
            ("?host=/tmp", ["PGHOSTADDR": "192.0.2.1"]),
        ] {
            let url = "postgresql:///db\(options)"
            let info = ["store", "info", "--store", url]
            let refused = try await Binary.run(info, environment: environment)
            #expect(refused.code == 64, "\(refused.errors)")
            #expect(refused.errors.contains("'\(url)' names no host, and "))
        }
        // If PGHOST names a folder of sockets, the URL needs no host.
        let away = try await Binary.run(
            ["store", "info", "--store", "postgresql:///db"],
            environment: ["PGHOST": "/nonexistent"]
        )
        #expect(away.code == 75, "\(away.errors)")
    }

    @Test func `a hostile place changes no rows of other places`() async throws {
        try await CentralPlaces.withEnrolled { places, server in
            for (role, place) in [(1, "home"), (2, "office")] {
                _ = try await places.ship("\(place).sqlite", as: role, to: server)
            }
            for table in [
                "source", "shipped", "vantage", "endpoint", "target", "question", "probe", "text",
                "run",
                "rollup_key", "round", "rollup", "connection", "warmup", "cause",
                "trace",
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
            // An update by place 2 changes only the rows of place 2.
            let others = "SELECT sum(answered) FROM dnstempo.rollup WHERE source = 1"
            let before = try await server.psql(others)
            _ = try await server.psql("UPDATE dnstempo.rollup SET answered = 7", as: "dnstempo_2")
            #expect(try await server.psql(others) == before)
        }
    }

    @Test func `a place ships with a password and a verified certificate`() async throws {
        let places = try CentralPlaces()
        let authority = try await ThrowawayAuthority(in: places.folder)
        let certificate = try await authority.certificate(for: "localhost")
        let stranger = try await authority.selfSigned(for: "localhost").file
        try await withPostgreSQL { server in
            _ = try await places.run(["store", "import", "home.csv", "--store", "home.sqlite"])
            _ = try await places.run(["store", "init", "--store", server.url()])
            let enrolled = try await places.run(["store", "enrol", "home", "--store", server.url()])
            try await server.encrypt(certificate)
            let line = try #require(
                enrolled.output.firstMatch(of: /line for its ~\/.pgpass \(chmod 600\): (.+)\n/)?.1
            )
            let passwords = try places.folder.write("\(line)\n", to: "passwords")
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o600],
                ofItemAtPath: passwords
            )
            let url = server.url("dnstempo_1").replacing("sslmode=disable", with: "sslrootcert=")
            func ship(_ root: String, _ passwords: String, code: Int32) async throws -> String {
                let output = try await Binary.run(
                    ["store", "ship", "--store", "home.sqlite", "--to", url + root],
                    environment: ["PGPASSFILE": passwords],
                    in: places.folder.path
                )
                #expect(output.code == code, "\(output.errors)")
                return output.errors
            }
            #expect(
                try await ship(stranger, passwords, code: 78).contains("certificate verify failed")
            )
            #expect(
                try await ship(authority.root, "/dev/null", code: 78)
                    .contains("put it into ~/.pgpass")
            )
            #expect(try await ship(authority.root, passwords, code: 0) == "")
        }
    }
}
