import CSockets
import Catalogue
import DNSWire
import LibC
import Servers
import Testing

@testable import Transports

/// Exchanges that are pending while the event loop stops for longer than their timeout.
@Suite(.serialized, .timeLimit(.minutes(5))) struct StandstillTests {
    /// A transport to a server.
    private struct Way {
        var name: String
        var transport: any Transport
        var server: RunningServer
        var isEncrypted = true
    }

    /// Long enough for a handshake on a busy machine.
    private static let timeout = Duration.seconds(3)

    @Test func `an answer that arrived during a stop has the time of its stamps`() async throws {
        try await withWays { ways in
            var exchanges: [Exchange] = []
            // On a busy machine, a server may not answer in time. Then all queries are sent again.
            for _ in 0..<3
            where exchanges.isEmpty || exchanges.contains(where: { $0.response == nil }) {
                exchanges = try await self.exchanges(over: ways) {
                    Self.standStill(for: 3_500_000_000)
                }
            }
            for (way, exchange) in zip(ways, exchanges) {
                #expect(exchange.response != nil, "\(way.name): \(exchange.result)")
                #expect(exchange.clock == .kernel, "\(way.name)")
                try expectPlausible(exchange, way)
                // A handshake time of zero would count as no handshake.
                if way.isEncrypted, way.name.hasSuffix("fresh") {
                    #expect(exchange.handshake ?? .zero > .zero, "\(way.name)")
                }
            }
        }
    }

    @Test func `a handshake time longer than the timeout is limited to the timeout`() {
        var exchange = Exchange(within: TimeLimit(Self.timeout))
        exchange.handshake = .seconds(3.5)
        #expect(exchange.handshake == Self.timeout)
        exchange.handshake = nil
        #expect(exchange.handshake == nil)
    }

    @Test func `an answer that arrived too late during a stop is a timeout`() async throws {
        try await withWays { ways in
            let servers = ways.map(\.server.process)
            for server in servers { server.pause() }
            let exchanges = try await exchanges(over: ways) {
                Self.standStill(for: 3_200_000_000)
                for server in servers { server.send(signal: SIGCONT) }
                Self.standStill(for: 600_000_000)
            }
            for (way, exchange) in zip(ways, exchanges) where !way.name.hasSuffix("fresh") {
                guard case .timeout = exchange.result else {
                    Issue.record("\(way.name): \(exchange.result)")
                    continue
                }
                #expect(exchange.roundTrip == nil, "\(way.name)")
                try expectPlausible(exchange, way)
            }
        }
    }

    /// Expects that no time of the exchange is negative or longer than the timeout.
    private func expectPlausible(_ exchange: Exchange, _ way: Way) throws {
        let times = [exchange.roundTrip, exchange.connect, exchange.handshake, exchange.truncated]
        for time in times.compactMap(\.self) {
            #expect(time >= .zero && time <= Self.timeout, "\(way.name): \(time)")
        }
    }

    /// Sends a query over each of `ways`. `pause` runs after all exchanges have begun.
    private func exchanges(
        over ways: [Way],
        _ pause: @escaping @EventLoopActor @Sendable () -> Void
    ) async throws -> [Exchange] {
        let query = try query()
        // One job starts all exchanges, and the next job is the pause.
        let tasks = await Task { @EventLoopActor in
            ways.map { way in
                Task { @EventLoopActor in
                    await way.transport.exchange(query, timeout: Self.timeout)
                }
            }
        }.value
        await Task { @EventLoopActor in pause() }.value
        var exchanges: [Exchange] = []
        for task in tasks { exchanges.append(await task.value) }
        return exchanges
    }

    /// Blocks the event loop's thread, like a stopped process.
    @EventLoopActor
    private static func standStill(for nanoseconds: Int64) {
        let end = cs_monotonic() + nanoseconds
        while cs_monotonic() < end { usleep(10_000) }
    }

    /// Runs `body` with all plain and all encrypted transports. Encrypted transports are tested
    /// with existing and with new connections.
    private func withWays(_ body: ([Way]) async throws -> Void) async throws {
        let (_, authority, certificate) = try await ThrowawayAuthority.certified()
        try await withServer(.unbound()) { server in
            let plain = try Carrier.allCases.map { carrier in
                let transport = try carrier.transport(to: server.endpoint)
                // Over TCP, each query opens a connection.
                let name = carrier == .udp ? "udp" : "tcp fresh"
                return Way(name: name, transport: transport, server: server, isEncrypted: false)
            }
            try await withWays(plain, and: Encryption.allCases[...], authority, certificate, body)
        }
    }

    private func withWays(
        _ ways: [Way],
        and encryptions: ArraySlice<Encryption>,
        _ authority: ThrowawayAuthority,
        _ certificate: Certificate,
        _ body: ([Way]) async throws -> Void
    ) async throws {
        guard let encryption = encryptions.first else { return try await body(ways) }
        let rest = encryptions.dropFirst()
        try await encryption.withServer(certificate, log: "/dev/null") { server in
            var ways = ways
            for connections in [ConnectionPolicy.reuse, .fresh] {
                let way = try encryption.transport(
                    to: server.port,
                    .file(authority.root),
                    connections
                )
                let first = await way.exchange(try query(), timeout: .seconds(60))
                #expect(first.response != nil, "\(encryption): \(first.result)")
                let name = connections == .fresh ? "\(encryption) fresh" : "\(encryption)"
                ways.append(Way(name: name, transport: way, server: server))
            }
            try await withWays(ways, and: rest, authority, certificate, body)
        }
    }
}
