import Catalogue
import DNSWire
import Servers
import Testing

@testable import Transports

/// Traces that end on this machine. Traces through routers are tested with `watch --trace`.
@Suite struct PathProbeTests {
    private func trace(
        _ address: String,
        _ port: UInt16,
        from source: String? = nil,
        timeout: Duration = .seconds(60),
        allowed: AllowedNetworks = .everywhere
    ) async throws -> PathTrace? {
        let address = try #require(IPAddress(address))
        let probe = PathProbe(
            to: Endpoint(
                transport: .udp,
                address: address,
                port: port,
                source: try source.map(QuerySource.init(parsing:))
            ),
            allowed: allowed
        )
        var options = QueryOptions()
        options.nsid = true
        return await probe.trace(
            try query("www.example.com", options),
            gap: .zero,
            timeout: timeout
        )
    }

    #if os(Linux)
    @Test(arguments: ["127.0.0.1", "::1"])
    func `a resolver on this machine is one hop away`(address: String) async throws {
        #expect(PathProbe.isSupported)
        guard address == "127.0.0.1" || Loopback.hasIPv6 else { return }
        try await withResponder(address: address) {
            [.reply($0.answer(option: 3, Array("a\u{1B}1".utf8)))]
        } _: { responder in
            let found = try #require(try await trace(address, responder.endpoint.port))
            #expect(found.end == .answered)
            #expect(found.hops.map { $0?.address.description } == [address])
            let trip = try #require(found.lastRoundTrip)
            #expect(trip > .zero)
            // The identifier is escaped, because it may contain any bytes.
            #expect(found.site == "a\\0271")
            #expect(responder.queries.count == 1)
        }
    }

    @Test(arguments: ["127.0.0.1", "::1"])
    func `a closed port is reported with the resolver's address`(address: String) async throws {
        guard address == "127.0.0.1" || Loopback.hasIPv6 else { return }
        let found = try #require(try await trace(address, try Loopback.freePort()))
        #expect(found.end == .closed)
        #expect(found.hops.map { $0?.address.description } == [address])
        #expect(found.site == nil)
    }

    @Test func `a trace ends after five silent hops, each queried twice`() async throws {
        try await withResponder { _ in
            []
        } _: { responder in
            let port = responder.endpoint.port
            let found = try await trace("127.0.0.1", port, timeout: .milliseconds(20))
            #expect(found == PathTrace(hops: [nil, nil, nil, nil, nil], end: .silent))
            #expect(try await eventually { responder.queries.count >= 10 })
            #expect(responder.queries.count == 10)
            // All queries leave from one port, so that all take the same path.
            #expect(Set(responder.queries.map(\.peer)).count == 1)
        }
    }

    @Test func `a trace uses the source address`() async throws {
        try await withResponder {
            [.reply($0.answer())]
        } _: { responder in
            let port = responder.endpoint.port
            let found = try await trace("127.0.0.1", port, from: "127.0.0.2")
            #expect(found?.end == .answered)
            #expect(responder.queries.map(\.peer.address) == ["127.0.0.2"])
        }
    }

    @Test func `a late answer belongs to its own hop`() async throws {
        try await withResponder {
            [.pause(.milliseconds(600)), .reply($0.answer())]
        } _: { responder in
            let port = responder.endpoint.port
            let found = try await trace("127.0.0.1", port, timeout: .milliseconds(400))
            #expect(found?.end == .answered && found?.hops.count == 1)
            let trip = try #require(found?.lastRoundTrip)
            #expect(trip >= .milliseconds(600))
        }
    }

    @Test(.enabled(if: ICMPError.isPermitted, "sending ICMP errors takes the rights of root"))
    func `an error that quotes nothing or another query does not end a trace`() async throws {
        try await withResponder { query in
            [
                .report(ICMPError(quoting: [query.bytes[0] ^ 0xff] + query.bytes.dropFirst())),
                .report(ICMPError(.hostUnreachable, quoting: [], from: "127.0.0.9")),
                .report(ICMPError(quoting: [])), .reply(query.answer()),
            ]
        } _: { responder in
            let found = try await trace("127.0.0.1", responder.endpoint.port)
            #expect(found?.end == .answered && found?.hops.count == 1)
        }
    }

    @Test(.enabled(if: ICMPError.isPermitted, "sending ICMP errors takes the rights of root"))
    func `an error without a quote ends the trace if no answer follows`() async throws {
        try await withResponder { query in
            query.ordinal == 0 ? [.report(ICMPError(quoting: []))] : []
        } _: { responder in
            let port = responder.endpoint.port
            let found = try await trace("127.0.0.1", port, timeout: .milliseconds(20))
            #expect(found?.end == .closed)
            #expect(found?.hops.map { $0?.address.description } == ["127.0.0.1"])
        }
    }

    @Test func `a trace that is cancelled ends at once`() async throws {
        try await withResponder { _ in
            []
        } _: { responder in
            let port = responder.endpoint.port
            let tracing = Task { try await trace("127.0.0.1", port, timeout: .seconds(3600)) }
            #expect(try await eventually { responder.queries.count == 1 })
            tracing.cancel()
            let found = try await tracing.value
            #expect(found == nil)
        }
    }
    #endif

    @Test func `nothing is sent outside the allowed networks`() async throws {
        try await withResponder { _ in
            []
        } _: { responder in
            let allowed = try AllowedNetworks(parsing: "::1/128")
            let port = responder.endpoint.port
            #expect(try await trace("127.0.0.1", port, allowed: allowed) == nil)
            #expect(responder.queries.isEmpty)
        }
    }
}
