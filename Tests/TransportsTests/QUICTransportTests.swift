#if QUIC
import Catalogue
import DNSWire
import Servers
import Testing

@testable import Transports

/// Runs `body` while a responder in this mode is running. `body` receives the root of its
/// certificate's authority.
private func withQUICResponder(
    _ mode: QUICResponder.Mode,
    _ body: (RunningServer, String, TemporaryFolder) async throws -> Void
) async throws {
    try await withCertified({ QUICResponder(.doq, mode, $0, log: $1) }, body)
}

@Suite struct QUICTransportTests {
    @Test func `one connection carries padded queries, timed by the kernel`() async throws {
        try await withQUICResponder(.plain) { server, root, folder in
            let way = try Encryption.quic.transport(to: server.port, .file(root))
            try await way.expectAnswers(over: [.new, .reused, .reused]) { exchange in
                #expect(exchange.clock == .kernel, "\(exchange)")
                if exchange.connection == .reused { #expect(exchange.handshake == nil) }
                // QUIC has no connect time, because it connects by its handshake.
                #expect(exchange.connect == nil)
                #expect(!exchange.isUnverified)
            }
            #expect(
                folder.notes == ["connection new doq"]
                    + Array(repeating: "query 128 id 0", count: 3)
            )
            let handshake = try await newHandshake {
                try Encryption.quic.transport(to: server.port, .file(root))
            }
            #expect(handshake != nil)
        }
    }

    @Test(arguments: [QUICResponder.Mode.plain, .late, .cautious])
    func `a resumed session sends the query early`(mode: QUICResponder.Mode) async throws {
        try await withQUICResponder(mode) { server, root, folder in
            let way = try Encryption.quic.transport(to: server.port, .file(root), .resume)
            let resumed: ConnectionUse = mode == .plain ? .early : .resumed
            try await way.expectAnswers(over: [.new, resumed, resumed], awaitsTickets: true) {
                exchange in
                #expect(exchange.clock == .kernel, "\(exchange)")
                // A query that is sent early does not wait for the handshake.
                #expect((exchange.handshake == .zero) == (exchange.connection == .early))
                let isRefused = mode == .late && exchange.connection == .resumed
                #expect(exchange.isEarlyRefused == isRefused)
            }
            let seen: Substring = mode == .plain ? "connection early doq" : "connection resumed doq"
            let connections = folder.notes.filter { $0.hasPrefix("connection") }
            #expect(connections == ["connection new doq", seen, seen])
            let fresh = try Encryption.quic.transport(to: server.port, .file(root), .fresh)
            for _ in 0..<2 {
                let exchange = await fresh.exchange(try query(), timeout: .seconds(60))
                #expect(exchange.connection == .new)
            }
            #expect(folder.notes.filter { $0 == "connection new doq" }.count == 3)
        }
    }

    @Test func `an incomplete ticket does not delay queries`() async throws {
        try await withQUICResponder(.broken) { server, root, _ in
            let way = try Encryption.quic.transport(to: server.port, .file(root), .resume)
            for _ in 0..<2 {
                let exchange = await way.exchange(try query(), timeout: .seconds(60))
                // The answer arrives before the ticket, or never.
                switch exchange.result {
                case .response, .unreachable: break
                default: Issue.record("\(exchange.result)")
                }
                #expect(exchange.connection == .new)
            }
            #expect(await way.nextTicket == nil)
        }
    }

    @Test func `a server that validates addresses gets an answer`() async throws {
        try await withQUICResponder(.retry) { server, root, folder in
            for policy in ConnectionPolicy.allCases {
                let way = try Encryption.quic.transport(to: server.port, .file(root), policy)
                for _ in 0..<2 {
                    let exchange = await way.exchange(try query(), timeout: .seconds(60))
                    #expect(exchange.response?.addresses == [[192, 0, 2, 1]])
                }
            }
            #expect(folder.notes.filter { $0.hasPrefix("query") }.count == 6)
        }
    }

    @Test(arguments: [QUICResponder.Mode.trickle, .stray])
    func `single bytes are read, and strays are skipped`(mode: QUICResponder.Mode) async throws {
        try await withQUICResponder(mode) { server, root, _ in
            let way = try Encryption.quic.transport(to: server.port, .file(root))
            for _ in 0..<2 {
                let exchange = await way.exchange(try query(), timeout: .seconds(60))
                #expect(exchange.response?.addresses == [[192, 0, 2, 1]])
                #expect(exchange.strays.wrongID == (mode == .stray ? 1 : 0))
            }
        }
    }

