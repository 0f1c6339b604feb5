import Foundation
import Servers
import Testing

/// The rounds without an answer, in the sums of a central store.
@Suite struct CentralAvailabilityTests {
    private static let counts = "sum(rounds)::text || ' ' || sum(unanswered)::text"

    /// Runs `body` with the shipped rounds of one place over 70 days. Some rounds of one name have no answer
    /// from two of three resolvers.
    private func withShipped(
        _ body: (CentralPlaces, RunningServer) async throws -> Void
    ) async throws {
        let samples = CentralPlaces.samples(
            from: "home",
            router: 2,
            days: 70,
            since: "2026-01-20",
            names: 1
        )
        let lines = samples.split(separator: "\n").map { line in
            line.contains(",meadow,")
                ? String(line.replacing("timeout,,", with: "answered,NOERROR,14.5")) : String(line)
        }
        let home = lines.joined(separator: "\n") + "\n"
        try await CentralPlaces.withEnrolled(home: home) { places, server in
            _ = try await places.ship("home.sqlite", as: 1, to: server)
            try await body(places, server)
        }
    }

    private func sums(_ server: RunningServer) async throws -> [String] {
        var found: [String] = []
        for table in ["rollup", "rollup_day", "rollup_month"] {
            found.append(try await server.psql("SELECT \(Self.counts) FROM dnstempo.\(table)"))
        }
        return found
    }

    @Test func `sums of hours, days and months give the availability of the place's store`()
        async throws
    {
        try await withShipped { places, server in
            let found = try await sums(server)
            #expect(Set(found).count == 1 && found[0] == "5040 90", "\(found)")
            for options in [
                [], ["--by", "hour"], ["--by", "day"], ["--objective", "p95 < 50ms"],
            ] {
                let report =
                    ["report", "--since", "2026-01-20", "--until", "2026-04-10"]
                    + ["--format", "json"] + options
                let own = try await places.run(report + ["home.sqlite"])
                #expect(own.output.contains("\"without_answer\": "))
                #expect(
                    try await places.run(report + ["--store", server.url()]).output == own.output
                )
            }
            _ = try await places.run(["store", "check", "--store", server.url()])
        }
    }

    @Test func `an older central store gets the columns, and then the counts`() async throws {
        try await withShipped { places, server in
            let expected = try await sums(server)
            let tables = ["rollup", "rollup_day", "rollup_month"].map {
                "ALTER TABLE dnstempo.\($0) DROP COLUMN rounds, DROP COLUMN unanswered;"
            }
            _ = try await server.psql(
                """
                DROP VIEW dnstempo.hours; \(tables.joined())
                ALTER TABLE dnstempo.shipped DROP COLUMN version;
                UPDATE dnstempo.version SET version = 14
                """
            )
            let early = try await places.ship("home.sqlite", as: 1, to: server, code: 65)
            #expect(early.errors.contains("is of version 14"))
            _ = try await places.run(["store", "init", "--store", server.url()])
            #expect(try await sums(server) == ["", "", ""])
            let shipped = try await places.ship("home.sqlite", as: 1, to: server)
            #expect(shipped.output.hasPrefix("0 rounds, 0 samples shipped"), "\(shipped.output)")
            #expect(try await sums(server) == expected)
            _ = try await places.run(["store", "check", "--store", server.url()])
        }
    }

    @Test func `a check finds a changed count of a place`() async throws {
        try await withShipped { places, server in
            let change =
                "UPDATE dnstempo.rollup SET unanswered = 1 - unanswered "
                + "WHERE (hour, key) = (SELECT hour, key FROM dnstempo.rollup LIMIT 1)"
            _ = try await server.psql(change)
            let check = try await places.run(
                ["store", "check", "--store", server.url()],
                code: 65
            )
            #expect(check.output.contains("differs from its samples"), "\(check.output)")
        }
    }
}
