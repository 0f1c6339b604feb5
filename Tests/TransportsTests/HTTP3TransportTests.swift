#if QUIC
import Catalogue
import DNSWire
import Servers
import Testing

@testable import Transports

/// Runs `body` while a responder in this mode is running. `body` receives the root of its
/// certificate's authority.
private func withHTTP3Responder(
    _ mode: QUICResponder.Mode,
    _ body: (RunningServer, String, TemporaryFolder) async throws -> Void
) async throws {
    try await withCertified({ QUICResponder(.h3, mode, $0, log: $1) }, body)
}

@Suite struct HTTP3TransportTests {
    @Test(arguments: HTTPMethod.allCases)
    func `one connection carries padded requests`(method: HTTPMethod) async throws {
        try await withHTTP3Responder(.plain) { server, root, folder in
            let way = try Encryption.h3.transport(to: server.port, root, method, path: "/a/path")
            try await way.expectAnswers(over: [.new, .reused, .reused]) { exchange in
                #expect(exchange.clock == .kernel)
                if exchange.connection == .reused { #expect(exchange.handshake == nil) }
                #expect(exchange.connect == nil)
            }
            let asked: Substring =
                "query 128 id 0 \(method == .post ? "POST" : "GET") dot.test:\(server.port) /a/path"
                + " application/dns-message"
            #expect(folder.notes == ["connection new h3", asked, asked, asked])
            let handshake = try await newHandshake {
                try Encryption.h3.transport(to: server.port, root, method)
            }
            #expect(handshake != nil)
        }
    }

    @Test func `a session is resumed`() async throws {
        try await withHTTP3Responder(.plain) { server, root, folder in
            let way = try Encryption.h3.transport(to: server.port, root, .post, .resume)
            try await way.expectAnswers(over: [.new, .early, .early], awaitsTickets: true)
            let connections = folder.notes.filter { $0.hasPrefix("connection") }
            #expect(
                connections == ["connection new h3", "connection early h3", "connection early h3"]
            )
        }
    }

    @Test func `a request that was too early is sent again after the handshake`() async throws {
        try await withHTTP3Responder(.premature) { server, root, folder in
            let way = try Encryption.h3.transport(to: server.port, root, .post, .resume)
            let uses: [ConnectionUse] = [.new, .resumed, .resumed]
            try await way.expectAnswers(over: uses, awaitsTickets: true) { exchange in
                #expect(exchange.clock == .kernel)
                let time = try #require(exchange.handshake)
                #expect(exchange.connection == .new || time > .zero)
            }
            // The responder received every query twice, except the first.
            #expect(folder.notes.filter { $0.hasPrefix("query") }.count == 5)
            let handshake = try await newHandshake {
                try Encryption.h3.transport(to: server.port, root, .post, .resume)
            }
            #expect(try #require(handshake) > .zero)
        }
    }

    @Test(arguments: [QUICResponder.Mode.retry, .late, .trickle])
    func `a delayed or split answer is unchanged`(mode: QUICResponder.Mode) async throws {
        try await withHTTP3Responder(mode) { server, root, _ in
            let way = try Encryption.h3.transport(to: server.port, root, .post, .resume)
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
            let way = try Encryption.h3.transport(to: server.port, root)
            for exchange in try await way.exchanges(100, timeout: .seconds(30)) {
                #expect(exchange.response?.addresses == [[192, 0, 2, 1]])
            }
            #expect(folder.notes.filter { $0.hasPrefix("connection") }.count == 1)
        }
    }

    @Test(
        arguments: [
            (.error, "HTTP status 503"),
            (.reset, "the server reset the stream (error 1) after 18 bytes of the answer"),
            (.close, "connection closed after 18 bytes of the answer"),
            (.leave, "connection closed by the server: error 2 (enough)"),
            (.empty, "HTTP/3: "),
        ] as [(QUICResponder.Mode, String)]
    )
    func `an end without an answer states its reason`(mode: QUICResponder.Mode, words: String)
        async throws
    {
        try await withHTTP3Responder(mode) { server, root, _ in
            let way = try Encryption.h3.transport(to: server.port, root)
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

    @Test func `a server that sends GOAWAY over HTTP/3 is queried on another connection`()
        async throws
    {
        try await withHTTP3Responder(.goaway) { server, root, folder in
            let way = try Encryption.h3.transport(to: server.port, root)
            try await way.expectAnswers(over: [.new, .new, .new])
            #expect(folder.notes.filter { $0.hasPrefix("connection") }.count == 3)
        }
    }
}
#endif
