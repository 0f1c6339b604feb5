import Catalogue
import DNSWire
import Servers
import Testing

@testable import Transports

/// Requests that go with the beginning of a handshake, to nginx.
@Suite struct EarlyRequestTests {
    @Test(arguments: HTTPMethod.allCases)
    func `nginx takes a request with the greeting, and again where it knows no ticket`(
        method: HTTPMethod
    ) async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let authority = try await ThrowawayAuthority(in: folder)
        let certificate = try await authority.certificate(for: "dot.test")
        let port = try Loopback.freePort()
        try await withServer(.unbound()) { backend in
            let program = Dnsdist.dnsdist(
                delays: [0],
                settings: ["addDOHLocal(\"127.0.0.1:\(port)\")"],
                backend: backend.endpoint
            )
            try await withServer(program) { _ in
                let nginx = Nginx(
                    certificate,
                    backend: Servers.SocketAddress("127.0.0.1", port: port),
                    log: folder.file("responder.log")
                )
                let place = try Loopback.freePort()
                let way = HTTPSTransport(
                    to: try .onLoopback(.https, place, .file(authority.root), .resume),
                    path: nil,
                    method: method
                )
                // The second does not know the tickets of the first.
                for uses in [[Exchange.Connection.new, .early, .early], [.new, .early]] {
                    try await withServer(nginx, port: place) { _ in
                        for use in uses {
                            let exchange = await way.exchange(try query(), timeout: .seconds(20))
                            #expect(exchange.response?.addresses == [[192, 0, 2, 1]])
                            #expect(exchange.connection == use)
                            #expect(exchange.clock == .kernel)
                            // It comes with the end of the handshake, maybe after the answer.
                            #expect(try await eventually { await way.connection.hasTicket })
                        }
                    }
                }
            }
        }
        // None was asked twice; of what came early it may know too late that it did.
        let seen = folder.notes.map { $0.replacing("early", with: "resumed") }
        #expect(seen == ["new 200", "resumed 200", "resumed 200", "new 200", "resumed 200"])
    }
}
