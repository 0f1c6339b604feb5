import Catalogue
import DNSWire
import Servers
import Synchronization
import Testing

@testable import Transports

/// What servers that others wrote answer over encrypted transports, beside what is answered over UDP.
@Suite struct SameAnswersTests {
    /// Few records, many, other types, errors, and more than a datagram has room for.
    private static let questions: [(name: String, type: RecordType)] = [
        ("www.example.com", .a), ("www.example.com", .aaaa), ("www.example.com", .mx),
        ("text.example.net", .txt), ("many.example.net", .a), ("_dns.resolver.arpa", .svcb),
        ("nothing.example.net", .a), ("example.invalid", .a),
    ]

    private static let records =
        (1...200).map { "many.example.net. 300 IN A 198.51.100.\($0)" } + [
            "text.example.net. 300 IN TXT \"one\" \"and another\"",
            "_dns.resolver.arpa. 300 IN SVCB 1 dns.test. alpn=dot,h2 key7=/dns-query{?dns}",
        ]

    /// unbound with these records, and a certificate that an authority vouches for.
    private func withBackend(
        _ settings: [String] = [],
        _ body: (RunningServer, Certificate, ThrowawayAuthority, TemporaryFolder) async throws
            -> Void
    ) async throws {
        let (folder, authority, certificate) = try await ThrowawayAuthority.certified()
        // By default it begins with another record each time.
        let unbound = Unbound.unbound(
            records: Self.records,
            settings: settings + ["rrset-roundrobin: no"]
        )
        try await withServer(unbound) { try await body($0, certificate, authority, folder) }
    }

    /// Asks all questions over UDP and then over each of `ways`, whose answers are to be equal in all
    /// that is read of them; `hasSize` where their sizes are, too.
    private func expectSame(
        over ways: [any Transport],
        as plain: RunningServer,
        hasSize: Bool,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let udp = try Carrier.udp.transport(to: plain.endpoint)
        for (name, type) in Self.questions {
            let question = Question(name: try DomainName(name), type: type)
            let query = try Query(question, options: .init())
            let known = await udp.exchange(query, timeout: .seconds(20)).response
            let expected = try #require(known, sourceLocation: sourceLocation)
            for way in ways {
                let exchange = await way.exchange(query, timeout: .seconds(20))
                let response = try #require(
                    exchange.response,
                    "\(name): \(exchange.result)",
                    sourceLocation: sourceLocation
                )
                #expect(
                    response.told(hasSize: hasSize) == expected.told(hasSize: hasSize),
                    sourceLocation: sourceLocation
                )
                #expect(exchange.clock == .kernel, sourceLocation: sourceLocation)
                #expect(exchange.strays.count == 0, sourceLocation: sourceLocation)
            }
        }
    }

    private func ways(
        over encryption: Encryption,
        to port: UInt16,
        _ authority: ThrowawayAuthority
    ) throws -> [any Transport] {
        try ConnectionPolicy.allCases.map {
            try encryption.transport(to: port, .file(authority.root), $0)
        }
    }

    @Test func `Knot Resolver answers over TLS and HTTPS as over UDP`() async throws {
        try await withBackend { backend, certificate, authority, _ in
            let knot = try KnotResolver(certificate, backend: backend.endpoint)
            try await withServer(knot) { server in
                let ways =
                    try ways(over: .tls, to: knot.tls.port, authority)
                    + ways(over: .https, to: knot.https.port, authority)
                // Encrypted answers are padded.
                try await expectSame(over: ways, as: server, hasSize: false)
            }
        }
    }

    @Test(arguments: [Encryption.tls, .https])
    func `Knot Resolver resumes and reorders answers`(encryption: Encryption) async throws {
        let (_, authority, certificate) = try await ThrowawayAuthority.certified()
        let isOther = Mutex(false)
        try await withResponder { query in
            // Names are distinguished by the length of their first label. The first is answered once the
            // other was asked for, when it is asked again.
            if query.question.first == 2 { isOther.withLock { $0 = true } }
            let isKept = query.question.first == 1 && !isOther.withLock { $0 }
            return isKept ? [] : [.reply(query.answer())]
        } _: { backend in
            let knot = try KnotResolver(certificate, backend: backend.endpoint)
            try await withServer(knot) { _ in
                let port = encryption == .tls ? knot.tls.port : knot.https.port
                let way = try encryption.transport(to: port, .file(authority.root), .resume)
                try await way.expectAnswers(over: [.new, .resumed, .resumed])
                let kept = try encryption.transport(to: port, .file(authority.root))
                let queries = try ["a.example.com", "bb.example.com"].map { try query($0) }
                let order = await withTaskGroup { group in
                    for query in queries {
                        group.addTask(executorPreference: EventLoop.shared) {
                            (query, await kept.exchange(query, timeout: .seconds(30)))
                        }
                    }
                    return await group.reduce(into: []) { $0.append($1) }
                }
                #expect(order.map(\.0.question.name) == queries.reversed().map(\.question.name))
                for (_, exchange) in order {
                    #expect(exchange.response?.addresses == [[192, 0, 2, 1]], "\(exchange.result)")
                    #expect(exchange.strays.count == 0)
                }
                // One of them opened the connection.
                #expect(order.filter { $0.1.connection == .reused }.count == 1)
            }
        }
    }

    #if QUIC
    @Test(arguments: HTTPMethod.allCases)
    func `Caddy answers over HTTP/3 like unbound over UDP`(method: HTTPMethod) async throws {
        let port = try Loopback.freePort()
        let settings = [
            "interface: 127.0.0.1@\(port)", "https-port: \(port)", "http-notls-downstream: yes",
        ]
        try await withBackend(settings) { backend, certificate, authority, _ in
            let caddy = Caddy(certificate, backend: Servers.SocketAddress("127.0.0.1", port: port))
            try await withServer(caddy) { server in
                let ways = try ConnectionPolicy.allCases.map { policy in
                    try Encryption.h3.transport(to: server.port, authority.root, method, policy)
                }
                try await expectSame(over: ways, as: backend, hasSize: true)
                let resuming = try Encryption.h3.transport(
                    to: server.port,
                    authority.root,
                    method,
                    .resume
                )
                // It takes what comes before the end of the handshake.
                try await resuming.expectAnswers(over: [.new, .early, .early], awaitsTickets: true)
            }
        }
    }

    @Test(arguments: QUICResponder.Application.allCases)
    func `unbound answers over QUIC`(application: QUICResponder.Application) async throws {
        try await withBackend { backend, certificate, authority, folder in
            let log = folder.file("responder.log")
            let responder = QUICResponder(application, to: backend.endpoint, certificate, log: log)
            try await withServer(responder) { server in
                let encryption = application == .doq ? Encryption.quic : .h3
                let ways = try ways(over: encryption, to: server.port, authority)
                try await expectSame(over: ways, as: backend, hasSize: true)
            }
        }
    }
    #endif
}

extension Response {
    /// What it tells: all but what differs between two exchanges.
    fileprivate func told(hasSize: Bool) -> Response {
        var told = self
        told.id = 0
        if !hasSize { told.size = 0 }
        return told
    }
}
