import Catalogue
import HTTPTypes
import Hummingbird
import Logging
import NIOCore

/// What is known of a request beside its head.
struct PlacedContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    let place: Gatekeeper.Place?

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        let local = source.channel.localAddress
        place =
            if let text = local?.ipAddress, let address = IPAddress(text), let port = local?.port {
                Gatekeeper.Place(address: address, port: UInt16(clamping: port))
            } else {
                nil
            }
    }
}

/// Lets requests in, has them answered, and puts on every answer what keeps others out.
struct Responder: HTTPResponder {
    let gatekeeper: Gatekeeper
    let routes: Routes

    func respond(to request: Request, context: PlacedContext) async throws -> Response {
        let target = RequestTarget(request.head.path ?? "/")
        var response: Response
        switch gatekeeper.check(request.head, at: context.place) {
        case .success(.free):
            let reply = await routes.reply(to: target, onlyHead: request.method == .head)
            response = reply.response
        case .success(.tokenInAddress):
            response = Self.redirect(target, gatekeeper.token, context.place)
        case .failure(let error):
            response = Reply.refusal(error.refusal).response
        }
        for field in Self.fields where !response.headers.contains(field.name) {
            response.headers.append(field)
        }
        return request.method == .head ? response.createHeadResponse() : response
    }

    /// To the same page without the token, which the browser keeps from then on.
    private static func redirect(
        _ target: RequestTarget,
        _ token: AccessToken?,
        _ place: Gatekeeper.Place?
    ) -> Response {
        var response = Response(status: .seeOther)
        response.headers[.location] = target.setting("token", to: nil).text
        if let token, let place {
            response.headers.append(TokenCookie(port: place.port).field(token))
        }
        return response
    }

    /// On every answer. Nothing is for other sites, and nothing is kept on disk.
    private static let fields: [HTTPField] = [
        HTTPField(name: .xContentTypeOptions, value: "nosniff"),
        HTTPField(name: .referrerPolicy, value: "no-referrer"),
        HTTPField(name: .frameOptions, value: "DENY"),
        HTTPField(name: .crossOriginResourcePolicy, value: "same-origin"),
        HTTPField(name: .crossOriginOpenerPolicy, value: "same-origin"),
        HTTPField(name: .cacheControl, value: "no-store"),
        HTTPField(
            name: .contentSecurityPolicy,
            value: "default-src 'none'; frame-ancestors 'none'"
        ),
    ]
}

extension HTTPField.Name {
    fileprivate static let frameOptions = HTTPField.Name("X-Frame-Options") ?? .via
    fileprivate static let referrerPolicy = HTTPField.Name("Referrer-Policy") ?? .via
    fileprivate static let crossOriginOpenerPolicy =
        HTTPField.Name("Cross-Origin-Opener-Policy") ?? .via
}

/// Which address leads to what.
struct Routes: Sendable {
    let workshop: Workshop
    let bulletin: Bulletin

    func reply(to target: RequestTarget, onlyHead: Bool) async -> Reply {
        switch target.path {
        case "/events":
            if onlyHead { return Reply(type: "text/event-stream", content: .text("")) }
            return bulletin.subscribe().map(Reply.events) ?? .busy(.data)
        default: break
        }
        guard let document = Document(target) else {
            return .failure(
                .notFound,
                "There is nothing at this address.",
                target.path.hasPrefix("/api/") ? .data : .page
            )
        }
        return await workshop.reply(to: document)
    }
}
