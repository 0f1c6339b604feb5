import Servers
import Testing

/// Queries `endpoint` with dig. Returns the lines of the short answer, joined by spaces.
func dig(_ endpoint: SocketAddress, _ arguments: String...) async throws -> String {
    let dig = try Program("dig", package: "bind9-dnsutils")
    let fixed = ["@\(endpoint.address)", "-p", "\(endpoint.port)", "+short", "+tries=1", "+time=5"]
    let run = try await dig.run(fixed + arguments)
    #expect(run.code == 0, "\(run.output)\(run.errors)")
    return run.output.split(separator: "\n").joined(separator: " ")
}

struct ServerProgramTests {
    @Test(arguments: [[], ["+tcp"]])
    func `unbound answers its own names and no other name`(transport: [String]) async throws {
        let unbound = Unbound.unbound(records: ["www.example.net. 60 IN A 192.0.2.8"])
        try await withServer(unbound) { server in
            for (name, answer) in [
                ("a.b.example.com", "192.0.2.1"), ("www.example.net", "192.0.2.8"),
                ("example.net", ""),
            ] {
                let dig = try Program("dig", package: "bind9-dnsutils")
                let run = try await dig.run(
                    ["@127.0.0.1", "-p", "\(server.port)", "+short", name] + transport
                )
                #expect(run.output == (answer.isEmpty ? "" : answer + "\n"))
            }
        }
    }

    @Test(.enabled(if: Loopback.hasIPv6))
    func `unbound answers on IPv6`() async throws {
        try await withServer(.unbound(address: "::1")) { server in
            let answer = try await dig(server.endpoint, "example.com", "AAAA")
            #expect(answer == "2001:db8::1")
        }
    }

    @Test func `dnsdist delays the answers of each port by its own time`() async throws {
        try await withServer(.unbound()) { unbound in
            try await withServer(.dnsdist(delays: [0, 40], backend: unbound.endpoint)) { dnsdist in
                #expect(dnsdist.endpoints.count == 2)
                for endpoint in dnsdist.endpoints {
                    #expect(try await dig(endpoint, "example.com") == "192.0.2.1")
                }
                let clock = ContinuousClock()
                let delayed = try await clock.measure {
                    _ = try await dig(dnsdist.endpoints[1], "example.com")
                }
                #expect(delayed >= .milliseconds(40))
            }
        }
    }

    @Test func `Knot DNS answers any label below its wildcard`() async throws {
        try await withServer(.knot()) { server in
            let answer = try await dig(server.endpoint, "nobody-asked.example.org")
            #expect(answer == "192.0.2.2")
        }
    }

    @Test func `dnsmasq answers its domains`() async throws {
        try await withServer(.dnsmasq()) { server in
            let answer = try await dig(server.endpoint, "www.example.com")
            #expect(answer == "192.0.2.7")
        }
    }

    @Test func `a server that cannot start is reported with its log`() async throws {
        let unbound = Unbound.unbound(settings: ["no-such-option: yes"])
        let error = await #expect(throws: ServerError.self) {
            try await withServer(unbound) { _ in }
        }
        #expect(try #require(error).description.contains("no-such-option"))
    }

    @Test func `a missing program is reported with its package`() throws {
        let error = #expect(throws: ServerError.self) {
            try Program("no-such-server", package: "no-such-package")
        }
        #expect(try #require(error).description.contains("no-such-package"))
    }
}
