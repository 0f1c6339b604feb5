import Catalogue
import DNSWire
import Servers
import Testing

@testable import Transports

/// Runs `body` while a responder in this mode is running. `body` receives the root of its
/// certificate's authority.
func withHTTPSResponder(
    _ mode: HTTPSResponder.Mode,
    _ body: (RunningServer, String, TemporaryFolder) async throws -> Void
) async throws {
    try await withCertified({ HTTPSResponder(mode, $0, log: $1) }, body)
}

extension Transport {
    /// Sends `count` queries with different names at the same time. Returns the exchanges in any
    /// order.
    func exchanges(_ count: Int, timeout: Duration = .seconds(60)) async throws -> [Exchange] {
        let queries = try (0..<count).map { try query("name\($0).example.com") }
        return await withTaskGroup { group in
            for query in queries {
                group.addTask { await self.exchange(query, timeout: timeout) }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
    }
}

@Suite struct HTTPSTransportTests {
    @Test(arguments: HTTPMethod.allCases)
    func `unbound answers the same over HTTPS as over UDP`(method: HTTPMethod) async throws {
        let (folder, authority, certificate) = try await ThrowawayAuthority.certified()
        let port = try Loopback.freePort()
        let control = folder.file("control")
        let settings = [
            "interface: 127.0.0.1@\(port)", "https-port: \(port)", "extended-statistics: yes",
            "tls-service-key: \"\(certificate.key)\"", "tls-service-pem: \"\(certificate.file)\"",
        ]
        try await withServer(.unbound(control: control, settings: settings)) { server in
            let plain = await (try Carrier.udp.transport(to: server.endpoint))
                .exchange(try query(), timeout: .seconds(60))
            let kept = try Encryption.https.transport(to: port, authority.root, method)
            for use in [ConnectionUse.new, .reused, .reused] {
                let exchange = await kept.exchange(try query(), timeout: .seconds(60))
                #expect(exchange.response?.addresses == plain.response?.addresses)
                #expect(exchange.clock == .kernel, "\(exchange)")
                #expect(exchange.connection == use)
                if use == .reused { #expect(exchange.handshake == nil) }
                #expect((exchange.connect != nil) == (use == .new))
            }
            let resuming = try Encryption.https.transport(to: port, authority.root, method, .resume)
            try await resuming.expectAnswers(over: [.new, .resumed, .resumed])
            for exchange in try await kept.exchanges(150) {
                #expect(exchange.response?.addresses == [[192, 0, 2, 1]])
            }
            let counts = try await Unbound.statistics(control: control)
            #expect(counts["num.query.https"] == 156)
            #expect(counts["num.query.tls.resume"] == 2)
            let handshake = try await newHandshake {
                try Encryption.https.transport(to: port, authority.root, method)
            }
            #expect(handshake != nil)
        }
    }

    @Test func `dnsdist answers over HTTPS as over UDP, at its own path`() async throws {
        let (_, authority, certificate) = try await ThrowawayAuthority.certified()
        let port = try Loopback.freePort()
        let files = "\"\(certificate.file)\", \"\(certificate.key)\""
        let listener = "addDOHLocal(\"127.0.0.1:\(port)\", \(files), {\"/dns-query\", \"/own\"})"
        try await withServer(.unbound()) { backend in
            let program = Dnsdist.dnsdist(
                delays: [0],
                settings: [listener],
                backend: backend.endpoint
            )
            try await withServer(program) { _ in
                for method in HTTPMethod.allCases {
                    for policy in ConnectionPolicy.allCases {
                        let way = try Encryption.https.transport(
                            to: port,
                            authority.root,
                            method,
                            policy
                        )
                        for _ in 0..<2 {
                            let exchange = await way.exchange(try query(), timeout: .seconds(60))
                            #expect(exchange.response?.addresses == [[192, 0, 2, 1]])
                            #expect(exchange.clock == .kernel)
                        }
                    }
                }
                let own = try Encryption.https.transport(to: port, authority.root, path: "/own")
                let exchange = await own.exchange(try query(), timeout: .seconds(60))
                #expect(exchange.response?.addresses == [[192, 0, 2, 1]])
                let other = try Encryption.https.transport(to: port, authority.root, path: "/other")
                let refused = await other.exchange(try query(), timeout: .seconds(60))
                #expect(refused.failure == "malformed: HTTP status 404")
            }
        }
    }

    @Test(arguments: HTTPMethod.allCases)
    func `answers in single bytes are read, queries are padded`(method: HTTPMethod) async throws {
        try await withHTTPSResponder(.trickle) { server, root, folder in
            let way = try Encryption.https.transport(to: server.port, root, method, path: "/q")
            var options = QueryOptions()
            options.nsid = true
            for query in [try query(), try query("a.much.longer.name.example.com", options)] {
                let exchange = await way.exchange(query, timeout: .seconds(60))
                #expect(exchange.response?.addresses == [[192, 0, 2, 1]])
            }
            let word = method.rawValue.uppercased()
            let line = "query \(word) dot.test:\(server.port)/q 128 0"
            #expect(folder.notes == ["connection new h2", line[...], line[...]])
        }
    }

    @Test(arguments: [(HTTPSResponder.Mode.swap, 2), (.limit, 9), (.large, 12), (.ping, 1)])
    func `streams are used up to the limit`(mode: HTTPSResponder.Mode, count: Int) async throws {
        try await withHTTPSResponder(mode) { server, root, folder in
            let way = try Encryption.https.transport(to: server.port, root)
            if mode == .limit {
                // The first answer shows that the client has received the server's limit.
                let first = await way.exchange(try query(), timeout: .seconds(60))
                #expect(first.response != nil)
            }
            let asked = mode == .limit ? count - 1 : count
            for exchange in try await way.exchanges(asked) {
                #expect(exchange.response?.addresses.first == [192, 0, 2, 1])
                #expect(exchange.response?.addresses.count == (mode == .large ? 3_700 : 1))
                #expect(exchange.strays.count == 0)
                #expect(exchange.clock == .kernel)
            }
            #expect(folder.notes.filter { $0.hasPrefix("connection") }.count == 1)
            #expect(folder.notes.filter { $0.hasPrefix("query") }.count == count)
            #expect(folder.notes.contains("ping acknowledged") == (mode == .ping))
        }
    }

    @Test(arguments: [
        (HTTPSResponder.Mode.notFound, "malformed: HTTP status 404"),
        (.broken, "malformed: HTTP status 500"),
        (.type, "malformed: content type 'text/html', not 'application/dns-message'"),
        (.oversized, "malformed: more than 65535 bytes"),
        (.refuse, "unreachable: the server reset the stream (REFUSED_STREAM)"),
    ])
    func `a bad answer ends only its query`(mode: HTTPSResponder.Mode, words: String) async throws {
        try await withHTTPSResponder(mode) { server, root, folder in
            let way = try Encryption.https.transport(to: server.port, root)
            for use in [ConnectionUse.new, .reused] {
                let exchange = await way.exchange(try query(), timeout: .seconds(60))
                #expect(exchange.failure == words)
                #expect(exchange.connection == use)
            }
            #expect(folder.notes.filter { $0 == "connection new h2" }.count == 1)
        }
    }

    @Test func `an answer that begins before its query has no time`() async throws {
        try await withHTTPSResponder(.hasty) { server, root, _ in
            let way = try Encryption.https.transport(to: server.port, root)
            var query = try query()
            let first = await way.exchange(query, timeout: .seconds(60))
            #expect(first.response?.addresses == [[192, 0, 2, 1]], "\(first.result)")
            for keepsMessages in [false, true] {
                query.keepsMessages = keepsMessages
                let exchange = await way.exchange(query, timeout: .seconds(60))
                #expect(exchange.failure == "malformed: the answer came before the query was sent")
                #expect(exchange.connection == .reused && exchange.roundTrip == nil)
            }
        }
    }

    @Test(arguments: [
        (HTTPSResponder.Mode.reset, ["malformed: connection closed after", "unreachable: "]),
        // A server that closes before it has read everything sends a reset.
        (.close, ["unreachable: connection closed", "unreachable: Connection reset"]),
        (.goaway, ["unreachable: the server is closing the connection"]),
        (.garbage, ["malformed: HTTP/2: "]),
    ])
    func `a broken connection fails its query, and the next query has a new one`(
        mode: HTTPSResponder.Mode,
        words: [String]
    ) async throws {
        try await withHTTPSResponder(mode) { server, root, folder in
            let way = try Encryption.https.transport(to: server.port, root)
            for _ in 0..<2 {
                let exchange = await way.exchange(try query(), timeout: .seconds(60))
                #expect(words.contains { exchange.failure.hasPrefix($0) }, "\(exchange.failure)")
                #expect(exchange.connection == .new)
            }
            #expect(folder.notes.filter { $0 == "connection new h2" }.count == 2)
        }
    }

    @Test func `a server that sends GOAWAY is queried on another connection`() async throws {
        try await withHTTPSResponder(.farewell) { server, root, folder in
            let way = try Encryption.https.transport(to: server.port, root)
            for _ in 0..<3 {
                let exchange = await way.exchange(try query(), timeout: .seconds(60))
                #expect(exchange.response?.addresses == [[192, 0, 2, 1]])
                // The GOAWAY frame arrives after the answer.
                #expect(try await eventually { await !way.isOpen })
            }
            #expect(folder.notes.filter { $0.hasPrefix("query") }.count == 3)
        }
    }

    @Test func `a query without an answer is a timeout, and is cancelled`() async throws {
        try await withHTTPSResponder(.silent) { server, root, folder in
            let way = try Encryption.https.transport(to: server.port, root)
            // The connection needs some time on a busy machine.
            let exchange = await way.exchange(try query(), timeout: .seconds(6))
            #expect(exchange.failure == "timeout")
            let deadline = ContinuousClock.now.advanced(by: .seconds(20))
            while folder.notes.last != "goaway 0", ContinuousClock.now < deadline {
                await Task.yield()
            }
            #expect(folder.notes.suffix(2) == ["reset 8", "goaway 0"])
        }
    }
}
