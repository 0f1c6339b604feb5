import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// How much anybody may ask at once, and how slowly.
enum RequestLimits {
    static let connections = 256
    /// Of those from one address, so that others find room.
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

/// The path of a request and what stands behind its `?`, decoded (RFC 3986 §3.3, §3.4).
struct RequestTarget: Hashable, Sendable {
    let path: String
    /// In their order; of several of one name the last counts.
    private let pairs: [Pair]

    struct Pair: Hashable, Sendable {
        var name: String
        var value: String
    }

    init(_ text: String) {
        let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        path = Self.decoded(parts[0].split(separator: "#").first ?? "", plusIsSpace: false) ?? ""
        let query = parts.count > 1 ? parts[1] : ""
        pairs = query.split(separator: "&").compactMap { pair in
            let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = Self.decoded(sides[0], plusIsSpace: true),
                let value = Self.decoded(sides.count > 1 ? sides[1] : "", plusIsSpace: true)
            else { return nil }
            return Pair(name: name, value: value)
        }
    }

    private init(path: String, pairs: [Pair]) {
        self.path = path
        self.pairs = pairs
    }

    subscript(name: String) -> String? { pairs.last { $0.name == name }?.value }

    /// With another value of `name`, or without any.
    func setting(_ name: String, to value: String?) -> RequestTarget {
        let others = pairs.filter { $0.name != name }
        return RequestTarget(
            path: path,
            pairs: others + (value.map { [Pair(name: name, value: $0)] } ?? [])
        )
    }

    /// As it stands in an address.
    var text: String {
        let query = pairs.map { "\(Self.encoded($0.name))=\(Self.encoded($0.value))" }
            .joined(separator: "&")
        let path = path.split(separator: "/", omittingEmptySubsequences: false)
            .map { Self.encoded(String($0)) }.joined(separator: "/")
        return query.isEmpty ? path : "\(path)?\(query)"
    }

    private static let unreserved = Set(
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~".utf8
    )

    private static func encoded(_ text: String) -> String {
        text.utf8.reduce(into: "") { result, octet in
            if unreserved.contains(octet) {
                result.unicodeScalars.append(Unicode.Scalar(octet))
            } else {
                let digits = String(octet, radix: 16, uppercase: true)
                result += octet < 16 ? "%0\(digits)" : "%\(digits)"
            }
        }
    }

    /// `nil` where it is no text.
    private static func decoded(_ text: Substring, plusIsSpace: Bool) -> String? {
        var octets: [UInt8] = []
        var rest = text.utf8[...]
        while let octet = rest.popFirst() {
            switch octet {
            case UInt8(ascii: "%"):
                let digits = rest.prefix(2)
                guard digits.count == 2, let text = String(digits), text.first != "+",
                    let value = UInt8(text, radix: 16)
                else { return nil }
                octets.append(value)
                rest = rest.dropFirst(2)
            case UInt8(ascii: "+") where plusIsSpace: octets.append(UInt8(ascii: " "))
            default: octets.append(octet)
            }
        }
        return String(validating: octets, as: UTF8.self)
    }
}

/// Closes a connection on which nothing was taken for too long: whoever reads that slowly holds up
/// others.
final class StalledAnswer: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = Any

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is IdleStateHandler.IdleStateEvent {
            context.close(promise: nil)
        } else {
            context.fireUserInboundEventTriggered(event)
        }
    }
}
