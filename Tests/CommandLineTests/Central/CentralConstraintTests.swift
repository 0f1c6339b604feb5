import Foundation
import Servers
import Testing

/// Rows that no store ships, written by the role of a place.
@Suite struct CentralConstraintTests {
    /// Two places with rounds of a day, of which the second is hostile.
    private func places(_ server: RunningServer) async throws -> CentralPlaces {
        let places = try CentralPlaces()
        for (place, router) in [("home", 2), ("office", 30)] {
            let samples = CentralPlaces.samples(from: place, router: router, days: 1)
            try places.folder.write(samples, to: "\(place).csv")
        }
        try await places.enrol(server)
        for (role, place) in [(1, "home"), (2, "office")] {
            _ = try await places.ship("\(place).sqlite", as: role, to: server)
        }
        return places
    }

    @Test func `a central store rejects what no store ships`() async throws {
        try await withPostgreSQL { server in
            _ = try await places(server)
            let rows = HostileRows.of(2)
            #expect(rows.count >= 100 && Set(rows.map(\.name)).count == rows.count)
            for row in rows {
                let attempt = "BEGIN; \(row.sql); ROLLBACK"
                if row.isRejected {
                    await #expect(throws: ServerError.self, "\(row.name)") {
                        try await server.psql(attempt, as: "dnstempo_2")
                    }
                } else {
                    await #expect(throws: Never.self, "\(row.name)") {
                        try await server.psql(attempt, as: "dnstempo_2")
                    }
                }
            }
        }
    }

    /// Such rows can be from before there were constraints.
    @Test func `views show the other rows beside each row that no store ships`() async throws {
        try await withPostgreSQL { server in
            _ = try await places(server)
            _ = try await server.psql(HostileRows.withoutConstraints)
            _ = try await server.psql("ANALYZE")
            let views = ["samples", "rounds", "hours"].map {
                "SELECT count(*) FILTER (WHERE source = 1), count(one::text) >= 0 "
                    + "FROM dnstempo.\($0) AS one; "
            }
            let look = "SET LOCAL ROLE dnstempo_reader; \(views.joined())"
            for row in HostileRows.of(2) {
                await #expect(throws: Never.self, "\(row.name)") {
                    let found = try await server.psql("BEGIN; \(row.sql); \(look) ROLLBACK")
                    #expect(found == "216|t\n24|t\n72|t", "\(row.name): \(found)")
                }
            }
        }
    }

    @Test func `init keeps bad rows from before, and rejects new ones`() async throws {
        try await withPostgreSQL { server in
            let places = try await places(server)
            _ = try await server.psql(HostileRows.withoutConstraints)
            let bad = "UPDATE dnstempo.rollup SET sum = 'NaN' WHERE source = 2"
            _ = try await server.psql(bad)
            let making = ["store", "init", "--store", server.url()]
            _ = try await places.run(making)
            let count = "SELECT count(*) FROM dnstempo.rollup WHERE sum = 'NaN'"
            #expect(try await server.psql(count) == "72")
            await #expect(throws: ServerError.self) {
                try await server.psql(bad, as: "dnstempo_2")
            }
            // The next sums replace it.
            _ = try await server.psql("UPDATE dnstempo.shipped SET sums_from = 0 WHERE source = 2")
            _ = try await places.ship("office.sqlite", as: 2, to: server)
            #expect(try await server.psql(count) == "0")
        }
    }
}
