import Catalogue
import NIOCore
import NIOHTTP1

/// One client's connection. Requests are answered one after the other (HTTP/1.1, RFC 9112).
struct HTTPConnection: Sendable {
    typealias Stream = NIOAsyncChannel<HTTPServerRequestPart, HTTPServerResponsePart>
    private typealias Writer = NIOAsyncChannelOutboundWriter<HTTPServerResponsePart>

    private let stream: Stream
    private let connections: OpenConnections
    private var channel: any Channel { stream.channel }

    /// Takes over `channel`. Call it in the channel's event loop.
    init(_ channel: any Channel, among connections: OpenConnections) throws {
        self.connections = connections
        connections.add(channel)
        var limits = NIOHTTPDecoderLimitConfiguration()
        limits.maxHeaderFieldSize = RequestLimits.headSize
        limits.maxHeaderListSize = RequestLimits.headSize
        limits.maxHeaderFieldCount = RequestLimits.headerFields
        let record = RequestRecord(in: connections)
        // The handlers equal NIO's own for servers, with one addition: data after an upgrade request is
        // bounded too. The decoder leaves such data to another handler.
        let decoder = HTTPRequestDecoder(limitConfiguration: limits)
        try channel.pipeline.syncOperations.addHandlers([
            HTTPResponseEncoder(),
            ByteToMessageHandler(decoder, maximumBufferSize: RequestLimits.unreadSize),
            NIOHTTPResponseHeadersValidator(), record,
        ])
        stream = try Stream(
            wrappingChannelSynchronously: channel,
            configuration: .init(isOutboundHalfClosureEnabled: true)
        )
        record.stream = stream
    }

    /// Answers requests until the client leaves, waits too long, or must make room for others.
    func serve(_ dashboard: Dashboard) async {
        // A broken connection is not an error.
        try? await stream.executeThenClose { inbound, outbound in
            var isKept = true
            var limit = closing(after: RequestLimits.headTime)
            defer { limit.cancel() }
            do {
                for try await part in inbound {
                    guard isKept, case .head(let request) = part else { continue }
                    limit.cancel()
                    // No request may have a body. It is rejected before any of the body is read.
                    let reply =
                        request.announcesBody
                        ? Reply.bodyRefused : await dashboard.reply(to: request, at: place)
                    isKept =
                        request.isKeepAlive && !request.isForMore && !connections.isEnding
                    try await write(reply, to: request, isLast: !isKept, outbound)
                    // A long answer may end after the server began to shut down.
                    isKept = isKept && !connections.isEnding
                    limit = closing(
                        after: request.isForMore
                            ? RequestLimits.farewell : RequestLimits.headTime
                    )
                    if !isKept { outbound.finish() }
                }
            } catch is HTTPParserError where isKept {
                limit.cancel()
                limit = closing(after: RequestLimits.farewell)
                try await write(.noRequest, to: nil, isLast: true, outbound)
            }
            // An immediate close would lose the rest of the answer if the client is still sending.
            outbound.finish()
            try await channel.closeFuture.get()
        }
    }

    private func write(
        _ reply: Reply,
        to request: HTTPRequestHead?,
        isLast: Bool,
        _ outbound: Writer
    ) async throws {
        let head = reply.head(request?.version ?? .http1_1, isLast: isLast)
        try await hand(.head(head), to: outbound)
        if request?.method != .HEAD {
            var rest = ByteBuffer(string: reply.text)
            while rest.readableBytes > 0 {
                let length = min(rest.readableBytes, RequestLimits.pieceSize)
                guard let piece = rest.readSlice(length: length) else { break }
                try await hand(.body(.byteBuffer(piece)), to: outbound)
            }
            if let events = reply.events {
                // Elsewhere, a client that half-closes still gets its answer. An endless stream of events
                // would keep such a connection. The place of a client that has gone is freed at once, not
                // only at the next event.
                try await channel.setOption(.allowRemoteHalfClosure, value: false).get()
                channel.closeFuture.whenComplete { _ in events.continuation.finish() }
                for await event in events.stream {
                    try await hand(.body(.byteBuffer(ByteBuffer(string: event))), to: outbound)
                }
            }
        }
        try await hand(.end(nil), to: outbound)
    }

    /// Waits until there is room for `part`, up to a limit, because the wait blocks other clients.
    private func hand(_ part: HTTPServerResponsePart, to outbound: Writer) async throws {
        let limit = closing(after: RequestLimits.answerTime)
        defer { limit.cancel() }
        try await outbound.write(part)
    }

    /// Closes the connection after `time`, unless it is cancelled earlier.
    private func closing(after time: TimeAmount) -> Scheduled<Void> {
        channel.eventLoop.scheduleTask(in: time) { [channel] in channel.close(promise: nil) }
    }

    private var place: AccessMiddleware.Place? {
        guard let local = channel.localAddress, let port = local.port,
            let address = local.ipAddress.flatMap({ IPAddress($0) })
        else { return nil }
        return AccessMiddleware.Place(address: address, port: UInt16(clamping: port))
    }
}

extension HTTPRequestHead {
    /// Whether the data after this head is not another request.
    fileprivate var isForMore: Bool {
        announcesBody || method == .CONNECT || headers.contains(name: "Upgrade")
    }

    fileprivate var announcesBody: Bool {
        headers.contains(name: "Transfer-Encoding")
            || headers["Content-Length"].contains { $0 != "0" }
    }
}

/// Reports requests and answers to ``OpenConnections`` on arrival and departure, before other code handles
/// them.
private final class RequestRecord: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart

    /// The stream, held until the channel is closed. A connection accepted while the listener closes has no
    /// handler, and NIO ends the program if an open stream is released (apple/swift-nio#2813).
    var stream: HTTPConnection.Stream?
    private let connections: OpenConnections

    init(in connections: OpenConnections) { self.connections = connections }

    func handlerRemoved(context: ChannelHandlerContext) { stream = nil }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .head = unwrapInboundIn(data) {
            connections.note(context.channel, requests: 1, isQuiet: false)
        }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let isLast = if case .end = unwrapOutboundIn(data) { true } else { false }
        // An answer in progress waits for its reader, and an answered request waits for the next request.
        connections.note(context.channel, requests: isLast ? -1 : 0, isQuiet: true)
        context.write(data, promise: promise)
    }
}
