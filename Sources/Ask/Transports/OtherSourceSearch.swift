import CSockets
package import Catalogue
package import DNSWire

/// Finds the answers that a connected socket hides: answers from an address or port other than the
/// resolver's (RFC 5452 §4.5).
///
/// After a resolver's first timeout over UDP, the search sends that query once more, from an
/// unconnected socket. This query is no sample. Only an answer to it shows where answers come from.
@EventLoopActor
package final class OtherSourceSearch {
    private let allowed: AllowedNetworks
    private var searches: [Endpoint: Task<FailureCause?, Never>] = [:]

    private static let longestWait = Duration.seconds(1)

    package nonisolated init(allowed: AllowedNetworks) { self.allowed = allowed }

    /// The cause of the timeout of a `query` to `endpoint`, if answers come from another address or port.
    /// `nil` otherwise, over other transports, or once the task is cancelled. Waits at most `timeout` or one
    /// second, whichever is shorter.
    package func cause(
        of query: Query,
        to endpoint: Endpoint,
        timeout: Duration
    ) async -> FailureCause? {
        guard endpoint.transport == .udp, allowed.allows(endpoint.address) else { return nil }
        let search =
            searches[endpoint]
            ?? Task {
                let source = try? await Self.source(
                    ofAnswersTo: query,
                    from: endpoint,
                    within: min(timeout, Self.longestWait)
                )
                DescriptorQueue.released()
                return source.map { FailureCause(.otherSource, $0.description) }
            }
        searches[endpoint] = search
        return await withTaskCancellationHandler {
            await search.value
        } onCancel: {
            search.cancel()
        }
    }

    /// The source of the answer to `query`. `nil` if the source is the resolver itself, or without an answer.
    private static func source(
        ofAnswersTo query: Query,
        from endpoint: Endpoint,
        within wait: Duration
    ) async throws(SystemError) -> Endpoint? {
        let address = SocketAddress(endpoint)
        let socket = try await Socket.open(.datagram, family: address.family)
        try address.prepare(socket.descriptor)
        let attempt = Attempt(query)
        let limit = TimeLimit(wait)
        let descriptor = socket.descriptor
        let sent = unsafe attempt.withMessage { unsafe address.send($0, from: descriptor) }
        guard sent >= 0 else { throw SystemError("sendto") }
        let token = try EventLoop.shared.open(socket, within: limit)
        defer { EventLoop.shared.close(token) }
        var waiting = ExchangeWait(token)
        while await waiting.goesOn(socket.budget, within: limit) {
            while let (count, source) = try unsafe socket.receiveWithSource(
                into: ReceiveBuffer.bytes
            ) {
                let reading = unsafe attempt.read(ReceiveBuffer.received(count))
                guard case .response = reading else { continue }
                let isOwn =
                    source.address.bytes == endpoint.address.bytes
                    && source.port == endpoint.port
                return isOwn ? nil : source
            }
        }
        return nil
    }
}
