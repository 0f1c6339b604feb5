import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Refuses requests with a body before anything of it is read, since nothing here takes one.
///
/// What comes later on the connection is dropped, as it could be part of the body.
final class BodyRefusal: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
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
