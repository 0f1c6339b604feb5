import Foundation
import Servers
import Testing

@Suite struct RealServerTests {
    /// Compares and returns the JSON report.
    private func compare(_ arguments: [String]) async throws -> JSON {
        let run = try await Binary.run(["compare", "--format", "json"] + arguments)
        #expect(run.errors == "")
        #expect(run.code == 0)
        return try JSON(run.output)
    }

    @Test func `known delays of dnsdist come out in order`() async throws {
        try await withServer(.unbound()) { backend in
            try await withServer(.dnsdist(delays: [30, 5], backend: backend.endpoint)) { server in
                let slow = "slow=\(server.endpoints[0])"
                let quick = "quick=\(server.endpoints[1])"
                let report = try await compare(
                    [slow, quick, "-d", "example.com", "--rounds", "20", "--rate", "50"])
                #expect(try report.resolvers.map { $0["name"] as? String } == ["quick", "slow"])
                let least = try ["quick": 5.0, "slow": 30.0].map { name, delay in
                    let minimum = try report.resolver(name)["min_ms"] as? Double
                    return try #require(minimum) >= delay
                }
                #expect(least == [true, true])
            }
        }
    }

    @Test func `knot, dnsmasq and unbound over IPv6 and TCP all answer`() async throws {
        try await withServer(.knot()) { knot in
            try await withServer(.dnsmasq(domains: ["example.org": "192.0.2.7"])) { dnsmasq in
                try await withServer(
                    .unbound(address: "::1", wildcards: ["example.org. 300 IN A 192.0.2.1"])
                ) { unbound in
                    let report = try await compare([
                        "knot=\(knot.endpoint)", "dnsmasq=\(dnsmasq.endpoint)",
                        "unbound=\(unbound.endpoint)", "-d", "www.example.org",
                        "--transport", "udp,tcp", "--rounds", "3", "--rate", "50",
                    ])
                    #expect(try report.resolvers.count == 6)
                    #expect(try report.resolvers.allSatisfy { $0["answered"] as? Int == 3 })
                }
            }
        }
    }

    @Test func `a closed port is counted as unreachable and nobody answering is 69`() async throws {
        let port = try Loopback.freePort()
        let run = try await Binary.run([
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

    @Test func `at the limit of descriptors queries are late and not lost`() async throws {
        try await withResponder { query in
            [.pause(.milliseconds(100)), .reply(query.answer())]
        } _: { responder in
            let command = try Program.dnstempo().path
            let run = try await Program("bash", package: "bash").run(
                [
                    "-c", "ulimit -n 40; exec \"$@\"", "bash", command, "compare",
                    "\(responder.endpoint)", "-d", "example.com", "--rounds", "200", "--warmup",
                    "0", "--rate", "2000", "--total-rate", "2000", "--format", "json",
                ],
                environment: Binary.environment(home: "/nonexistent")
            )
            #expect(run.errors == "")
            #expect(try JSON(run.output).resolvers.first?["answered"] as? Int == 200)
        }
    }

    @Test func `escape sequences from the network reach no terminal`() async throws {
        let nasty = Array("\u{1b}]0;pwned\u{7}\u{1b}[31m".utf8)
        try await withResponder { query in
            // An OPT record with an NSID (RFC 5001) of control characters.
            var answer = query.answer()
            answer[11] = 1
            let option = [0, 3, 0, UInt8(nasty.count)] + nasty
            answer += [0, 0, 41, 4, 208, 0, 0, 0, 0, 0, UInt8(option.count)] + option
            return [.reply(answer)]
        } _: { responder in
            let folder = try TemporaryFolder()
            defer { folder.remove() }
            let run = try await Binary.run(
                [
                    "compare", "\(responder.endpoint)", "-d", "example.com", "--rounds", "1",
                    "--nsid",
                ]
                    + ["-v", "-o", "r.json", "-o", "r.svg", "--samples", "s.csv"],
                in: folder.path
            )
            #expect(run.code == 0)
            #expect(folder.text("s.csv").contains("pwned"))
            for bytes in [run.bytes] + ["r.json", "r.svg", "s.csv"].map(folder.read) {
                #expect(!bytes.contains { $0 < 0x20 && $0 != 0x0a })
            }
        }
    }

    @Test func `strace sees no connection outside the allowed networks`() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let command = try Program.dnstempo().path
        let run = try await Program("strace", package: "strace").run(
            [
                "-f", "-o", folder.file("trace"), "-e", "trace=connect,sendto,sendmsg,sendmmsg",
                command, "compare", "--lab", "hostile", "--rounds", "1", "--timeout", "500ms", "-q",
            ],
            environment: Binary.environment(home: folder.path)
        )
        #expect(run.code == 0)
        let calls = folder.text("trace").matches(of: /sin6?_addr=?[^)]*"([0-9a-f.:]+)"/)
        #expect(calls.count > 100)
        #expect(calls.allSatisfy { $0.output.1.hasPrefix("127.") || $0.output.1 == "::1" })
    }
}
