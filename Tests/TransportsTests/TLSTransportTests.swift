import Catalogue
import DNSWire
import LibC
import Servers
import Testing

@testable import Transports

/// Runs `body` while a responder in this mode is running. `body` receives the root of its
/// certificate's authority.
private func withTLSResponder(
    _ mode: TLSResponder.Mode,
    _ body: (RunningServer, String, TemporaryFolder) async throws -> Void
) async throws {
    try await withCertified({ TLSResponder(mode, $0, log: $1) }, body)
}

@Suite struct TLSTransportTests {
    @Test func `unbound answers over TLS as over UDP, timed by the kernel`() async throws {
        let (folder, authority, certificate) = try await ThrowawayAuthority.certified()
        let port = try Loopback.freePort()
        let control = folder.file("control")
        let settings = [
            "interface: 127.0.0.1@\(port)", "tls-port: \(port)", "extended-statistics: yes",
            "tls-service-key: \"\(certificate.key)\"", "tls-service-pem: \"\(certificate.file)\"",
        ]
        try await withServer(.unbound(control: control, settings: settings)) { server in
            let plain = await (try Carrier.udp.transport(to: server.endpoint))
                .exchange(try query(), timeout: .seconds(60))
            let kept = try Encryption.tls.transport(to: port, .file(authority.root))
            for use in [ConnectionUse.new, .reused, .reused] {
                let exchange = await kept.exchange(try query(), timeout: .seconds(60))
                #expect(exchange.response?.addresses == plain.response?.addresses)
                #expect(exchange.clock == .kernel)
                #expect(exchange.connection == use)
                if use == .reused { #expect(exchange.handshake == nil) }
                #expect((exchange.connect != nil) == (use == .new))
            }
            let resuming = try Encryption.tls.transport(to: port, .file(authority.root), .resume)
            try await resuming.expectAnswers(over: [.new, .resumed, .resumed])
            let counts = try await Unbound.statistics(control: control)
            #expect(counts["num.query.tls"] == 6)
            #expect(counts["num.query.tls.resume"] == 2)
            for version in TLSVersion.allCases {
                let way = try Encryption.tls.transport(
                    to: port,
                    .file(authority.root),
                    .resume,
                    version: version
                )
                try await way.expectAnswers(over: [.new, .resumed])
            }
            let handshake = try await newHandshake {
                try Encryption.tls.transport(to: port, .file(authority.root))
            }
            #expect(handshake != nil)
        }
    }

    @Test func `dnsdist answers over TLS as over UDP`() async throws {
        let (_, authority, certificate) = try await ThrowawayAuthority.certified()
        let port = try Loopback.freePort()
        let listener =
            "addTLSLocal(\"127.0.0.1:\(port)\", \"\(certificate.file)\", \"\(certificate.key)\")"
        try await withServer(.unbound()) { backend in
            let program = Dnsdist.dnsdist(
                delays: [0],
                settings: [listener],
                backend: backend.endpoint
            )
            try await withServer(program) { server in
                for policy in ConnectionPolicy.allCases {
                    let way = try Encryption.tls.transport(to: port, .file(authority.root), policy)
                    for _ in 0..<2 {
                        let exchange = await way.exchange(try query(), timeout: .seconds(60))
                        #expect(
                            exchange.response?.addresses == [[192, 0, 2, 1]],
                            "\(policy), \(exchange.result), \(server.evidence), \(backend.evidence)"
                        )
                        #expect(exchange.clock == .kernel)
                    }
                }
            }
        }
    }

    @Test func `a hash matches only certificates of the chain`() async throws {
        let (folder, authority, certificate) = try await ThrowawayAuthority.certified()
        let stranger = try await authority.selfSigned(for: "dot.test")
        let responder = TLSResponder(.plain, certificate, log: folder.file("responder.log"))
        try await withServer(responder) { server in
            for (file, isNamed) in [
                (certificate.file, true), (authority.root, true), (stranger.file, false),
            ] {
                let hash = try await authority.signedPartDigest(of: file)
                let way = try Encryption.tls.transport(
                    to: server.port,
                    .file(authority.root),
                    hashes: [hash, [UInt8](repeating: 7, count: 32)]
                )
                let exchange = await way.exchange(try query(), timeout: .seconds(60))
                if isNamed {
                    #expect(exchange.response?.addresses == [[192, 0, 2, 1]])
                    continue
                }
                let distrust = try #require(exchange.distrust, "\(exchange.result)")
                let reason = "no certificate of the chain is one that the DNS stamp names"
                #expect(distrust.reason == reason)
            }
        }
    }

