import Catalogue
import DNSWire
import Servers
import Testing
import Transports

/// The facts that messages contain about an exchange, in cases that no server produces.
@Suite struct RecordedExchangeTests {
    private static let start: Int64 = 1_790_000_000_000_000_000

    private func query(_ options: QueryOptions = .init(), caseBits: UInt64 = 0) throws -> [UInt8] {
        try Query(Question(name: DomainName("example.com"), type: .a), options: options)
            .bytes(id: 7, caseBits: caseBits)
    }

    /// Returns the answer to a query with an OPT record of eleven bytes.
    private func answer(_ query: [UInt8], truncated: Bool = false) -> [UInt8] {
        query.prefix(2) + [truncated ? 0x83 : 0x81, 0x80, 0, 1, 0, 0, 0, 0, 0, 0]
            + query[12..<query.count - 11]
    }

    /// Returns a sent query and its responses. Times are in milliseconds after the start.
    private func sending(
        _ query: [UInt8],
        at time: Int64? = 0,
        _ responses: [(time: Int64, message: [UInt8])]
    ) -> SentQuery {
        SentQuery(
            message: query,
            sent: time.map { Self.start + $0 * 1_000_000 },
            responses: responses.map {
                .init(message: $1, received: Self.start + $0 * 1_000_000)
            }
        )
    }

    private func told(
        _ messages: [SentQuery],
        _ transport: TransportKind = .udp,
        _ tell: (inout Exchange.Facts) -> Void = { _ in }
    ) -> Exchange? {
        var facts = Exchange.Facts()
        tell(&facts)
        return Exchange(
            of: messages,
            facts,
            over: transport,
            timeout: .seconds(1),
            keepsData: false
        )
    }

