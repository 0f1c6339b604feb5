import Catalogue
import DNSWire
import Servers
import Synchronization
import Testing

@testable import Transports

/// Answers of other implementations' servers over encrypted transports, compared with their answers
/// over UDP.
@Suite struct SameAnswersTests {
    /// Few records, many records, other types, errors, and an answer larger than a datagram.
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

    /// Runs `body` with an unbound that has these records, and a certificate of an authority.
    private func withBackend(
        _ settings: [String] = [],
        _ body: (RunningServer, Certificate, ThrowawayAuthority, TemporaryFolder) async throws
            -> Void
    ) async throws {
        let (folder, authority, certificate) = try await ThrowawayAuthority.certified()
        // By default, each answer begins with a different record.
        let unbound = Unbound.unbound(
            records: Self.records,
            settings: settings + ["rrset-roundrobin: no"]
        )
        try await withServer(unbound) { try await body($0, certificate, authority, folder) }
    }

    /// Asks all questions over UDP and then over each of `ways`. All contents of the answers must
    /// be equal. With `hasSize`, their sizes must be equal, too.
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
                // Encrypted answers are padded, so their sizes differ.
                try await expectSame(over: ways, as: server, hasSize: false)
            }
        }
    }

    @Test(arguments: [Encryption.tls, .https])
    func `Knot resumes sessions and reorders answers`(encryption: Encryption) async throws {
        let (_, authority, certificate) = try await ThrowawayAuthority.certified()
        let isOther = Mutex(false)
        try await withResponder { query in
            // The length of the first label distinguishes the names. Queries for the first name get
            // no answer until the second name was queried. Knot Resolver then repeats the first
            // query.
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
                // The other query opened the connection.
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
                // Caddy accepts early requests.
                try await resuming.expectAnswers(over: [.new, .early, .early], awaitsTickets: true)
                // Over TCP its tickets do not allow early data, and it ends handshakes that offer it.
                let overTCP = try Encryption.https.transport(
                    to: server.port,
                    authority.root,
                    method,
                    .resume
                )
                try await overTCP.expectAnswers(
                    over: [.new, .resumed, .resumed],
                    awaitsTickets: true
                )
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
    /// The response without the values that differ between any two exchanges.
    fileprivate func told(hasSize: Bool) -> Response {
        var told = self
        told.id = 0
        if !hasSize { told.size = 0 }
        return told
    }
}
