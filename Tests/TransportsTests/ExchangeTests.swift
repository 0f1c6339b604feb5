import Catalogue
import DNSWire
import Servers
import Testing
import Transports

/// The two plain transports, for tests that are the same for both.
enum Carrier: String, CaseIterable, Sendable {
    case udp, tcp

    func transport(
        to address: SocketAddress,
        allowed: AllowedNetworks = .everywhere
    ) throws -> any Transport {
        let kind: TransportKind = self == .udp ? .udp : .tcp
        let ip = try #require(IPAddress(address.address))
        let endpoint = Endpoint(transport: kind, address: ip, port: address.port)
        return self == .udp
            ? UDPTransport(to: endpoint, allowed: allowed)
            : TCPTransport(to: endpoint, allowed: allowed)
    }
}

func query(_ name: String = "www.example.com", _ options: QueryOptions = .init()) throws -> Query {
    try Query(Question(name: DomainName(name), type: .a), options: options)
}

extension Exchange {
    /// The response; `nil` for other results.
    var response: Response? {
        guard case .response(let response) = result else { return nil }
        return response
    }

    /// The result as text, with its reason if it has one.
    var failure: String {
        switch result {
        case .malformed(let reason): "malformed: \(reason)"
        case .unreachable(let reason): "unreachable: \(reason)"
        default: "\(result)"
        }
    }

    /// The reason for distrust of the server; `nil` for other results.
    var distrust: Distrust? {
        guard case .untrusted(let distrust) = result else { return nil }
        return distrust
    }
}

@Suite struct ExchangeTests {
    @Test(arguments: Carrier.allCases, ["127.0.0.1", "::1"])
    func `the kernel times a real answer`(carrier: Carrier, address: String) async throws {
        try await withServer(.unbound(address: address)) { server in
            let transport = try carrier.transport(to: server.endpoint)
            let exchange = await transport.exchange(try query(), timeout: .seconds(60))
            let response = try #require(exchange.response)
            #expect(response.code == .noError)
            #expect(response.addresses == [[192, 0, 2, 1]])
            #expect(exchange.clock == .kernel)
            let roundTrip = try #require(exchange.roundTrip)
            #expect(roundTrip > .zero)
            #expect((exchange.connect != nil) == (carrier == .tcp))
            #expect(exchange.opening == exchange.connect ?? .zero)
        }
    }

    @Test(arguments: Carrier.allCases)
    func `a closed port is unreachable, not a timeout`(carrier: Carrier) async throws {
        let address = SocketAddress("127.0.0.1", port: try Loopback.freePort())
        let transport = try carrier.transport(to: address)
        let exchange = await transport.exchange(try query(), timeout: .seconds(60))
        #expect(exchange.failure == "unreachable: Connection refused")
        #expect(exchange.roundTrip == nil)
    }

    @Test(arguments: Encryption.allCases)
    func `a closed port is unreachable over encrypted transports`(over: Encryption) async throws {
        let way = try over.transport(to: try Loopback.freePort(), .anybody)
        let exchange = await way.exchange(try query(), timeout: .seconds(60))
        #expect(exchange.failure == "unreachable: Connection refused")
        #expect(exchange.connection == nil)
    }

    // A resolver for plain TCP reads the TLS greeting as the beginning of a long message, and stays
    // silent.
    @Test(arguments: Encryption.allCases)
    func `silence before a handshake is a timeout`(over encryption: Encryption) async throws {
        try await withResponder { _ in
            []
        } _: { responder in
            let way = try encryption.transport(to: responder.endpoint.port, .anybody)
            let exchange = await way.exchange(try query(), timeout: .milliseconds(100))
            #expect(exchange.failure == "timeout")
            #expect(exchange.connection == nil)
        }
    }

    @Test func `a truncated answer is repeated over TCP, timed from the start`() async throws {
        try await withResponder { query in
            [.reply(query.answer(truncated: query.transport == .udp))]
        } _: { responder in
            let transport = try Carrier.udp.transport(to: responder.endpoint)
            let exchange = await transport.exchange(try query(), timeout: .seconds(60))
            #expect(exchange.response?.truncated == false)
            #expect(exchange.response?.addresses == [[192, 0, 2, 1]])
            let truncated = try #require(exchange.truncated)
            let roundTrip = try #require(exchange.roundTrip)
            #expect(truncated < roundTrip)
            #expect(exchange.connect != nil)
            // The TCP connection was opened after the query was sent, and did not delay it.
            #expect(exchange.opening == .zero)
            #expect(responder.queries.map(\.transport) == [.udp, .tcp])
        }
    }

