#if QUIC
import Catalogue
import DNSWire
import Servers
import Testing

@testable import Transports

/// The way over HTTP/3 to `port` of loopback, under the name of the tests' certificates.
private func transport(
    to port: UInt16,
    _ root: String,
    path: String? = nil,
    method: HTTPMethod = .post,
    _ connections: ConnectionPolicy = .reuse
) throws -> EncryptedTransport {
    EncryptedTransport(
        to: try .onLoopback(.h3, port, .file(root), connections),
        path: path,
        method: method
    )
}

/// A responder of that mode with a certificate of an authority that `body` may trust.
private func withHTTP3Responder(
    _ mode: QUICResponder.Mode,
    _ body: (RunningServer, String, TemporaryFolder) async throws -> Void
) async throws {
    try await withCertified({ QUICResponder(.h3, mode, $0, log: $1) }, body)
}

@Suite struct HTTP3TransportTests {
    @Test(arguments: HTTPMethod.allCases)
    func `one connection carries padded requests, timed by the kernel`(
        method: HTTPMethod
    ) async throws {
        try await withHTTP3Responder(.plain) { server, root, folder in
            let way = try transport(to: server.port, root, path: "/a/path", method: method)
            for use in [ConnectionUse.new, .reused, .reused] {
                let exchange = await way.exchange(try query(), timeout: .seconds(60))
                #expect(exchange.response?.addresses == [[192, 0, 2, 1]])
                #expect(exchange.clock == .kernel)
                #expect(exchange.connection == use)
                if use == .reused { #expect(exchange.handshake == nil) }
                #expect(exchange.connect == nil)
            }
            let asked: Substring =
                "query 128 id 0 \(method == .post ? "POST" : "GET") dot.test:\(server.port) /a/path"
                + " application/dns-message"
            #expect(folder.notes == ["connection new h3", asked, asked, asked])
            let handshake = try await newHandshake {
                try transport(to: server.port, root, method: method)
            }
            #expect(handshake != nil)
        }
    }

    @Test func `a session is resumed`() async throws {
        try await withHTTP3Responder(.plain) { server, root, folder in
            let way = try transport(to: server.port, root, .resume)
            for use in [ConnectionUse.new, .early, .early] {
                let exchange = await way.exchange(try query(), timeout: .seconds(60))
                #expect(exchange.response?.addresses == [[192, 0, 2, 1]])
                #expect(exchange.connection == use)
                #expect(try await eventually { await way.nextTicket != nil })
            }
            let connections = folder.notes.filter { $0.hasPrefix("connection") }
            #expect(
                connections == ["connection new h3", "connection early h3", "connection early h3"]
            )
        }
    }

    @Test func `a request that came too early is sent again after the handshake`() async throws {
        try await withHTTP3Responder(.premature) { server, root, folder in
            let way = try transport(to: server.port, root, .resume)
            for use in [ConnectionUse.new, .resumed, .resumed] {
                let exchange = await way.exchange(try query(), timeout: .seconds(60))
                #expect(exchange.response?.addresses == [[192, 0, 2, 1]], "\(exchange)")
                #expect(exchange.connection == use)
                #expect(exchange.clock == .kernel)
                if use == .resumed { #expect(try #require(exchange.handshake) > .zero) }
                #expect(try await eventually { await way.nextTicket != nil })
            }
            // Each but the first came twice.
            #expect(folder.notes.filter { $0.hasPrefix("query") }.count == 5)
            let handshake = try await newHandshake { try transport(to: server.port, root, .resume) }
            #expect(try #require(handshake) > .zero)
        }
    }

    @Test(arguments: [QUICResponder.Mode.retry, .late, .trickle])
    func `what delays or cuts up an answer does not change it`(
        mode: QUICResponder.Mode
    ) async throws {
        try await withHTTP3Responder(mode) { server, root, _ in
            let way = try transport(to: server.port, root, .resume)
            for _ in 0..<3 {
                let exchange = await way.exchange(try query(), timeout: .seconds(60))
                #expect(exchange.response?.addresses == [[192, 0, 2, 1]])
                #expect(exchange.clock == .kernel)
                #expect(try await eventually { await way.nextTicket != nil })
            }
        }
    }

    @Test func `answers out of order reach their queries`() async throws {
        try await withHTTP3Responder(.swap) { server, root, folder in
            let way = try transport(to: server.port, root)
            let queries = try (0..<100).map { try query("name\($0).example.com") }
            await withTaskGroup { group in
                for query in queries {
                    group.addTask { await way.exchange(query, timeout: .seconds(30)) }
                }
                for await exchange in group {
                    #expect(exchange.response?.addresses == [[192, 0, 2, 1]])
                }
            }
            #expect(folder.notes.filter { $0.hasPrefix("connection") }.count == 1)
        }
    }

    @Test(
        arguments: [
            (.error, "HTTP status 503"),
            (.reset, "the server reset the stream (error 1) after 18 octets of the answer"),
            (.close, "connection closed after 18 octets of the answer"),
            (.leave, "connection closed by the server: error 2 (enough)"),
            (.empty, "HTTP/3: "),
        ] as [(QUICResponder.Mode, String)]
    )
    func `what ends without an answer says why`(
        mode: QUICResponder.Mode,
        words: String
    ) async throws {
        try await withHTTP3Responder(mode) { server, root, _ in
            let way = try transport(to: server.port, root)
            for _ in 0..<2 {
                let exchange = await way.exchange(try query(), timeout: .seconds(60))
                switch exchange.result {
                case .malformed(let reason), .unreachable(let reason):
                    #expect(reason.hasPrefix(words))
                default: Issue.record("\(exchange.result)")
                }
            }
        }
    }

    @Test func `a server that says goodbye is asked over another connection`() async throws {
        try await withHTTP3Responder(.goaway) { server, root, folder in
            let way = try transport(to: server.port, root)
            for _ in 0..<3 {
                let exchange = await way.exchange(try query(), timeout: .seconds(60))
                #expect(exchange.response?.addresses == [[192, 0, 2, 1]])
                #expect(exchange.connection == .new)
            }
            #expect(folder.notes.filter { $0.hasPrefix("connection") }.count == 3)
        }
    }
}
#endif
