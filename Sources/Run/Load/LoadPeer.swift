package import Catalogue
package import Failures
import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization

/// The other end of a load: a server that sends and receives data without meaning, over HTTP/1.1.
///
/// `GET /download` sends without an end, and `POST /upload` discards its body.
package struct LoadPeer: Sendable {
    package static let usualPort: UInt16 = 8054
    package static let download = "/download"
    package static let upload = "/upload"

    private let address: IPAddress
    private let port: UInt16
    private let allowed: AllowedNetworks
    private let budget: PeerBudget

    /// A server on `address`, for clients within `allowed`. It refuses requests after `limit`.
    package init(
        at address: IPAddress,
        port: UInt16,
        for allowed: AllowedNetworks,
        limit: ByteCount
    ) {
        (self.address, self.port, self.allowed) = (address, port, allowed)
        budget = PeerBudget(limit: limit.bytes)
    }

    /// Serves until the task is cancelled. Calls `begin` with host and port as soon as the server accepts
    /// requests. Returns the bytes of all bodies.
    package func run(_ begin: (_ place: String) -> Void) async throws(Failure) -> ByteCount {
        let channel: any Channel
        do {
            channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                .childChannelInitializer { [allowed, budget] channel in
                    channel.eventLoop.makeCompletedFuture {
                        let operations = channel.pipeline.syncOperations
                        try operations.configureHTTPServerPipeline(withErrorHandling: true)
                        try operations.addHandler(PeerHandler(for: allowed, budget))
                    }
                }
                .bind(host: address.description, port: Int(port)).get()
        } catch {
            throw .listening(at: "\(address) port \(port)", error, (error as? IOError)?.errnoCode)
        }
        let bound = channel.localAddress?.port ?? Int(port)
        begin("\(address.bracketed):\(bound)")
        await withTaskCancellationHandler {
            try? await channel.closeFuture.get()
        } onCancel: {
            channel.close(promise: nil)
        }
        return ByteCount(budget.used)
    }
}

/// The bytes and the connections of a peer, which are bounded because anybody may connect.
private final class PeerBudget: Sendable {
    private static let mostConnections = 64

    private let limit: Int64
    private let state = Mutex((used: Int64(0), connections: 0))

    init(limit: Int64) { self.limit = limit }

    var used: Int64 { state.withLock(\.used) }

    /// Counts a new connection. Returns `false` if there is no room for it.
    func open() -> Bool {
        state.withLock { state in
            state.connections += 1
            return state.connections <= Self.mostConnections
        }
    }

    func close() { state.withLock { $0.connections -= 1 } }

    /// Counts bytes. Returns `false` once the limit is reached.
    func spend(_ bytes: Int) -> Bool {
        state.withLock { state in
            state.used += Int64(bytes)
            return state.used < limit
        }
    }

    var isOver: Bool { state.withLock { $0.used >= limit } }
}

/// One connection of a client to a peer.
private final class PeerHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    /// The longest time of a connection. A load of longer runs opens others.
    private static let longest = TimeAmount.seconds(120)
    private static let pieceSize = 64 * 1024

    private let allowed: AllowedNetworks
    private let budget: PeerBudget
    private var piece: ByteBuffer?
    private var isSending = false
    /// Whether the body of a request is to be received.
    private var takesBody = false
    private var end: Scheduled<Void>?

    init(for allowed: AllowedNetworks, _ budget: PeerBudget) {
        (self.allowed, self.budget) = (allowed, budget)
    }

    func channelActive(context: ChannelHandlerContext) {
        let client = context.remoteAddress?.ipAddress.flatMap { IPAddress($0)?.unmapped }
        let isWanted = client.map(allowed.allows) ?? false
        guard budget.open(), isWanted else { return context.close(promise: nil) }
        end = context.eventLoop.scheduleTask(in: Self.longest) { [channel = context.channel] in
            channel.close(promise: nil)
        }
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        budget.close()
        end?.cancel()
        isSending = false
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head): begin(head, context)
        case .body(let bytes):
            if takesBody, !budget.spend(bytes.readableBytes) { context.close(promise: nil) }
        case .end:
            guard takesBody else { return }
            takesBody = false
            reply(.ok, "", context)
        }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        send(context)
        context.fireChannelWritabilityChanged()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    private func begin(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
        let path = head.uri.prefix { $0 != "?" }
        guard !budget.isOver else {
            return reply(.serviceUnavailable, "The limit of bytes is reached.\n", context)
        }
        switch (head.method, path) {
        case (.GET, LoadPeer.download[...]):
            var fields = HTTPHeaders()
            fields.add(name: "content-type", value: "application/octet-stream")
            fields.add(name: "cache-control", value: "no-store")
            context.write(
                wrapOutboundOut(.head(.init(version: .http1_1, status: .ok, headers: fields))),
                promise: nil
            )
            isSending = true
            send(context)
        case (.POST, LoadPeer.upload[...]), (.PUT, LoadPeer.upload[...]): takesBody = true
        default:
            let paths = "GET \(LoadPeer.download) and POST \(LoadPeer.upload)"
            reply(.notFound, "Here are \(paths), for dnstempo compare --load-peer.\n", context)
        }
    }

    /// Sends as long as there is room.
    private func send(_ context: ChannelHandlerContext) {
        guard isSending else { return }
        let piece = piece ?? noise(context)
        self.piece = piece
        while isSending, context.channel.isWritable {
            guard budget.spend(piece.readableBytes) else { return context.close(promise: nil) }
            context.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(piece))), promise: nil)
        }
    }

    /// Data that no device on the path can compress.
    private func noise(_ context: ChannelHandlerContext) -> ByteBuffer {
        var random = SystemRandomNumberGenerator()
        var noise = context.channel.allocator.buffer(capacity: Self.pieceSize)
        for _ in 0..<(Self.pieceSize / 8) { noise.writeInteger(random.next()) }
        return noise
    }

    private func reply(
        _ status: HTTPResponseStatus,
        _ text: String,
        _ context: ChannelHandlerContext
    ) {
        var fields = HTTPHeaders()
        fields.add(name: "content-type", value: "text/plain; charset=utf-8")
        fields.add(name: "content-length", value: "\(text.utf8.count)")
        let head = HTTPResponseHead(version: .http1_1, status: status, headers: fields)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        if !text.isEmpty {
            context.write(
                wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: text)))),
                promise: nil
            )
        }
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }
}
