#if os(Linux)
import Catalogue
import DNSWire
import LibC
import Servers
import Testing

@testable import Transports

/// ICMP errors about queries over UDP. Some of them end a query.
@Suite(.enabled(if: ICMPError.isPermitted, "sending ICMP errors takes the rights of root"))
struct ReportedErrorTests {
    /// The part of a received query that an error quotes.
    enum Quote: CaseIterable {
        case nothing, otherID, otherQuestion, onlyID, beginning, all

        func octets(of query: ReceivedQuery) -> [UInt8] {
            switch self {
            case .nothing: []
            case .otherID: [query.bytes[0] ^ 0xff] + query.bytes.dropFirst()
            case .otherQuestion:
                query.bytes.prefix(13) + [UInt8(ascii: "x")] + query.bytes.dropFirst(14)
            case .onlyID: Array(query.bytes.prefix(2))
            case .beginning: query.bytes.dropLast()
            case .all: query.bytes
            }
        }
    }

    private static let addresses = Loopback.hasIPv6 ? ["127.0.0.1", "::1"] : ["127.0.0.1"]

    /// Returns the exchange of a query. The responder sends `errors`, and then the answer if
    /// `answers` is true.
    private func exchange(
        at address: String = "127.0.0.1",
        answers: Bool = true,
        timeout: Duration = .seconds(60),
        _ errors: @escaping @Sendable (ReceivedQuery) -> [ICMPError]
    ) async throws -> Exchange {
        try await withResponder(address: address) { query in
            errors(query).map { .report($0) } + (answers ? [.reply(query.answer())] : [])
        } _: { responder in
            let transport = try Carrier.udp.transport(to: responder.endpoint)
            return await transport.exchange(try query(), timeout: timeout)
        }
    }

