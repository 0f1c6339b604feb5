import Foundation
import Servers
import Testing

/// Invalid rows that the role of a place writes. dnstempo never ships such rows.
@Suite struct CentralConstraintTests {
    /// Two places with rounds of one day. The second place is hostile.
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

    @Test func `a central store rejects rows that dnstempo never ships`() async throws {
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

    /// A central store can contain invalid rows that are older than its constraints.
    @Test func `views show the valid rows next to an invalid row`() async throws {
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

    @Test func `init keeps old invalid rows, and new invalid rows are rejected`() async throws {
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
            // The next shipped sums replace the invalid sums.
            _ = try await server.psql("UPDATE dnstempo.shipped SET sums_from = 0 WHERE source = 2")
            _ = try await places.ship("office.sqlite", as: 2, to: server)
            #expect(try await server.psql(count) == "0")
        }
    }
}
