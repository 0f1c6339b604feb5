import Catalogue
import HTTPTypes
import Hummingbird
import Logging
import NIOCore

/// A request's context with the place where it came in.
struct PlacedContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    let place: AccessMiddleware.Place?

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        let local = source.channel.localAddress
        place =
            if let text = local?.ipAddress, let address = IPAddress(text), let port = local?.port {
                AccessMiddleware.Place(address: address, port: UInt16(clamping: port))
            } else {
                nil
            }
    }
}

/// Lets requests in, has them answered, and puts on every answer what keeps others out.
struct Responder: HTTPResponder {
    let access: AccessMiddleware
    let pages: PageCache
    let events: EventBroadcaster

    func respond(to request: Request, context: PlacedContext) async throws -> Response {
        let target = RequestTarget(request.head.path ?? "/")
        let onlyHead = request.method == .head
        var response: Response
        switch access.check(request.head, at: context.place) {
        case .success(.free) where target.path == "/events":
            response = follow(onlyHead: onlyHead) ?? Reply.busy(target).response
        case .success(.free): response = await pages.reply(to: target).response
        case .success(.tokenInAddress):
            response = Self.redirect(target, access.token, context.place)
        case .failure(let refusal): response = Reply.refusal(refusal).response
        }
        for field in Self.fields where !response.headers.contains(field.name) {
            response.headers.append(field)
        }
        return onlyHead ? response.createHeadResponse() : response
    }

    /// Events as they come; `nil` where too many look on.
    private func follow(onlyHead: Bool) -> Response? {
        var response = Response(status: .ok, headers: [.contentType: "text/event-stream"])
        if onlyHead { return response }
        guard let stream = events.subscribe() else { return nil }
        response.body = ResponseBody { writer in
            for await event in stream { try await writer.write(ByteBuffer(string: event)) }
            try await writer.finish(nil)
        }
        return response
    }

    /// To the same page without the token, which the browser keeps from then on.
    private static func redirect(
        _ target: RequestTarget,
        _ token: AccessToken?,
        _ place: AccessMiddleware.Place?
    ) -> Response {
        var response = Response(status: .seeOther)
        response.headers[.location] = target.setting("token", to: nil).text
        if let token, let place {
            response.headers.append(TokenCookie(port: place.port).field(token))
        }
        return response
    }

    /// On every answer. Nothing is for other sites, and nothing is kept on disk.
    private static let fields: HTTPFields = [
        .xContentTypeOptions: "nosniff", .referrerPolicy: "no-referrer", .frameOptions: "DENY",
        .crossOriginResourcePolicy: "same-origin", .crossOriginOpenerPolicy: "same-origin",
        .cacheControl: "no-store",
        .contentSecurityPolicy: "default-src 'none'; frame-ancestors 'none'",
    ]
}

extension HTTPField.Name {
    fileprivate static let frameOptions = HTTPField.Name("X-Frame-Options") ?? .via
    fileprivate static let referrerPolicy = HTTPField.Name("Referrer-Policy") ?? .via
    fileprivate static let crossOriginOpenerPolicy =
        HTTPField.Name("Cross-Origin-Opener-Policy") ?? .via
}
