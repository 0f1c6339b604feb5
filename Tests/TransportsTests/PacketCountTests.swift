import Catalogue
import DNSWire
import Servers
import Testing

@testable import Transports

/// The bytes and packets of a query, compared with a packet capture.
@Suite(.enabled(if: PacketCapture.isPermitted, "capturing packets takes the rights of root"))
struct PacketCountTests {
    private func countedQuery() throws -> Query {
        var query = try query()
        query.countsPackets = true
        return query
    }

    /// Whether packets in a row have this number and these sizes in each direction. The count ends at the
    /// moment of reading, which the capture does not show. On a busy machine, an acknowledgement without data
    /// may be processed after later packets, and is then not counted yet.
    private func contains(
        _ count: PacketCount,
        in packets: [CapturedPacket],
        of port: UInt16,
        fromStart: Bool
    ) -> Bool {
        func runs(_ isOut: Bool, of bytes: UInt32) -> Set<Int> {
            let part = packets.filter { ($0.destination.port == port) == isOut }
            var counts: Set<Int> = []
            for start in fromStart ? 0..<min(1, part.count) : part.indices {
                var (sum, acknowledgements) = (0, 0)
                for (index, packet) in part[start...].enumerated() {
                    sum += packet.size
                    if packet.payload.isEmpty { acknowledgements += 1 }
                    let size = part.filter(\.payload.isEmpty).map(\.size).min() ?? 1
                    let (late, rest) = (sum - Int(bytes)).quotientAndRemainder(dividingBy: size)
                    if late >= 0, rest == 0, late <= acknowledgements {
                        counts.insert(index + 1 - late)
                    }
                }
            }
            return bytes == 0 ? counts.union([0]) : counts
        }
        let received = runs(false, of: count.bytesIn)
        return runs(true, of: count.bytesOut).contains { out in
            received.contains { out + $0 == Int(count.packets) }
        }
    }

    /// The packets of the connection that carried the last data. The capture may also have the end of the
    /// connection that found the server ready.
    private func ofLastConnection(_ packets: [CapturedPacket], to port: UInt16) -> [CapturedPacket]
    {
        func client(_ packet: CapturedPacket) -> UInt16 {
            packet.destination.port == port ? packet.source.port : packet.destination.port
        }
        guard let last = packets.last(where: { !$0.payload.isEmpty }) else { return packets }
        return packets.filter { client($0) == client(last) }
    }

    private func expectCapture(
        _ transport: any Transport,
        to port: UInt16,
        queries: Int
    ) async throws {
        try await withPacketCapture(ports: [port]) { capture in
            for number in 0..<queries {
                let exchange = await transport.exchange(try countedQuery(), timeout: .seconds(60))
                #expect(exchange.response?.addresses == [[192, 0, 2, 1]], "\(exchange.result)")
                let packets = ofLastConnection(try await capture.packets(), to: port)
                let sizes = packets.map { ($0.destination.port == port, $0.size) }
                // On a busy machine, an end may send data twice. The count is then unknown or inexact.
                let contents = packets.map(\.payload).filter { !$0.isEmpty }
                guard contents.count == Set(contents).count else { return }
                let count = try #require(exchange.packets)
                #expect(
                    contains(count, in: packets, of: port, fromStart: number == 0),
                    "\(count) in \(sizes)"
                )
            }
        }
    }

    @Test(arguments: [Carrier.udp, .tcp])
    func `packets of plain queries equal the capture`(carrier: Carrier) async throws {
        try await withServer(.unbound()) { server in
            let transport = try carrier.transport(to: server.endpoint)
            try await expectCapture(transport, to: server.port, queries: 1)
        }
    }

    @Test(arguments: Encryption.allCases, ConnectionPolicy.allCases)
    func `packets of encrypted queries equal the capture`(
        encryption: Encryption,
        policy: ConnectionPolicy
    ) async throws {
        let (folder, authority, certificate) = try await ThrowawayAuthority.certified()
        try await encryption.withServer(certificate, log: folder.file("log")) { server in
            let transport = try encryption.transport(to: server.port, authority.root, .post, policy)
            try await expectCapture(transport, to: server.port, queries: policy == .reuse ? 3 : 1)
        }
    }

    @Test func `packets of queries at the same time are unknown`() async throws {
        let (folder, authority, certificate) = try await ThrowawayAuthority.certified()
        try await Encryption.tls.withServer(certificate, log: folder.file("log")) { server in
            let transport = try Encryption.tls.transport(to: server.port, authority.root)
            let asked = try countedQuery()
            let counts = await withTaskGroup { group in
                for _ in 0..<2 {
                    group.addTask(executorPreference: EventLoop.shared) {
                        await transport.exchange(asked, timeout: .seconds(30)).packets
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(counts == [nil, nil])
            #expect(await transport.exchange(asked, timeout: .seconds(30)).packets != nil)
        }
    }

    @Test func `packets are not counted unless requested`() async throws {
        try await withServer(.unbound()) { server in
            for carrier in [Carrier.udp, .tcp] {
                let transport = try carrier.transport(to: server.endpoint)
                #expect(await transport.exchange(try query(), timeout: .seconds(60)).packets == nil)
            }
        }
    }
}
