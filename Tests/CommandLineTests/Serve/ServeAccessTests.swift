import Foundation
import Servers
import Testing

/// The clients that the dashboard answers, and the clients that it rejects.
@Suite struct ServeAccessTests {
    private static let samples: String? = try? Rounds(start: "2026-03-16T00:00:00Z", count: 4)
        .file { .answer(10 + 5 * Double($0.resolver) + $0.noise) }

    @Test func `the dashboard prints its address and answers there`() async throws {
        try await Binary.withServe(samples: Self.samples) { served in
            #expect(served.line == "dnstempo: serving http://\(served.address)/")
            #expect(served.address.address == "127.0.0.1")
            let reply = try await served.ask("/api/overview")
            #expect(reply.status == 200)
            #expect(reply.field("content-type") == "application/json")
            let members = try await served.json("/api/overview")
            #expect(members["schema"] as? String == "dnstempo.report/1")
        }
    }

    @Test(arguments: ["/", "/api/overview", "/events", "/nothing"])
    func `every response has headers that protect against other sites`(path: String) async throws {
        try await Binary.withServe(samples: Self.samples) { served in
            for host in [nil, "evil.example"] {
                let reply = try await served.ask(path, method: "HEAD", host: host)
                #expect(reply.status == (host == nil ? path == "/nothing" ? 404 : 200 : 421))
                #expect(reply.field("x-content-type-options") == "nosniff")
                #expect(reply.field("referrer-policy") == "no-referrer")
                #expect(reply.field("cross-origin-resource-policy") == "same-origin")
                #expect(reply.field("access-control-allow-origin") == nil)
                #expect(reply.field("date")?.hasSuffix(" GMT") == true)
                let policy = reply.field("content-security-policy") ?? ""
                #expect(policy.contains("default-src 'none'"))
                #expect(policy.contains("frame-ancestors 'none'"))
                #expect(!policy.contains("unsafe"))
                #expect(reply.body == "")
            }
        }
    }

    @Test func `requests sent together are answered in order`() async throws {
        try await Binary.withServe(samples: Self.samples) { served in
            let connection = try RawHTTP(served.address)
            for (path, rest) in [("/metrics", ""), ("/nothing", "Connection: close\r\n")] {
                connection.send("HEAD \(path) HTTP/1.1\r\nHost: \(served.address)\r\n\(rest)\r\n")
            }
            let replies = await connection.receive { $0.isClosed }.text.split(
                separator: "HTTP/1.1 "
            )
            #expect(replies.map { $0.prefix(3) } == ["200", "404"])
        }
    }

    @Test func `foreign hosts, foreign origins and other methods are rejected`() async throws {
        try await Binary.withServe(samples: Self.samples) { served in
            let port = served.address.port
            #expect(try await served.ask(host: "localhost:\(port)").status == 200)
            #expect(try await served.ask(host: "evil.example:\(port)").status == 421)
            #expect(try await served.ask(fields: ["Host: evil.example"]).status == 421)
            #expect(try await served.ask(fields: ["Origin: http://evil.example"]).status == 403)
            let own = "Origin: http://\(served.address)"
            #expect(try await served.ask(fields: [own]).status == 200)
            let embedded = ["Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: no-cors"]
            #expect(try await served.ask(fields: embedded).status == 403)
            for method in ["POST", "PUT", "DELETE", "OPTIONS", "PROPFIND"] {
                let reply = try await served.ask(method: method)
                #expect(reply.status == 405 && reply.field("allow") == "GET, HEAD")
            }
        }
    }