    @Test func `a truncated answer counts with all messages until the full answer`() throws {
        let query = try query()
        let cut = sending(query, [(20, answer(query, truncated: true))])
        let full = sending(query, at: 35, [(60, answer(query))])
        let exchange = try #require(
            told([cut, full]) {
                ($0.connect, $0.isFollowed) = (10_000_000, true)
            }
        )
        #expect(exchange.truncated == .milliseconds(20))
        #expect(exchange.roundTrip == .milliseconds(55))
        #expect(exchange.sent == Self.start && exchange.id == 7)
        #expect(exchange.response?.truncated == false)
        // The full answer must also arrive within the timeout.
        let late = sending(query, at: 35, [(1_010, answer(query))])
        let timeout = try #require(
            told([cut, late]) {
                ($0.connect, $0.isFollowed) = (10_000_000, true)
            }
        )
        #expect(timeout.failure == "timeout")
        #expect(timeout.roundTrip == nil && timeout.truncated == .milliseconds(20))
    }

    @Test(arguments: [QueryResult.unreachable("Connection refused"), .timeout])
    func `a truncated answer without the full answer is not an answer`(ending: QueryResult) throws {
        let query = try query()
        let cut = sending(query, [(20, answer(query, truncated: true))])
        for messages in [[cut], [cut, sending(query, at: 30, [])]] {
            let exchange = try #require(
                told(messages) { ($0.ending, $0.isFollowed) = (ending, true) }
            )
            #expect(exchange.result == ending)
            #expect(exchange.truncated == .milliseconds(20) && exchange.roundTrip == nil)
            #expect(exchange.cause?.kind == .noTCP)
        }
    }

    @Test func `a failure has the same cause when its messages are read again`() throws {
        let query = try query()
        var broken = answer(query)
        broken[7] = 1
        var refused = answer(query)
        refused[3] = 0x81
        let causes: [([UInt8], String?)] = [
            (answer(query), nil), (broken, "message ends inside a name"), (refused, "edns"),
            (answer(query, truncated: true), "message is truncated"),
        ]
        for (response, cause) in causes {
            let exchange = try #require(told([sending(query, [(20, response)])]))
            #expect(exchange.cause?.description == cause)
            #expect(exchange.facts(over: .udp).fault == nil)
        }
        let lost = try #require(
            told([sending(query, [])]) {
                ($0.ending, $0.fault) = (.timeout, FailureCause(.otherSource, "127.0.0.2:5353"))
            }
        )
        #expect(lost.cause == FailureCause(.otherSource, "127.0.0.2:5353"))
        #expect(lost.facts(over: .udp).fault == lost.cause)
    }

    @Test func `a truncated answer is an answer over other transports`() throws {
        let query = try query()
        let cut = sending(query, [(20, answer(query, truncated: true))])
        for transport in TransportKind.allCases {
            let exchange = try #require(told([cut], transport))
            #expect(exchange.response?.truncated == true && exchange.truncated == nil)
            #expect(exchange.roundTrip == .milliseconds(20))
        }
    }

    @Test func `a late truncated answer is not an answer`() throws {
        let query = try query()
        let cut = sending(query, [(20, answer(query, truncated: true))])
        let exchange = try #require(told([cut]) { $0.ending = .timeout })
        #expect(exchange.result == .timeout)
        #expect(exchange.truncated == nil && exchange.roundTrip == nil)
    }

    @Test func `unrelated messages are skipped, but end an HTTP request`() throws {
        let query = try query()
        var stray = answer(query)
        stray[1] ^= 1
        let sending = sending(query, [(5, stray), (20, answer(query))])
        for transport in TransportKind.allCases {
            let exchange = try #require(told([sending], transport))
            if transport.isHTTP {
                #expect(exchange.result == .malformed("the answer has another ID"))
                #expect(exchange.roundTrip == .milliseconds(5) && exchange.strays.count == 0)
            } else {
                #expect(exchange.response != nil && exchange.strays.wrongID == 1)
                #expect(exchange.roundTrip == .milliseconds(20))
            }
        }
    }

    @Test func `the last sending of a repeated query counts`() throws {
        let query = try query()
        let lost = sending(query, [])
        let answered = sending(query, at: 100, [(130, answer(query))])
        let exchange = try #require(told([lost, answered], .tls) { $0.connection = .resumed })
        #expect(exchange.roundTrip == .milliseconds(30))
        #expect(exchange.sent == Self.start + 100_000_000)
        #expect(exchange.messages == [lost, answered] && exchange.connection == .resumed)
    }

    @Test func `an answer has the letter case of the query`() throws {
        var options = QueryOptions()
        options.randomCase = true
        let query = try query(options, caseBits: 0b101)
        let plain = try self.query()
        #expect(query != plain)
        let right = try #require(told([sending(query, [(5, answer(query))])]))
        #expect(right.response != nil)
    }

    @Test func `messages outside an exchange are ignored`() throws {
        let query = try query()
        #expect(told([]) == nil, "no message, and no end")
        #expect(told([sending(query, [])]) == nil, "no answer, and no end")
        #expect(told([sending(query, at: nil, [(5, answer(query))])]) == nil)
        for count in [0, 1, 11, 12, 20] {
            #expect(told([sending(Array(query.prefix(count)), [(5, answer(query))])]) == nil)
        }
        let stray = answer(query).prefix(1) + [8] + answer(query).dropFirst(2)
        #expect(told([sending(query, [(5, Array(stray))])]) == nil)
    }

    @Test func `impossible times are excluded`() throws {
        let query = try query()
        for time in [Int64.min, -1, 1_000_000_001, .max] {
            let exchange = try #require(
                told([sending(query, [(5, answer(query))])]) { facts in
                    (facts.connect, facts.handshake, facts.roundTrip) = (time, time, time)
                }
            )
            #expect(exchange.connect == nil && exchange.handshake == nil)
            #expect(exchange.roundTrip == .milliseconds(5))
        }
        // The answer arrives before the query is sent, or after the timeout.
        for time in [Int64(-5), 1_001] {
            let exchange = try #require(told([sending(query, [(time, answer(query))])]))
            #expect(exchange.result == .timeout && exchange.roundTrip == nil)
        }
    }

    @Test func `a flood is kept up to a limit, and the rest is counted`() async throws {
        try await withResponder { query in
            var stray = query.answer() + [UInt8](repeating: 0, count: 1_000)
            stray[1] ^= 1
            let strays = [ResponderAction](repeating: .reply(stray), count: 2_000)
            return strays + [.pause(.milliseconds(1)), .reply(query.answer())]
        } _: { responder in
            var asked = try Query(Question(name: DomainName("example.com"), type: .a))
            asked.keepsMessages = true
            let transport = try Carrier.udp.transport(to: responder.endpoint)
            let exchange = await transport.exchange(asked, timeout: .seconds(60))
            #expect(exchange.response != nil, "\(exchange.result)")
            let kept = exchange.messages.flatMap(\.responses).map(\.message.count)
            #expect((60_000...70_000).contains(kept.reduce(0, +)))
            // The kernel drops some messages when the socket's buffer is full.
            #expect(exchange.strays.wrongID > kept.count)
            let copy = try #require(
                Exchange(
                    of: exchange.messages,
                    exchange.facts(over: .udp),
                    over: .udp,
                    timeout: .seconds(60),
                    keepsData: false
                )
            )
            #expect(copy.strays == exchange.strays && copy.response == exchange.response)
        }
    }
}