    @Test func `answers out of order reach all queries, beyond the stream limit`() async throws {
        try await withQUICResponder(.swap) { server, root, folder in
            let way = try Encryption.quic.transport(to: server.port, .file(root))
            // The responder permits 128 concurrent streams.
            for exchange in try await way.exchanges(300, timeout: .seconds(30)) {
                // An answer to another query would be a stray.
                #expect(exchange.response?.addresses == [[192, 0, 2, 1]])
                #expect(exchange.strays.count == 0)
            }
            #expect(folder.notes.filter { $0.hasPrefix("connection") }.count == 1)
        }
    }

    @Test(
        arguments: [
            (.reset, "stream reset (DOQ_INTERNAL_ERROR) after 18 of 49 bytes"),
            (.close, "connection closed after 18 of 49 bytes"),
            (.leave, "connection closed by the server: error 2 (enough)"),
            (.empty, "stream ended without an answer"),
            (.other, "the server speaks no version of QUIC that is known here"),
            (.bare, "TLS handshake failed: An extension was expected but was not seen"),
        ] as [(QUICResponder.Mode, String)]
    )
    func `an end without an answer states its reason, and the next query succeeds`(
        mode: QUICResponder.Mode,
        words: String
    ) async throws {
        try await withQUICResponder(mode) { server, root, folder in
            let way = try Encryption.quic.transport(to: server.port, .file(root))
            for _ in 0..<2 {
                let exchange = await way.exchange(try query(), timeout: .seconds(60))
                switch exchange.result {
                case .malformed(let reason), .unreachable(let reason): #expect(reason == words)
                default: Issue.record("\(exchange.result)")
                }
            }
            let connections = folder.notes.filter { $0.hasPrefix("connection") }.count
            let expected =
                switch mode {
                case .close, .leave: 2
                case .other, .bare: 0
                default: 1
                }
            #expect(connections == expected)
        }
    }

    @Test func `a connection that the server lost is opened again`() async throws {
        try await withQUICResponder(.forget) { server, root, folder in
            let way = try Encryption.quic.transport(to: server.port, .file(root))
            let first = await way.exchange(try query(), timeout: .seconds(60))
            #expect(first.response?.addresses == [[192, 0, 2, 1]])
            var outcomes: [Exchange] = []
            for _ in 0..<2 {
                outcomes.append(await way.exchange(try query(), timeout: .seconds(60)))
            }
            // The acknowledgement of the answer may have caused the reset before the second query.
            let answered = outcomes.filter { $0.response != nil }
            #expect(answered.allSatisfy { $0.connection == .new })
            #expect(!answered.isEmpty)
            for exchange in outcomes where exchange.response == nil {
                #expect(
                    exchange.failure
                        == "unreachable: connection reset: the server knows nothing of it"
                )
            }
        }
    }

    @Test func `a connection with an idle timeout is opened again`() async throws {
        try await withQUICResponder(.idle) { server, root, folder in
            let way = try Encryption.quic.transport(to: server.port, .file(root))
            let first = await way.exchange(try query(), timeout: .seconds(60))
            #expect(first.connection == .new)
            #expect(try await eventually { await !way.isOpen })
            let exchange = await way.exchange(try query(), timeout: .seconds(60))
            #expect(exchange.response?.addresses == [[192, 0, 2, 1]])
            #expect(exchange.connection == .new)
        }
    }

    @Test func `silence after the handshake is a timeout`() async throws {
        try await withQUICResponder(.silent) { server, root, folder in
            let way = try Encryption.quic.transport(to: server.port, .file(root))
            for _ in 0..<2 {
                // The handshake needs some time on a busy machine.
                let exchange = await way.exchange(try query(), timeout: .seconds(6))
                #expect(exchange.connection == .new)
                #expect(exchange.failure == "timeout")
            }
            // A connection without an answer may be dead, so the second query used another
            // connection.
            #expect(folder.notes.filter { $0 == "connection new doq" }.count == 2)
        }
    }
}
#endif
