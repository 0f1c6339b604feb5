import Catalogue
import DNSWire
import Servers
import Testing
import Transports

@Suite struct FloorTests {
    private static let loopback = IPAddress("127.0.0.1")

    private func handshake(
        _ port: UInt16,
        allowed: AllowedNetworks = .everywhere
    ) async throws -> Reach? {
        let address = try #require(Self.loopback)
        let endpoint = Endpoint(transport: .tcp, address: address, port: port)
        return await TCPHandshake(with: endpoint, allowed: allowed)
            .measure(timeout: .seconds(60))
    }

    private func floor(_ server: SocketAddress, _ allowed: AllowedNetworks) async throws
        -> NetworkRTT?
    {
        let address = try #require(IPAddress(server.address))
        let endpoint = Endpoint(transport: .udp, address: address, port: server.port)
        return await RTTProbe(of: endpoint, allowed: allowed).measure(gap: .milliseconds(1))
    }

    @Test func `the floor of dnsdist does not depend on its delay`() async throws {
        try await withServer(.unbound()) { backend in
            try await withServer(.dnsdist(delays: [60], backend: backend.endpoint)) { server in
                let reading = try #require(try await floor(server.endpoint, .everywhere))
                #expect(reading.port == server.endpoint.port)
                #expect(reading.handshakes == 3)
                #expect(reading.roundTrip > .zero)
                #expect(reading.roundTrip < .milliseconds(60))
            }
        }
    }

    @Test func `a refused connection is reported, and is not a floor`() async throws {
        let port = try Loopback.freePort()
        #expect(try await handshake(port) == .refused)
        #expect(try await floor(SocketAddress("127.0.0.1", port: port), .everywhere) == nil)
    }

    @Test(.timeLimit(.minutes(1)))
    func `a single handshake ignores the gap, and none begins after the end`() async throws {
        try await withResponder(script: { _ in [] }) { responder in
            let endpoint = try Endpoint(parsing: "\(responder.endpoint)")
            let probe = RTTProbe(of: endpoint, allowed: .everywhere)
            let reading = try #require(await probe.measure(handshakes: 1, gap: .seconds(3_600)))
            #expect(reading.handshakes == 1)
            let past = EventLoopClock().now.advanced(by: .seconds(-1))
            #expect(await probe.measure(gap: .zero, until: past) == nil)
        }
    }

    @Test func `connections outside the allowed networks are not opened`() async throws {
        let allowed = try AllowedNetworks(parsing: "::1/128")
        try await withResponder(script: { _ in [] }) { responder in
            let port = responder.endpoint.port
            #expect(try await handshake(port, allowed: allowed) == .blocked)
            #expect(try await floor(responder.endpoint, allowed) == nil)
            guard case .connected(let time) = try await handshake(port) else {
                Issue.record("not connected")
                return
            }
            #expect(time > .zero)
        }
    }

    @Test func `the measurement of the instrument itself uses kernel stamps`() async throws {
        let reading = try #require(
            await InstrumentProbe().measure(queries: 12, allowed: .everywhere)
        )
        #expect((1...12).contains(reading.roundTrips.count))
        #expect(reading.roundTrips.allSatisfy { $0 > .zero })
        #expect(reading.wakeLateness.count == 12)
        #expect(reading.errors.count == reading.roundTrips.count)
        #expect(reading.sendLateness.count == 11)
        #if os(Linux)
        #expect(reading.clocks == [.kernel: reading.roundTrips.count])
        #endif
        let elsewhere = try AllowedNetworks(parsing: "::1/128")
        #expect(await InstrumentProbe().measure(allowed: elsewhere) == nil)
    }
}
