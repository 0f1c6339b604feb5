import Foundation
import Synchronization

/// A name server on a thread of this process. A script selects its actions for each query.
///
/// The server listens on one loopback port, over UDP and TCP.
package final class ScriptedResponder: Sendable {
    package typealias Script = @Sendable (ReceivedQuery) -> [ResponderAction]

    package let endpoint: SocketAddress

    private let received = Mutex<[ReceivedQuery]>([])
    private let stopper: Int32
    private let ended = DispatchSemaphore(value: 0)

    fileprivate init(
        address: String,
        port: UInt16?,
        onConnect: [ResponderAction],
        script: @escaping Script
    ) throws(ServerError) {
        let endpoint: SocketAddress
        if let port {
            endpoint = SocketAddress(address, port: port)
        } else {
            endpoint = SocketAddress(address, port: try Loopback.freePort())
        }
        self.endpoint = endpoint
        let udp = try LoopbackSocket.bound(.udp, to: endpoint)
        let tcp = try LoopbackSocket.bound(.tcp, to: endpoint)
        try tcp.listen()
        var ends: [Int32] = [0, 0]
        guard unsafe pipe(&ends) == 0 else { throw .system("pipe", SystemError.last) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        stopper = ends[1]
        let reader = ends[0]
        let loop = ResponderLoop(stop: reader, udp: udp, tcp: tcp, onConnect: onConnect) {
            [self] bytes, peer, transport in
            let query = received.withLock { queries in
                queries.append(
                    ReceivedQuery(
                        bytes: bytes,
                        peer: peer,
                        transport: transport,
                        ordinal: queries.count
                    )
                )
                return queries[queries.count - 1]
            }
            return script(query)
        }
        let handover = Mutex<ResponderLoop?>(loop)
        Thread.detachNewThread { [ended] in
            handover.withLock { $0.take() }?.run()
            ended.signal()
        }
    }

    /// The queries that the server has received so far, in order.
    package var queries: [ReceivedQuery] { received.withLock { $0 } }

    /// Stops the server. Its address is free afterwards.
    fileprivate func stop() {
        close(stopper)
        ended.wait()
    }
}

/// Runs `body` while a responder performs the actions of `script`.
///
/// Without `port`, the responder uses a free port. It performs `onConnect` on every TCP connection before the
/// first query.
package func withResponder<Result>(
    address: String = "127.0.0.1",
    port: UInt16? = nil,
    onConnect: [ResponderAction] = [],
    script: @escaping ScriptedResponder.Script,
    _ body: (ScriptedResponder) async throws -> Result
) async throws -> Result {
    let responder = try ScriptedResponder(
        address: address,
        port: port,
        onConnect: onConnect,
        script: script
    )
    defer { responder.stop() }
    return try await body(responder)
}