    @Test func `answers with one byte per segment are read, and queries are padded`() async throws {
        try await withTLSResponder(.trickle) { server, root, folder in
            let way = try Encryption.tls.transport(to: server.port, .file(root))
            var options = QueryOptions()
            options.nsid = true
            for query in [try query(), try query("a.much.longer.name.example.com", options)] {
                let exchange = await way.exchange(query, timeout: .seconds(60))
                #expect(exchange.response?.addresses == [[192, 0, 2, 1]])
            }
            #expect(folder.notes == ["connection new dot", "query 128", "query 128"])
        }
    }

    @Test func `answers out of order reach their queries`() async throws {
        try await withTLSResponder(.swap) { server, root, folder in
            let way = try Encryption.tls.transport(to: server.port, .file(root))
            let queries = try ["one.example.com", "two.example.com"].map { try query($0) }
            await withTaskGroup { group in
                for query in queries {
                    // The responder answers the first query after the second arrives, so other
                    // tests must not delay the second query.
                    group.addTask(executorPreference: EventLoop.shared) {
                        await way.exchange(query, timeout: .seconds(30))
                    }
                }
                for await exchange in group {
                    // An answer to another query would be a stray.
                    #expect(exchange.response?.addresses == [[192, 0, 2, 1]], "\(exchange.result)")
                    #expect(exchange.strays.count == 0)
                }
            }
            #expect(folder.notes.filter { $0.hasPrefix("connection") }.count == 1)
        }
    }

    @Test func `a query succeeds after its idle connection was closed`() async throws {
        try await withTLSResponder(.once) { server, root, folder in
            let way = try Encryption.tls.transport(to: server.port, .file(root))
            for number in 1...3 {
                let exchange = await way.exchange(try query(), timeout: .seconds(60))
                #expect(exchange.response?.addresses == [[192, 0, 2, 1]], "\(exchange.result)")
                #expect(exchange.connection == .new)
                while folder.notes.count(where: { $0 == "closed" }) < number { await Task.yield() }
            }
        }
    }

    @Test(arguments: [nil, "Network is unreachable"])
    func `silence on an open connection can mean no route`(obstacle: String?) async throws {
        try await withTLSResponder(.plain) { server, root, _ in
            let way = EncryptedTransport(
                to: try .onLoopback(.tls, server.port, .file(root)),
                obstacle: { _ in obstacle }
            )
            let first = await way.exchange(try query(), timeout: .seconds(60))
            #expect(first.response != nil, "\(first.result)")
            server.process.pause()
            let silent = await way.exchange(try query(), timeout: .milliseconds(100))
            server.process.send(signal: SIGCONT)
            #expect(silent.connection == .reused)
            switch silent.result {
            case .timeout: #expect(obstacle == nil)
            case .noRoute(let reason): #expect(reason == obstacle)
            default: Issue.record("\(silent.result)")
            }
            let next = await way.exchange(try query(), timeout: .seconds(60))
            #expect(next.response != nil, "\(next.result)")
            #expect(next.connection == .new)
        }
    }

    @Test(arguments: [false, true])
    func `a query is sent as early data, and again if the server rejected it`(isForgetful: Bool)
        async throws
    {
        let (folder, authority, certificate) = try await ThrowawayAuthority.certified()
        let log = folder.file("responder.log")
        let responder = EarlyDataResponder(isForgetful: isForgetful, certificate, log: log)
        try await withServer(responder) { server in
            let way = try Encryption.tls.transport(to: server.port, .file(authority.root), .resume)
            let uses: [ConnectionUse] = [.new, isForgetful ? .new : .early, .early]
            try await way.expectAnswers(over: uses) { exchange in
                #expect(exchange.clock == .kernel)
                #expect(exchange.connect != nil && exchange.handshake != nil)
            }
            #expect(folder.notes == uses.map { $0 == .early ? "early" : "query" })
        }
    }

    @Test(arguments: [TLSResponder.Mode.reset, .close])
    func `a broken connection fails only its query`(mode: TLSResponder.Mode) async throws {
        try await withTLSResponder(mode) { server, root, folder in
            let way = try Encryption.tls.transport(to: server.port, .file(root))
            for _ in 0..<2 {
                let exchange = await way.exchange(try query(), timeout: .seconds(60))
                // A reset may overtake the bytes before it. Then no byte of the answer has arrived.
                switch exchange.result {
                case .malformed(let reason):
                    #expect(reason.hasPrefix("connection closed after"))
                    #expect(exchange.cause == FailureCause(.connection, reason))
                case .unreachable(let reason): #expect(reason.lowercased().contains("connection"))
                default: Issue.record("\(exchange.result)")
                }
                #expect(exchange.connection == .new)
            }
            #expect(folder.notes.filter { $0 == "connection new dot" }.count == 2)
        }
    }
}
