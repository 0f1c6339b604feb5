import CSockets
import Catalogue
import DNSWire
import LibC
import Servers
import Testing

@testable import Transports

/// A datagram socket that serves several exchanges in turn. For other hosts, it is a new socket
/// each time.
struct DatagramSocketTests {
    @Test func `each query has its own port and ID`() async throws {
        try await withResponder {
            [.reply($0.answer())]
        } _: { responder in
            let transport = try Carrier.udp.transport(to: responder.endpoint)
            for _ in 0..<100 {
                let exchange = await transport.exchange(try query(), timeout: .seconds(60))
                #expect(exchange.response != nil, "\(exchange.result)")
                #expect(exchange.clock == .kernel)
                #expect(exchange.strays == Exchange.Strays())
            }
            // A few of 100 random values out of 28,232 may be equal. The probability of five is one
            // in a million.
            #expect(Set(responder.queries.map(\.peer.port)).count > 95)
            #expect(Set(responder.queries.map(\.id)).count > 95)
        }
    }

    @Test func `messages after an answer do not reach the next query`() async throws {
        try await withResponder { query in
            [.reply(query.answer()), .reply(query.answer()), .reply(query.answer())]
        } _: { responder in
            let transport = try Carrier.udp.transport(to: responder.endpoint)
            for _ in 0..<100 {
                let exchange = await transport.exchange(try query(), timeout: .seconds(60))
                #expect(exchange.response != nil, "\(exchange.result)")
                #expect(exchange.strays == Exchange.Strays())
            }
        }
    }

    @Test func `an error of a closed port does not reach the next query`() async throws {
        let closed = Servers.SocketAddress("127.0.0.1", port: try Loopback.freePort())
        try await withResponder {
            [.reply($0.answer())]
        } _: { responder in
            let silent = try Carrier.udp.transport(to: closed)
            let transport = try Carrier.udp.transport(to: responder.endpoint)
            for _ in 0..<10 {
                let refused = await silent.exchange(try query(), timeout: .seconds(60))
                #expect(refused.response == nil)
                let exchange = await transport.exchange(try query(), timeout: .seconds(60))
                #expect(exchange.response != nil, "\(exchange.result)")
            }
        }
    }

    @Test(arguments: [
        // The ARP request for the resolver got no answer.
        (own: "192.168.1.5", reporter: "192.168.1.5", code: EHOSTUNREACH, isNoRoute: true),
        ("2001:db8::5", "2001:db8::5", EHOSTUNREACH, true),
        // Errors of a router, of the resolver's machine, and of an unknown host.
        ("192.168.1.5", "192.168.1.1", EHOSTUNREACH, false),
        ("192.168.1.5", "198.51.100.53", EHOSTUNREACH, false),
        ("192.168.1.5", "", EHOSTUNREACH, false),
        // This machine has the resolver's address.
        ("198.51.100.53", "198.51.100.53", EHOSTUNREACH, false),
        ("192.168.1.5", "192.168.1.5", ECONNREFUSED, false),
    ])
    func `a query that never left this machine had no route`(
        own: String,
        reporter: String,
        code: Int32,
        isNoRoute: Bool
    ) throws {
        let octets = IPAddress(reporter)?.bytes ?? []
        var entry = cs_queue_entry()
        entry.kind = CS_QUEUED_ICMP_ERROR
        entry.error = code
        entry.sender_length = UInt32(octets.count)
        unsafe withUnsafeMutableBytes(of: &entry.sender) { unsafe $0.copyBytes(from: octets) }
        let error = entry.failure(at: IPAddress(own), to: IPAddress("198.51.100.53"))
        #expect(error.code == code && error.isNoRoute == isNoRoute)
    }

    @Test func `a socket reports the address of its peer`() throws {
        let address = Transports.SocketAddress(try Endpoint(parsing: "127.0.0.2:53"))
        let socket = try Socket(.datagram, family: address.family)
        try socket.connect(to: address)
        let peer = socket.peer
        #expect(peer == IPAddress("127.0.0.2"))
    }

    @Test func `the stamp of an earlier query is not used`() async throws {
        try await withResponder { _ in
            []
        } _: { responder in
            let address = try #require(IPAddress(responder.endpoint.address))
            let port = responder.endpoint.port
            let endpoint = Endpoint(transport: .udp, address: address, port: port)
            let (stamp, between) = try await Self.stampOfSecond(to: endpoint)
            #expect(try #require(stamp) > between)
        }
    }

    /// Sends two queries, and returns the send stamp of the second query and a moment between them.
    /// The stamp of the first query is still in the queue.
    @EventLoopActor
    private static func stampOfSecond(
        to endpoint: Endpoint
    ) async throws -> (stamp: Int64?, between: Int64) {
        let address = Transports.SocketAddress(endpoint)
        let datagrams = try await DatagramSocket.open(family: address.family, isPlain: false)
        defer { datagrams.close() }
        try datagrams.socket.connect(to: address)
        _ = try datagrams.send(Attempt(query()))
        let clocks = cs_read_clocks()
        let number = try datagrams.send(Attempt(query()))
        var exchange = Exchange(within: TimeLimit(.seconds(60)))
        exchange.stamps = Stamps(sentAt: clocks)
        try datagrams.socket.takeQueued(&exchange, of: number)
        return (exchange.stamps?.kernelSent, clocks.realtime)
    }

    @Test func `idle connections are closed when descriptors run out`() async throws {
        try await withResponder {
            [.reply($0.answer())]
        } _: { responder in
            let transport = try Carrier.udp.transport(to: responder.endpoint)
            _ = await transport.exchange(try query(), timeout: .seconds(60))
            await Self.closeAll()
            let exchange = await transport.exchange(try query(), timeout: .seconds(60))
            #expect(exchange.response != nil, "\(exchange.result)")
        }
    }

    @EventLoopActor
    private static func closeAll() {
        _ = DatagramSocket.closeIdle()
        #expect(!DatagramSocket.closeIdle())
    }
}
