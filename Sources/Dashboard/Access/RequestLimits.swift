import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// How much anybody may ask at once, and how slowly.
enum RequestLimits {
    static let connections = 256
    /// Connections from one address, so that others find room.
    static let connectionsOfAddress = 64
    /// How long a connection may wait before it may have to make room for others.
    static let leastWait = TimeAmount.milliseconds(250)
    static let waitingConnections = 1024
    /// Octets of the path and all fields.
    static let headSize = 16 * 1024
    static let headerFields = 64
    /// How long the head of a request may take, and how long a connection may wait for the next.
    static let headTime = TimeAmount.seconds(10)
    /// How long nothing of an answer may be taken.
    static let answerTime = TimeAmount.seconds(40)
    /// How long a refused client may take to read why.
    static let farewell = TimeAmount.seconds(2)
}

/// Refuses requests with a body before anything of it is read, since nothing here takes one. What
/// comes later on the connection is dropped, as it could be part of the body.
final class BodyRefusal: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private var hasRefused = false
    /// Requests that have no answer yet.
    private var openRequests = 0

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !hasRefused else { return }
        guard case .head(let head) = unwrapInboundIn(data) else {
            return context.fireChannelRead(data)
        }
        guard Self.announcesBody(head) else {
            openRequests += 1
            return context.fireChannelRead(data)
        }
        hasRefused = true
        // Into an answer under way nothing can be said.
        guard openRequests == 0 else { return context.close(promise: nil) }
        let response = HTTPResponse(
            status: .contentTooLarge,
            headerFields: [.connection: "close", .contentLength: "0"]
        )
        context.write(wrapOutboundOut(.head(response)), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        let channel = context.channel
        context.eventLoop.scheduleTask(in: RequestLimits.farewell) {
            channel.close(promise: nil)
        }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        // All was said.
        guard !hasRefused else { return promise?.succeed() ?? () }
        if case .end = unwrapOutboundIn(data) { openRequests -= 1 }
        context.write(data, promise: promise)
    }

    private static func announcesBody(_ head: HTTPRequest) -> Bool {
        let length = head.headerFields[.contentLength]
        return head.headerFields.contains(.transferEncoding) || length.map { $0 != "0" } ?? false
    }
}