    @Test func `the dashboard rejects requests without its token`() async throws {
        let folder = TemporaryFolder()
        let token = "a-token.of-32_letters~0123456789"
        let file = try folder.write(token + "\n", to: "token")
        try await Binary.withServe(["--token-file", file], samples: Self.samples) { served in
            #expect(served.line.hasSuffix("/?token=\(token)"))
            for path in ["/", "/api/overview", "/events", "/?token=wrong", "/metrics"] {
                #expect(try await served.ask(path).status == 401, "\(path)")
            }
            let bearer = "Authorization: Bearer \(token)"
            #expect(try await served.ask("/api/overview", fields: [bearer]).status == 200)
            let first = try await served.ask("/?token=\(token)&window=24h")
            #expect(first.status == 303 && first.field("location") == "/?window=24h")
            let cookie = try #require(first.field("set-cookie"))
            #expect(cookie.contains("HttpOnly") && cookie.contains("SameSite=Lax"))
            let pair = try #require(cookie.split(separator: ";").first)
            #expect(try await served.ask(fields: ["Cookie: \(pair)"]).status == 200)
        }
    }

    @Test(arguments: [["--listen", "0.0.0.0"], ["--token"], ["--token", "--listen", "127.0.0.1"]])
    func `the dashboard creates a token if no token is given`(arguments: [String]) async throws {
        try await Binary.withServe(arguments, samples: Self.samples) { served in
            let token = try #require(served.line.split(separator: "=").last)
            #expect(token.count == 32)
            // The printed address answers, even if the dashboard listens at all addresses.
            let place = served.address
            #expect(place.address == "127.0.0.1")
            #expect(try await RawHTTP.ask(place, "/").status == 401)
            let bearer = "Authorization: Bearer \(token)"
            #expect(try await RawHTTP.ask(place, "/", fields: [bearer]).status == 200)
            let named = try await RawHTTP.ask(place, "/", host: "evil.example", fields: [bearer])
            #expect(named.status == 421)
        }
    }

    @Test(arguments: [
        (
            arguments: ["--listen", "nowhere"], code: 64,
            words: "--listen: 'nowhere' is not an address"
        ),
        (["--listen", "192.0.2.1"], 73, "is not an address of this machine"),
        (["--port", "65536"], 64, "--port"),
        (["--origin", "moon"], 64, "--origin: unknown value 'moon'"),
        (["--token-file", "/nowhere"], 66, "cannot read '/nowhere'"),
        (["--store", "none.sqlite"], 66, "there is no store 'none.sqlite'"),
    ])
    func `the error names the wrong option`(
        arguments: [String],
        code: Int32,
        words: String
    ) async throws {
        let folder = TemporaryFolder()
        let file = try folder.write(try #require(Self.samples), to: "samples.csv")
        let store = folder.file("s.sqlite")
        _ = try await Binary.run(["store", "import", file, "--store", store])
        let named = arguments.contains("--store") ? [] : ["--store", store]
        let run = try await Binary.run(["serve"] + named + arguments)
        #expect(run.code == code)
        #expect(run.errors.contains(words) && run.errors.split(separator: "\n").count == 1)
        #expect(run.output == "")
    }

    @Test func `a port in use is named in the error`() async throws {
        try await Binary.withServe(samples: Self.samples) { served in
            let folder = TemporaryFolder()
            let file = try folder.write(try #require(Self.samples), to: "samples.csv")
            let store = folder.file("s.sqlite")
            _ = try await Binary.run(["store", "import", file, "--store", store])
            let port = "\(served.address.port)"
            let run = try await Binary.run(["serve", "--store", store, "--port", port])
            #expect(run.code == 73)
            #expect(run.errors.contains("127.0.0.1 port \(port) is in use"))
        }
    }

    @Test(arguments: [
        (signal: SIGTERM, code: Int32(0)), (SIGINT, Int32(130)), (SIGHUP, Int32(130)),
    ])
    func `a signal ends the dashboard despite open pages`(signal: Int32, code: Int32) async throws {
        try await Binary.withServe(samples: Self.samples) { served in
            let looking = try RawHTTP(served.address)
            looking.send("GET /events HTTP/1.1\r\nHost: \(served.address)\r\n\r\n")
            let begun = await looking.receive { $0.text.contains("\r\n\r\n") }
            #expect(begun.status == 200)
            let idle = try RawHTTP(served.address)
            idle.send("GET / HT")
            served.process.send(signal: signal)
            #expect(await served.process.end() == .code(code))
            #expect(served.errors == "")
        }
    }
}
