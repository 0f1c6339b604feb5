import Foundation
import Servers
import Testing

/// Two places with samples of twelve days, and the commands that ship their stores.
struct CentralPlaces {
    let folder = TemporaryFolder()

    init() throws {
        for (place, router) in [("home", 2), ("office", 30)] {
            try folder.write(
                Self.samples(from: place, router: router, days: 12),
                to: "\(place).csv"
            )
        }
    }

    /// Runs `body` with a central store that has two enrolled places. `samples` replaces the samples of home.
    static func withEnrolled(
        home samples: String? = nil,
        _ body: (CentralPlaces, RunningServer) async throws -> Void
    ) async throws {
        let places = try CentralPlaces()
        if let samples { try places.folder.write(samples, to: "home.csv") }
        try await withPostgreSQL { server in
            try await places.enrol(server)
            try await body(places, server)
        }
    }

    /// The samples of three resolvers with one round per hour. `system` is the place's own router.
    static func samples(
        from place: String,
        router: Int,
        days: Int,
        since first: String = "2026-03-01",
        names: Int = 3
    ) -> String {
        let start = (try? Date("\(first)T00:00:00Z", strategy: .iso8601)) ?? .distantPast
        var lines = [
            "run,round,scheduled,sent,vantage,resolver,endpoint,transport,series,name,type,outcome,"
                + "rcode,rtt_ms,timeout_ms,site,ttl,connect_ms,detail"
        ]
        for round in 1...(24 * days) {
            let day = 1 + (round - 1) / 24
            let time = start.addingTimeInterval(Double(round - 1) * 3600 + 600)
            let moment = time.formatted(.iso8601)
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

    func run(_ arguments: [String], code: Int32? = 0) async throws -> CommandOutput {
        let output = try await Binary.run(arguments, in: folder.path, limit: .seconds(120))
        if let code {
            #expect(output.code == code, "\(arguments.joined(separator: " ")): \(output.errors)")
        }
        return output
    }

    /// Creates the central store, imports the samples of each place into a store, and enrols the places.
    func enrol(_ server: RunningServer) async throws {
        _ = try await run(["store", "init", "--store", server.url()])
        for place in ["home", "office"] {
            _ = try await run(["store", "import", "\(place).csv", "--store", "\(place).sqlite"])
            _ = try await run([
                "store", "enrol", place, "--label", "country=DE", "--store", server.url(),
            ])
        }
    }

    func ship(
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
}
