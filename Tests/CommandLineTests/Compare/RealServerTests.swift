import Foundation
import Servers
import Testing

@Suite struct RealServerTests {
    /// Compares, and returns the JSON report.
    private func compare(_ arguments: [String]) async throws -> JSON {
        let run = try await Command.succeedSilently(["compare", "--format", "json"] + arguments)
        return try JSON(run.output)
    }

    @Test func `known delays of dnsdist are measured correctly`() async throws {
        try await withServer(.unbound()) { backend in
            try await withServer(.dnsdist(delays: [20, 5], backend: backend.endpoint)) { server in
                let arguments = [
                    "slow=\(server.endpoints[0])", "quick=\(server.endpoints[1])",
                    "-d", "example.com", "--rounds", "40", "--rate", "50",
                ]
                let allowed = ["slow": 20.0..<23, "quick": 5.0..<8]
                var least: [String: Double] = [:]
                // dnsdist never answers early. It answers late if other processes use the processor.
                for _ in 0..<10 where !allowed.allSatisfy({ $1.contains(least[$0] ?? 0) }) {
                    let report = try await compare(arguments)
                    #expect(
                        try report.resolvers.map { $0["name"] as? String } == ["quick", "slow"]
                    )
                    for name in allowed.keys {
                        let median = try report.resolver(name)["median_ms"] as? Double
                        least[name] = min(least[name] ?? .infinity, try #require(median))
                    }
                }
                for (name, range) in allowed {
                    #expect(range.contains(try #require(least[name])), "\(name): \(least)")
                }
            }
        }
    }

    @Test func `the network round trip or a closed TCP port is reported`() async throws {
        try await withServer(.unbound(answersTCP: false)) { closed in
            try await withServer(.dnsdist(delays: [20], backend: closed.endpoint)) { open in
                let run = try await Command.succeed([
                    "compare", "open=\(open.endpoint)", "closed=\(closed.endpoint)", "-d",
                    "example.com", "--rounds", "3", "--rate", "50", "-v",
                ])
                let lines = run.output.split(separator: "\n")
                let told = lines.drop { !$0.hasPrefix("Network round trip,") }.prefix(3)
                let known = try #require(told.first { $0.hasPrefix("  open") })
                #expect(known.contains(#/^  open    [\d.]+ ms of [\d.]+ ms$/#), "\(known)")
                #expect(told.contains("  closed  unknown: no port accepts a connection"))
            }
        }
    }

    @Test func `knot, dnsmasq and unbound answer, also over IPv6 and TCP`() async throws {
        try await withServer(.knot()) { knot in
            try await withServer(.dnsmasq(domains: ["example.org": "192.0.2.7"])) { dnsmasq in
                try await withServer(
                    .unbound(address: "::1", wildcards: ["example.org. 300 IN A 192.0.2.1"])
                ) { unbound in
                    let report = try await compare([
                        "knot=\(knot.endpoint)", "dnsmasq=\(dnsmasq.endpoint)",
                        "unbound=\(unbound.endpoint)", "stream=tcp://\(unbound.endpoint)",
                        "-d", "www.example.org", "--rounds", "3", "--rate", "50",
                    ])
                    #expect(try report.resolver("stream")["transport"] as? String == "tcp")
                    #expect(try report.resolvers.count == 4)
                    #expect(try report.resolvers.allSatisfy { $0["answered"] as? Int == 3 })
                }
            }
        }
    }

    @Test func `a TCP sample has a connection time, and a UDP sample has none`() async throws {
        try await withServer(.unbound()) { unbound in
            let folder = TemporaryFolder()
            try await Command.succeed(
                ["compare", "a=\(unbound.endpoint)", "-d", "example.com", "--rounds", "4"]
                    + ["--transport", "udp,tcp", "--rate", "50", "-q", "--samples", "s.csv"],
                in: folder.path
            )
            let table = Table(folder.text("s.csv"))
            let connects = ["udp", "tcp"].map { transport in
                table.rows.filter { table[$0, "transport"] == transport }
                    .map { Double(table[$0, "connect_ms"]) ?? -1 }
            }
            #expect(connects[0] == [-1, -1, -1, -1])
            #expect(connects[1].count == 4 && connects[1].allSatisfy { $0 > 0 })
        }
    }

    @Test func `refused responses and conditions that hold are reported`() async throws {
        try await withResponder { query in
            [.reply(query.answer(rcode: 5, addresses: []))]
        } _: { responder in
            let run = try await Command.run([
                "compare", "it=\(responder.endpoint)", "-d", "example.com", "--rounds", "2",
                "--rate", "50", "--no-store", "--no-check", "--fail-if", "failed > 50%",
            ])
            #expect(run.code == 69)
            #expect(
                run.errors.hasPrefix(
                    "dnstempo: no resolver gave an answer: all responses were REFUSED; do they serve "
                        + "this network? --fail-if 'failed > 50%' holds: it has failed 100"
                )
            )
        }
    }

    @Test func `a closed port is unreachable, and a run without answers exits 69`() async throws {
        let port = try Loopback.freePort()
        let run = try await Command.run([
            "compare", "127.0.0.1:\(port)", "-d", "example.com", "--rounds", "2", "--rate", "50",
            "--format", "json",
        ])
        #expect(run.code == 69)
        #expect(
            run.errors
                == "dnstempo: no resolver answered; is there a network, and are they resolvers?\n"
        )
        let failures = try JSON(run.output).resolvers.first?["failures"] as? [String: Int]
        #expect(failures?["unreachable"] == 2)
    }
}
