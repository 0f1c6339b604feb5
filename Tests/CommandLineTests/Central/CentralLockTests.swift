import Foundation
import Servers
import Testing

/// Locks in a central store. The locks of a place delay neither readers nor other places.
@Suite struct CentralLockTests {
    /// The tables that a place has rights to.
    private func tables(_ server: RunningServer) async throws -> [Substring] {
        let names = try await server.psql(
            "SELECT relname FROM pg_class WHERE relkind = 'r' AND relrowsecurity"
        )
        return names.split(separator: "\n")
    }

    private func expectNoLocks(_ server: RunningServer) async throws {
        let tables = try await tables(server)
        #expect(tables.count > 20)
        for table in tables + ["version", "word", "roles"] {
            for mode in ["ACCESS EXCLUSIVE", "SHARE"] {
                await #expect(throws: ServerError.self, "\(table) \(mode)") {
                    try await server.psql(
                        "BEGIN; LOCK TABLE dnstempo.\"\(table)\" IN \(mode) MODE",
                        as: "dnstempo_2"
                    )
                }
            }
        }
    }

    /// Runs `body` while place 2, or another `role`, has an open transaction in which `sql` was run.
    private func withSession(
        _ sql: String,
        as role: String = "dnstempo_2",
        _ server: RunningServer,
        _ body: () async throws -> Void
    ) async throws {
        let marked = "SET statement_timeout = 0; BEGIN; \(sql); SELECT pg_sleep(600) AS kept"
        async let session: String = server.psql(marked, as: role)
        let count = "FROM pg_stat_activity WHERE usename = '\(role)' AND wait_event = 'PgSleep'"
        let isReady = try await eventually {
            try await server.psql("SELECT count(*) \(count)") == "1"
        }
        #expect(isReady)
        try await body()
        _ = try await server.psql("SELECT pg_terminate_backend(pid) \(count)")
        _ = try? await session
    }

    @Test func `no place can lock a table, and init revokes older rights`() async throws {
        try await CentralPlaces.withEnrolled { places, server in
            try await expectNoLocks(server)
            let granted = "GRANT UPDATE ON dnstempo.shipped, dnstempo.rollup TO dnstempo_vantage"
            _ = try await server.psql(granted)
            _ = try await server.psql(
                "BEGIN; LOCK TABLE dnstempo.rollup; ROLLBACK",
                as: "dnstempo_2"
            )
            _ = try await places.run(["store", "init", "--store", server.url()])
            try await expectNoLocks(server)
            for (role, place) in [(1, "home"), (2, "office")] {
                _ = try await places.ship("\(place).sqlite", as: role, to: server)
            }
        }
    }

    @Test func `an open transaction of a place delays no other place`() async throws {
        try await CentralPlaces.withEnrolled { places, server in
            _ = try await places.ship("office.sqlite", as: 2, to: server)
            let holding = """
                SELECT pg_advisory_lock(1684960116);
                SELECT count(*) FROM dnstempo.samples; SELECT count(*) FROM dnstempo.hours;
                INSERT INTO dnstempo.text VALUES (2, 900001, 'x');
                UPDATE dnstempo.rollup SET answered = answered;
                UPDATE dnstempo.shipped SET first = NULL
                """
            try await withSession(holding, server) {
                for command in [
                    ["store", "init"], ["store", "info"],
                    ["report", "--since", "2026-03-01", "--until", "2026-03-11"],
                ] { _ = try await places.run(command + ["--store", server.url()]) }
                _ = try await places.ship("home.sqlite", as: 1, to: server)
                let enrol = ["store", "enrol", "third", "--store", server.url()]
                #expect(try await places.run(enrol).output.contains("as the role dnstempo_3"))
            }
        }
    }

    @Test func `init names the session that blocks its table change`() async throws {
        try await CentralPlaces.withEnrolled { places, server in
            _ = try await server.psql("ALTER TABLE dnstempo.text DROP CONSTRAINT limit_value")
            let making = ["store", "init", "--store", server.url()]
            let row = "INSERT INTO dnstempo.text VALUES (2, 900001, 'x')"
            try await withSession(row, server) {
                let blocked = try await places.run(making, code: 75)
                #expect(
                    blocked.errors.contains(#/tables are locked by dnstempo_2 \(process \d+\): /#),
                    "\(blocked.errors)"
                )
                #expect(blocked.errors.split(separator: "\n").count == 1)
            }
            _ = try await places.run(making)
            let limit = "SELECT count(*) FROM pg_constraint WHERE conname = 'limit_value'"
            #expect(try await server.psql(limit) == "1")
        }
    }

    @Test(.timeLimit(.minutes(1)))
    func `SIGTERM ends a dashboard that waits for its central store`() async throws {
        try await CentralPlaces.withEnrolled { places, server in
            _ = try await places.ship("home.sqlite", as: 1, to: server)
            try await Binary.withServe(of: server.url()) { served in
                let lock = "LOCK TABLE dnstempo.round, dnstempo.shipped"
                try await withSession(lock, as: "postgres", server) {
                    let page = Task { try await served.ask("/api/window?since=2026-03-01") }
                    let waits = "SELECT count(*) > 0 FROM pg_locks WHERE NOT granted"
                    let isWaiting = try await eventually(while: served.process) {
                        try await server.psql(waits) == "t"
                    }
                    #expect(isWaiting)
                    served.process.send(signal: SIGTERM)
                    #expect(await served.process.end() == .code(0))
                    _ = try? await page.value
                }
            }
        }
    }

    @Test func `several processes create a central store at once`() async throws {
        try await withPostgreSQL { server in
            let making = ["store", "init", "--store", server.url()]
            try await withThrowingTaskGroup(of: CommandOutput.self) { group in
                for _ in 0..<4 { group.addTask { try await Command.run(making) } }
                for try await output in group { #expect(output.code == 0, "\(output.errors)") }
            }
            #expect(try await server.psql("SELECT count(*) FROM dnstempo.version") == "1")
            #expect(try await server.psql("SELECT prefix FROM dnstempo.roles") == "dnstempo_")
        }
    }

    @Test func `a place waits until the end of a lock, and then ships`() async throws {
        try await CentralPlaces.withEnrolled { places, server in
            let table = "dnstempo.shipped"
            // The lock lasts longer than the 10 s in which a connection detects an unreachable server.
            async let held = server.psql(
                "BEGIN; LOCK TABLE \(table); SELECT pg_sleep(11); COMMIT"
            )
            let locks = "SELECT count(*) FROM pg_locks WHERE granted AND mode LIKE 'AccessExcl%' "
            let isHeld = try await eventually {
                try await server.psql(locks + "AND relation = '\(table)'::regclass") == "1"
            }
            #expect(isHeld)
            _ = try await places.ship("home.sqlite", as: 1, to: server)
            _ = try await held
        }
    }
}
