import Catalogue
import NIOCore
import NIOHTTP1

/// One client's connection: requests are answered one after the other (HTTP/1.1, RFC 9112).
struct HTTPConnection: Sendable {
    typealias Stream = NIOAsyncChannel<HTTPServerRequestPart, HTTPServerResponsePart>
    private typealias Writer = NIOAsyncChannelOutboundWriter<HTTPServerResponsePart>

    private let stream: Stream
    private let connections: OpenConnections
    private var channel: any Channel { stream.channel }

    /// Takes over `channel`, in its event loop.
    init(_ channel: any Channel, among connections: OpenConnections) throws {
        self.connections = connections
        connections.add(channel)
        var limits = NIOHTTPDecoderLimitConfiguration()
        limits.maxHeaderFieldSize = RequestLimits.headSize
        limits.maxHeaderListSize = RequestLimits.headSize
        limits.maxHeaderFieldCount = RequestLimits.headerFields
        let record = RequestRecord(in: connections)
        // As NIO's own for servers, but that what follows a request for another protocol, which the
        // decoder leaves for somebody else, is bounded too.
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

    /// Answers until the other end goes, waits for too long, or is to make room.
    func serve(_ dashboard: Dashboard) async {
        // That a connection breaks off is nobody's error.
        try? await stream.executeThenClose { inbound, outbound in
            var isKept = true
            var limit = closing(after: RequestLimits.headTime)
            defer { limit.cancel() }
            do {
                for try await part in inbound {
                    guard isKept, case .head(let request) = part else { continue }
                    limit.cancel()
                    // Nothing here takes a body: it is refused before anything of it is read.
                    let reply =
                        request.announcesBody
                        ? Reply.bodyRefused : await dashboard.reply(to: request, at: place)
                    isKept =
                        request.isKeepAlive && !request.isForMore && !connections.isEnding
                    try await write(reply, to: request, isLast: !isKept, outbound)
                    // An answer that lasts may have lasted until now.
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
            // Closed at once, the rest of the answer would be lost to who is still sending.
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
                // Who closes their end waits for an answer, but not for one that never ends; and who has
                // gone leaves the place to another, not only with the next event.
                try await channel.setOption(.allowRemoteHalfClosure, value: false).get()
                channel.closeFuture.whenComplete { _ in events.continuation.finish() }
                for await event in events.stream {
                    try await hand(.body(.byteBuffer(ByteBuffer(string: event))), to: outbound)
                }
            }
        }
        try await hand(.end(nil), to: outbound)
    }

    /// Waits until there is room for `part`, but not for ever: that holds up others.
    private func hand(_ part: HTTPServerResponsePart, to outbound: Writer) async throws {
        let limit = closing(after: RequestLimits.answerTime)
        defer { limit.cancel() }
        try await outbound.write(part)
    }

    /// Closes the connection at that time, unless it is cancelled before.
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
    /// Whether what follows is no request.
    fileprivate var isForMore: Bool {
        announcesBody || method == .CONNECT || headers.contains(name: "Upgrade")
    }

    fileprivate var announcesBody: Bool {
        headers.contains(name: "Transfer-Encoding")
            || headers["Content-Length"].contains { $0 != "0" }
    }
}

/// Tells ``OpenConnections`` of requests as they come and of answers as they leave, before anybody
/// has had time to take them.
private final class RequestRecord: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart

    /// Held until the channel is closed: what is accepted while the listener closes is handed to nobody,
    /// and NIO ends the program where nobody holds a stream that is open (apple/swift-nio#2813).
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
        // An answer under way waits for its reader, and an answered request for the next.
        connections.note(context.channel, requests: isLast ? -1 : 0, isQuiet: true)
        context.write(data, promise: promise)
    }
}
