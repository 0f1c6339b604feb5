import CSockets
import Catalogue
package import DNSWire

/// Finds whether a path loses large packets without a report by ICMP (RFC 2923 §2.1), after the server was
/// silent during a handshake.
///
/// The search makes a few handshakes with smaller segments, or over QUIC it sends a few datagrams that need no
/// handshake. It runs once per endpoint, one attempt after the other. Its packets are no samples.
@EventLoopActor
package final class PacketSizeSearch {
    private let gap: Duration
    private var searches: [Endpoint: Task<FailureCause?, Never>] = [:]

    /// The sizes of the content of TCP or UDP in bytes: from the smallest size that QUIC requires (RFC 9000
    /// §14) to that of a path with PPPoE.
    private static let ladder = [1_200, 1_232, 1_280, 1_320, 1_360, 1_400, 1_420, 1_436, 1_452]
    /// The size of the content in the largest packet of Ethernet (1,500 bytes), with IPv4.
    private static let whole = 1_460
    private static let longestWait = Duration.seconds(2)

    /// Attempts begin at least `gap` apart.
    package nonisolated init(gap: Duration) { self.gap = gap }

    /// The cause of the silence of the server of `transport`, which a query had as its `fault`; `nil` if it is
    /// not the size of packets, or once the task is cancelled.
    package func cause(
        of fault: FailureCause?,
        over transport: EncryptedTransport,
        timeout: Duration
    ) async -> FailureCause? {
        guard fault?.kind == .silence, transport.isAllowed else { return nil }
        let isOverTCP = [.tls, .https].contains(transport.endpoint.transport)
        // Packets of a TCP connect are small.
        guard !isOverTCP || fault?.value == "handshake" else { return nil }
        let endpoint = transport.endpoint
        let limit = min(timeout, Self.longestWait)
        let search =
            searches[endpoint]
            ?? Task {
                await self.largest { size in
                    isOverTCP
                        ? await transport.opens(withSegments: size, within: limit)
                        : await QUICProbe(to: endpoint).answers(size, within: limit)
                }.map { size in
                    let header = (isOverTCP ? 20 : 8) + (endpoint.address.family == .v4 ? 20 : 40)
                    return FailureCause(.mtu, "\(size + header)")
                }
            }
        searches[endpoint] = search
        return await withTaskCancellationHandler {
            await search.value
        } onCancel: {
            search.cancel()
        }
    }

    /// The largest size of the ladder that passes, if it is smaller than the whole size.
    private func largest(_ passes: (Int) async -> Bool) async -> Int? {
        guard await !passes(Self.whole), await isTurn(), await passes(Self.ladder[0]) else {
            return nil
        }
        var (good, bad) = (0, Self.ladder.count)
        while bad - good > 1, await isTurn() {
            let middle = (good + bad) / 2
            if await passes(Self.ladder[middle]) { good = middle } else { bad = middle }
        }
        return Task.isCancelled ? nil : Self.ladder[good]
    }

    /// Waits until the next attempt may begin. Returns `false` if the task is cancelled.
    private func isTurn() async -> Bool {
        let next = EventLoopClock().now.advanced(by: gap)
        try? await EventLoopClock().sleep(until: next, tolerance: nil)
        return !Task.isCancelled
    }
}

/// A datagram that each server of QUIC answers without a handshake: an unknown version requires a packet with
/// the server's versions (RFC 9000 §6.1).
private struct QUICProbe {
    private let address: SocketAddress
    /// One lost datagram is no reason for a smaller size.
    private static let attempts = 2

    init(to endpoint: Endpoint) { address = SocketAddress(endpoint) }

    /// Whether the server answers a datagram with `size` bytes that may not be fragmented.
    @EventLoopActor
    func answers(_ size: Int, within limit: Duration) async -> Bool {
        for _ in 0..<Self.attempts {
            if (try? await answersOnce(size, within: TimeLimit(limit / Self.attempts))) == true {
                return true
            }
        }
        return false
    }

    @EventLoopActor
    private func answersOnce(
        _ size: Int,
        within limit: TimeLimit
    ) async throws(SystemError) -> Bool {
        let socket = try await Socket.open(.datagram, family: address.family)
        defer { DescriptorQueue.released() }
        socket.ignorePathMTU(family: address.family, allowingFragments: false)
        try socket.connect(to: address)
        let source = (0..<8).map { _ in UInt8.random(in: 0...255) }
        // A long header, a reserved version (§15), the two connection IDs, and padding.
        var datagram: [UInt8] = [0xc0, 0x1a, 0x2a, 0x3a, 0x4a, 8]
        datagram += (0..<8).map { _ in UInt8.random(in: 0...255) } + [8] + source
        datagram += [UInt8](repeating: 0, count: size - datagram.count)
        let descriptor = socket.descriptor
        _ = try unsafe datagram.withUnsafeBytes {
            unsafe Socket.sendDatagram($0, to: descriptor)
        }.get()
        let token = try EventLoop.shared.open(socket, within: limit)
        defer { EventLoop.shared.close(token) }
        var waiting = ExchangeWait(token)
        while await waiting.goesOn(socket.budget, within: limit) {
            while let received = try unsafe socket.receive(into: ReceiveBuffer.bytes) {
                let answer = unsafe [UInt8](ReceiveBuffer.received(received.count))
                // Version 0, and the client's own connection ID (RFC 9000 §17.2.1).
                let head = [0, 0, 0, 0, 8] + source
                if answer.count > 14, answer[0] & 0x80 != 0, Array(answer[1..<14]) == head {
                    return true
                }
            }
        }
        return false
    }
}
