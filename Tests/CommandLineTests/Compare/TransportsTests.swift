import Foundation
import Servers
import Testing

/// One resolver over several transports in one run.
@Suite struct TransportsTests {
    /// Compares the resolver `mine` of the configuration: unbound with plain DNS over UDP and DNS over TLS on
    /// one port.
    private func compare(
        _ arguments: [String],
        tls: String = "dns.test",
        _ body: (CommandOutput, UInt16) async throws -> Void
    ) async throws {
        let (folder, authority, certificate) = try await ThrowawayAuthority.certified("dns.test")
        let port = try Loopback.freePort()
        let unbound = Unbound.unbound(settings: [
            "interface: 127.0.0.1@\(port)", "tls-port: \(port)",
            "tls-service-key: \"\(certificate.key)\"",
            "tls-service-pem: \"\(certificate.file)\"",
        ])
        let configuration = """
            [[resolver]]
            name = "mine"
            address = "127.0.0.1:\(port)"
            tls = "\(tls)"
            """
        try folder.write(configuration, to: "dnstempo/config.toml")
        try await withServer(unbound) { _ in
            let run = try await Command.run(
                ["compare", "mine", "-d", "example.com", "--ca", authority.root] + arguments,
                environment: ["XDG_CONFIG_HOME": folder.path]
            )
            try await body(run, port)
        }
    }

    @Test func `the cost of encryption is reported for UDP and TLS`() async throws {
        let arguments = [
            "--transport", "udp,tls", "--rounds", "8", "--rate", "50", "--format", "json",
        ]
        try await compare(arguments) { run, port in
            #expect(run.code == 0, "\(run.errors)")
            let report = try JSON(run.output)
            let transports = try report.resolvers.compactMap { $0["transport"] as? String }
            #expect(Set(transports) == ["udp", "tls"])
            let costs = try #require(report["encryption"] as? [[String: Any]])
            let cost = try #require(costs.first)
            #expect(costs.count == 1)
            #expect(cost["resolver"] as? String == "mine")
            #expect(cost["rounds"] as? Int == 8)
            #expect(try #require(cost["connection_ms"] as? Double) > 0)
            #expect(try #require(cost["connections_opened"] as? Int) >= 8)
            let queries = try #require(cost["queries_per_connection"] as? Double)
            #expect((1...8).contains(queries))
        }
    }

    @Test func `the table lists the transports under their resolver`() async throws {
        let arguments = [
            "--transport", "all", "--rounds", "7", "--rate", "50", "--connections", "reuse",
        ]
        try await compare(arguments) { run, port in
            #expect(run.code == 0, "\(run.errors)")
            let rows = run.output.split(separator: "\n")
                .drop { !$0.contains("resolver  ") }.dropFirst().prefix(3)
                .map { $0.split(separator: " ").map(String.init) }
            let transports = rows.map { row in
                row.first { ["udp", "tcp", "tls"].contains($0) }
            }
            #expect(transports == ["udp", "tcp", "tls"], "\(run.output)")
            #expect(rows.map { $0.contains("mine") } == [true, false, false])
            #expect(run.output.contains("mine over TLS vs UDP"), "\(run.output)")
        }
    }

    @Test func `charts show the parts of first answers for every transport`() async throws {
        let folder = TemporaryFolder()
        let arguments = [
            "--transport", "all", "--rounds", "4", "--rate", "50",
            "--samples", folder.file("samples.csv"), "-o", folder.file("charts.svg"),
            "-o", folder.file("page.html"),
        ]
        try await compare(arguments) { run, _ in
            #expect(run.code == 0, "\(run.errors)")
        }
        try await Command.succeed(
            ["chart", folder.file("samples.csv"), "--kind", "opening", "-o", folder.file("s.svg")]
        )
        for file in ["charts.svg", "page.html", "s.svg"] {
            let text = folder.text(file)
            #expect(text.contains("Time to the first answer of a connection, by part"), "\(file)")
            #expect(text.contains(">query on a kept connection</text>"), "\(file)")
            for transport in ["udp", "tcp", "tls"] {
                #expect(text.contains(">\(transport)</text>"), "\(file)")
            }
        }
        // The end of the bar is the median of the first answers.
        let samples = Table(folder.text("samples.csv"))
        let times = samples.rows.filter { samples[$0, "series"] == "first" }.map { row in
            ["connect_ms", "handshake_ms", "rtt_ms"].compactMap { Double(samples[row, $0]) }
                .reduce(0, +)
        }.sorted()
        try #require(times.count == 4)
        let median = String(format: times[1] < 1 ? "%.2f" : "%.1f", times[1])
        #expect(folder.text("charts.svg").contains("first answer after \(median) ms"), "\(times)")
        let terminal = try await Command.run(
            ["chart", folder.file("samples.csv"), "--kind", "opening"]
        )
        #expect(terminal.output.contains("░ connect, ▒ handshake, █ query"))
    }

    @Test func `no cost of encryption is reported for a wrong certificate name`() async throws {
        let arguments = [
            "--transport", "udp,tls", "--rounds", "7", "--rate", "50", "--connections", "reuse",
        ]
        try await compare(arguments, tls: "other.test") { run, port in
            #expect(run.code == 0, "\(run.errors)")
            #expect(!run.output.contains("ms slower (95 %"), "\(run.output)")
        }
    }
}