    @Test(arguments: ICMPError.Kind.allCases, addresses)
    func `an error that does not quote the query leaves the query to its answer`(
        kind: ICMPError.Kind,
        address: String
    ) async throws {
        for quote in Quote.allCases where quote != .all {
            let exchange = try await exchange(at: address) {
                [ICMPError(kind, quoting: quote.octets(of: $0))]
            }
            #expect(
                exchange.response?.addresses == [[192, 0, 2, 1]],
                "\(quote) \(exchange.result)"
            )
            #expect(exchange.clock == .kernel)
            #expect(exchange.strays.count == 0)
            // IPv6 does not report an ignored path MTU.
            #expect(exchange.hasReports || kind == .tooBig && address == "::1")
        }
    }

    @Test(arguments: ICMPError.Kind.allCases)
    func `an error from another address is ignored`(kind: ICMPError.Kind) async throws {
        for quote in Quote.allCases {
            let exchange = try await exchange {
                [ICMPError(kind, quoting: quote.octets(of: $0), from: "127.0.0.9")]
            }
            #expect(exchange.response != nil, "\(quote) \(exchange.result)")
            #expect(exchange.hasReports)
        }
    }

    @Test func `a path MTU from another host does not affect other sockets`() async throws {
        let exchange = try await exchange {
            [ICMPError(.tooBig, quoting: $0.bytes, from: "127.0.0.9")]
        }
        #expect(exchange.response != nil && exchange.hasReports)
        let socket = try Socket(.datagram, family: AF_INET)
        try socket.connect(to: Transports.SocketAddress(try Endpoint(parsing: "127.0.0.1:53")))
        var (mtu, length) = (Int32(), socklen_t(MemoryLayout<Int32>.size))
        #expect(unsafe getsockopt(socket.descriptor, Int32(IPPROTO_IP), IP_MTU, &mtu, &length) == 0)
        #expect(mtu > 576)
    }

    @Test func `hundreds of errors leave the query to its answer`() async throws {
        let exchange = try await exchange { query in
            (0..<300).map { number in
                let quote: Quote = number.isMultiple(of: 2) ? .nothing : .otherID
                return ICMPError(quoting: quote.octets(of: query))
            }
        }
        #expect(exchange.response != nil, "\(exchange.result)")
    }

    @Test(arguments: addresses)
    func `the resolver's error that quotes the query ends the query`(address: String) async throws {
        let exchange = try await exchange(at: address, answers: false, timeout: .seconds(3600)) {
            [ICMPError(quoting: $0.bytes)]
        }
        #expect(exchange.result == .unreachable("Connection refused"))
        #expect(exchange.roundTrip == nil)
    }

    @Test(
        arguments: [
            (.nothing, nil, "Connection refused"), (.onlyID, nil, "Connection refused"),
            (.all, "127.0.0.9", "Connection refused"), (.otherID, nil, nil),
            (.otherQuestion, nil, nil),
        ] as [(Quote, String?, String?)]
    )
    func `if no answer comes, an error is the reason unless it quotes another query`(
        quote: Quote,
        sender: String?,
        reason: String?
    ) async throws {
        let exchange = try await exchange(answers: false, timeout: .milliseconds(200)) {
            [ICMPError(quoting: quote.octets(of: $0), from: sender)]
        }
        #expect(exchange.result == reason.map { .unreachable($0) } ?? .timeout)
    }

    @Test func `an error that quotes the query is preferred`() async throws {
        let exchange = try await exchange(answers: false, timeout: .milliseconds(200)) { query in
            [
                ICMPError(.portUnreachable, quoting: []),
                ICMPError(.hostUnreachable, quoting: query.bytes, from: "127.0.0.9"),
                ICMPError(.portUnreachable, quoting: []),
            ]
        }
        #expect(exchange.result == .unreachable("No route to host"))
    }

    @Test func `a pending error of a socket does not reach the next query`() async throws {
        try await withResponder { query in
            let error = ResponderAction.report(ICMPError(quoting: []))
            return query.ordinal.isMultiple(of: 2)
                ? [error, .reply(query.answer()), error, error] : [.reply(query.answer())]
        } _: { responder in
            let transport = try Carrier.udp.transport(to: responder.endpoint)
            for number in 0..<100 {
                let exchange = await transport.exchange(try query(), timeout: .seconds(60))
                #expect(exchange.response != nil, "\(exchange.result)")
                #expect(exchange.clock == .kernel)
                if !number.isMultiple(of: 2) { #expect(!exchange.hasReports) }
            }
        }
    }

    @Test func `a pending error of the socket does not prevent a query`() async throws {
        try await withResponder { query in
            [.report(ICMPError(quoting: [])), .reply([])]
        } _: { responder in
            try await Self.sendTwice(to: responder.endpoint)
            #expect(try await eventually { responder.queries.count == 2 })
        }
    }

    /// Sends two datagrams. During the second, an error about the first is pending in the socket.
    @EventLoopActor
    private static func sendTwice(to endpoint: Servers.SocketAddress) async throws {
        let address = Transports.SocketAddress(try Endpoint(parsing: "\(endpoint)"))
        let datagrams = try await DatagramSocket.open(family: address.family, isPlain: false)
        defer { datagrams.close() }
        try datagrams.socket.connect(to: address)
        #expect(try datagrams.send(Attempt(query())) == 0)
        let descriptor = datagrams.socket.descriptor
        // Waits for the datagram that arrives after the error.
        let hasDatagram = try await eventually {
            var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            return unsafe poll(&entry, 1, 0) == 1 && entry.revents & Int16(POLLIN) != 0
        }
        #expect(hasDatagram)
        // The kernel may have counted the failed call.
        #expect(try datagrams.send(Attempt(query())) == nil)
    }

    @Test func `empty and short datagrams are not answers`() async throws {
        try await withResponder { query in
            [.reply([]), .reply([query.bytes[0] ^ 1]), .reply([]), .reply(query.answer())]
        } _: { responder in
            let transport = try Carrier.udp.transport(to: responder.endpoint)
            let exchange = await transport.exchange(try query(), timeout: .seconds(60))
            #expect(exchange.response != nil, "\(exchange.result)")
            #expect(exchange.strays.count == 3)
        }
    }
}
#endif
