#if QUIC
import DNSWire
import LibC
import Servers
import Testing

@testable import Transports

/// QUIC servers that are killed while queries are pending.
@Suite struct DeadServerTests {
    /// The remains of a killed server.
    private struct Remains {
        /// A connection on which the server received three queries.
        var way: any Transport
        /// The exchanges of these queries.
        var waiting: Task<[Exchange], any Error>
        var port: UInt16
        var folder: TemporaryFolder

        /// Sends another query over the connection. Returns the failure reasons of all exchanges.
        func failures() async throws -> [String] {
            let last = await way.exchange(try query(), timeout: .seconds(60))
            #expect(last.connection == .reused)
            return (try await waiting.value + [last]).map { exchange in
                guard case .unreachable(let reason) = exchange.result else {
                    return "\(exchange.result)"
                }
                return reason
            }
        }

        /// Expects that another query is answered, over a new connection.
        func expectAnswer() async throws {
            let exchange = await way.exchange(try query(), timeout: .seconds(20))
            #expect(exchange.response?.addresses == [[192, 0, 2, 1]], "\(exchange.result)")
            #expect(exchange.connection == .new)
            #expect(folder.notes.count { $0.hasPrefix("connection new") } == 2)
        }
    }

    /// Runs `body` with the remains of a killed server, and with another server that can run on the
    /// same port.
    private func withDeadServer(
        _ encryption: Encryption,
        _ body: (Remains, _ successor: QUICResponder) async throws -> Void
    ) async throws {
        let application = encryption == .quic ? QUICResponder.Application.doq : .h3
        let (folder, authority, certificate) = try await ThrowawayAuthority.certified()
        let log = folder.file("responder.log")
        try await withServer(QUICResponder(application, .silent, certificate, log: log)) { server in
            let way = try encryption.transport(to: server.port, .file(authority.root))
            let waiting = Task { try await way.exchanges(3, timeout: .seconds(60)) }
            // After that, the transport does not send any part of the queries again.
            #expect(try await eventually { folder.notes.count { $0.hasPrefix("taken") } == 3 })
            server.process.send(signal: SIGKILL)
            _ = await server.process.end(within: .seconds(10))
            try await body(
                Remains(way: way, waiting: waiting, port: server.port, folder: folder),
                QUICResponder(application, .restarted, certificate, log: log)
            )
        }
    }

    @Test(arguments: [Encryption.quic, .h3])
    func `a query ends once when no server is left`(encryption: Encryption) async throws {
        try await withDeadServer(encryption) { remains, successor in
            #expect(
                try await remains.failures() == Array(repeating: "Connection refused", count: 4)
            )
            try await withServer(successor, port: remains.port) { _ in
                try await remains.expectAnswer()
            }
        }
    }

    @Test(arguments: [Encryption.quic, .h3])
    func `a new server resets unknown connections`(encryption: Encryption) async throws {
        try await withDeadServer(encryption) { remains, successor in
            try await withServer(successor, port: remains.port) { _ in
                let words = "connection reset: the server knows nothing of it"
                #expect(try await remains.failures() == Array(repeating: words, count: 4))
                #expect(remains.folder.notes.contains("reset"))
                try await remains.expectAnswer()
            }
        }
    }
}
#endif
