#if QUIC
import Servers
import Testing

@Suite struct QUICRunTests {
    /// The samples of some rounds over QUIC or HTTP/3 with a trusted server, and the chart of first answers.
    private func run(
        _ application: QUICResponder.Application,
        rounds: Int = 3,
        _ more: [String] = []
    ) async throws -> (samples: Table, chart: String) {
        let (folder, authority, certificate) = try await ThrowawayAuthority.certified("dns.test")
        let log = folder.file("responder.log")
        let responder = QUICResponder(application, .plain, certificate, log: log)
        return try await withServer(responder) { server in
            let scheme = application == .doq ? "quic" : "h3"
            try await Command.succeed(
                [
                    "compare", "r=\(scheme)://127.0.0.1:\(server.port)#dns.test",
                    "--ca", authority.root, "-d", "example.com", "--rounds", "\(rounds)", "--rate",
                    "20",
                    "--samples", folder.file("samples.csv"), "-o", folder.file("chart.svg"),
                    "--chart", "opening",
                ] + more
            )
            return (Table(folder.text("samples.csv")), folder.text("chart.svg"))
        }
    }

    @Test(arguments: QUICResponder.Application.allCases)
    func `first queries and queries on a kept connection are distinguished`(
        application: QUICResponder.Application
    ) async throws {
        // If the process was suspended during a handshake, the duration of the handshake is unknown.
        var (samples, chart) = try await run(application)
        for _ in 0..<2 where samples.column("handshake_ms").allSatisfy(\.isEmpty) {
            (samples, chart) = try await run(application)
        }
        #expect(samples.column("outcome") == Array(repeating: "answered", count: 6))
        for row in samples.rows {
            let isFirst = samples[row, "series"] == "first"
            if isFirst { #expect(samples[row, "connection"] == "new") }
            // The handshake time is the time until the query can be sent. QUIC connects within the handshake.
            if samples[row, "connection"] != "new" {
                #expect(samples[row, "handshake_ms"].isEmpty)
            }
            #expect(samples[row, "connect_ms"].isEmpty)
        }
        #expect(samples.column("handshake_ms").contains { !$0.isEmpty })
        #expect(samples.column("series").filter { $0 == "first" }.count == 3)
        #expect(chart.contains("handshake over after") && !chart.contains("connected after"))
        #expect(chart.contains("on a kept connection"))
    }

    @Test(arguments: QUICResponder.Application.allCases)
    func `queries on a resumed session leave before the handshake ends`(
        application: QUICResponder.Application
    ) async throws {
        // A session ticket may arrive too late for the next query. On a busy machine, even the first ticket
        // may arrive after all queries.
        let options = ["--connections", "resume"]
        var (samples, chart) = try await run(application, rounds: 20, options)
        for _ in 0..<2 where !samples.column("connection").contains("early") {
            (samples, chart) = try await run(application, rounds: 20, options)
        }
        let uses = samples.column("connection")
        #expect(uses.allSatisfy { ["new", "early"].contains($0) }, "\(uses)")
        #expect(uses.contains("early"))
        let early = uses.filter { $0 == "early" }.count
        #expect(chart.contains(", early (\(early))</text>"), "\(chart)")
        #expect(!chart.contains(", on a kept connection"))
    }
}
#endif
