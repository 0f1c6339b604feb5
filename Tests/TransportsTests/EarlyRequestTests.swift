import Catalogue
import DNSWire
import Servers
import Testing

@testable import Transports

/// Requests to nginx that are sent as early data.
@Suite struct EarlyRequestTests {
    /// Runs nginx in front of dnsdist and unbound. Each call of `serve` starts a new nginx on the
    /// same port.
    private func withPlace(
        _ method: HTTPMethod,
        refusesEarly: Bool = false,
        _ body: (
            EncryptedTransport, TemporaryFolder,
            _ serve: (() async throws -> Void) async throws -> Void
        ) async throws -> Void
    ) async throws {
        try await withNginx(refusesEarly: refusesEarly) { nginx, root, folder in
            let place = try Loopback.freePort()
            let way = try Encryption.https.transport(to: place, root, method, .resume)
            try await body(way, folder) { ask in
                try await withServer(nginx, port: place) { _ in try await ask() }
            }
        }
    }

    @Test(arguments: HTTPMethod.allCases)
    func `nginx accepts early requests with a ticket`(method: HTTPMethod) async throws {
        try await withPlace(method) { way, folder, serve in
            // The second nginx rejects the tickets of the first.
            for uses in [[ConnectionUse.new, .early, .early], [.new, .early]] {
                try await serve {
                    for use in uses {
                        let exchange = await way.exchange(try query(), timeout: .seconds(60))
                        #expect(exchange.response?.addresses == [[192, 0, 2, 1]])
                        #expect(exchange.connection == use)
                        #expect(exchange.clock == .kernel)
                        // The ticket arrives with the end of the handshake, possibly after the
                        // answer.
                        #expect(try await eventually { await way.nextTicket != nil })
                    }
                }
            }
            // nginx received each query once. It may learn too late that a request was early, and
            // then logs "resumed".
            let seen = folder.notes.map { $0.replacing("early", with: "resumed") }
            #expect(seen == ["new 200", "resumed 200", "resumed 200", "new 200", "resumed 200"])
        }
    }

    @Test(arguments: [TLSVersion?.none, .v13, .v12])
    func `only TLS 1.3 has early data`(version: TLSVersion?) async throws {
        try await withNginx { nginx, root, _ in
            try await withServer(nginx) { server in
                let way = try Encryption.https.transport(
                    to: server.port,
                    .file(root),
                    .resume,
                    version: version
                )
                try await way.expectAnswers(over: [.new], awaitsTickets: version != .v12)
                let exchange = await way.exchange(try query(), timeout: .seconds(60))
                #expect(exchange.response != nil)
                #expect((exchange.connection == .early) == (version != .v12))
            }
        }
    }

    @Test(arguments: HTTPMethod.allCases)
    func `a request that nginx rejects as too early is repeated`(method: HTTPMethod) async throws {
        try await withPlace(method, refusesEarly: true) { way, folder, serve in
            try await serve {
                var uses: [ConnectionUse?] = []
                // nginx may learn too late that a request was early, and then accepts it.
                for _ in 0..<20 where !uses.contains(.resumed) {
                    let exchange = await way.exchange(try query(), timeout: .seconds(60))
                    #expect(exchange.response?.addresses == [[192, 0, 2, 1]], "\(exchange)")
                    #expect(exchange.clock == .kernel)
                    uses.append(exchange.connection)
                    #expect(exchange.isEarlyRefused == (exchange.connection == .resumed))
                    #expect(try await eventually { await way.nextTicket != nil })
                }
                #expect(uses.first == .new && uses.last == .resumed, "\(uses)")
            }
            #expect(folder.notes.suffix(2).first?.hasSuffix("425") == true, "\(folder.notes)")
            #expect(folder.notes.last == "resumed 200")
        }
    }
}