    @Test(arguments: Carrier.allCases)
    func `a response to another query is counted and ignored`(carrier: Carrier) async throws {
        try await withResponder { query in
            var wrongID = query.answer()
            wrongID[0] ^= 0xff
            var wrongQuestion = query.answer()
            wrongQuestion[13] ^= 1
            var noResponse = query.answer()
            noResponse[2] &= 0x7f
            return [wrongID, wrongID, wrongQuestion, noResponse, query.answer()].map { .reply($0) }
        } _: { responder in
            let transport = try carrier.transport(to: responder.endpoint)
            let exchange = await transport.exchange(try query(), timeout: .seconds(60))
            #expect(exchange.response?.addresses == [[192, 0, 2, 1]])
            #expect(exchange.strays.wrongID == 2)
            #expect(exchange.strays.wrongQuestion == 1)
            #expect(exchange.strays.notAResponse == 1)
        }
    }

    @Test func `an answer from another port is never accepted`() async throws {
        try await withResponder { query in
            [.replyFrom(SocketAddress("127.0.0.1", port: 0), query.answer())]
        } _: { responder in
            let transport = try Carrier.udp.transport(to: responder.endpoint)
            let exchange = await transport.exchange(try query(), timeout: .milliseconds(200))
            #expect(exchange.failure == "timeout")
            #expect(exchange.strays.count == 0)
            #expect(try await eventually { responder.queries.count >= 1 })
            #expect(responder.queries.count == 1)
        }
    }

    @Test(arguments: Carrier.allCases)
    func `an answer that breaks the format is malformed`(carrier: Carrier) async throws {
        try await withResponder { query in
            [.reply(query.answer().dropLast())]
        } _: { responder in
            let transport = try carrier.transport(to: responder.endpoint)
            let exchange = await transport.exchange(try query(), timeout: .seconds(60))
            #expect(exchange.failure.hasPrefix("malformed"))
            #expect(exchange.roundTrip != nil)
        }
    }

    @Test(arguments: Carrier.allCases)
    func `nothing is sent outside the allowed networks`(carrier: Carrier) async throws {
        try await withResponder {
            [.reply($0.answer())]
        } _: { responder in
            let elsewhere = try AllowedNetworks(parsing: "192.0.2.0/24,::1/128")
            let transport = try carrier.transport(to: responder.endpoint, allowed: elsewhere)
            let exchange = await transport.exchange(try query(), timeout: .seconds(60))
            #expect(exchange.failure == "blocked")
            #expect(exchange.sent == nil)
            // Sends one more query, which is allowed. An earlier query would arrive before its
            // answer.
            let allowed = try carrier.transport(to: responder.endpoint)
            _ = await allowed.exchange(try query(), timeout: .seconds(60))
            #expect(responder.queries.count == 1)
        }
    }

    @Test(arguments: Carrier.allCases)
    func `a cancelled task ends its exchange`(carrier: Carrier) async throws {
        let (asked, announce) = AsyncStream<Void>.makeStream()
        try await withResponder { _ in
            announce.yield()
            return []
        } _: { responder in
            let transport = try carrier.transport(to: responder.endpoint)
            let query = try query()
            let task = Task { await transport.exchange(query, timeout: .seconds(600)) }
            for await _ in asked { break }
            task.cancel()
            let exchange = await task.value
            #expect(exchange.failure == "cancelled")
        }
    }

    @Test func `an answer in other letter case is accepted and flagged`() async throws {
        var options = QueryOptions()
        options.randomCase = true
        let name = "a-name-with-many-letters-for-chance.example.com"
        let mixed = try query(name, options)
        try await withResponder { query in
            let lowered = query.answer().enumerated().map { index, octet in
                index >= 12 && (0x41...0x5a).contains(octet) ? octet | 0x20 : octet
            }
            return [.reply(query.ordinal == 0 ? lowered : query.answer())]
        } _: { responder in
            let transport = try Carrier.udp.transport(to: responder.endpoint)
            for changesCase in [true, false] {
                let exchange = await transport.exchange(mixed, timeout: .seconds(60))
                #expect(exchange.response?.changesCase == changesCase)
                #expect(exchange.strays.count == 0)
            }
        }
    }
}
