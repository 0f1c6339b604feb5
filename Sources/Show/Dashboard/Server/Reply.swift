import Catalogue
import LibC
import NIOHTTP1
import Reports
import Samples

/// An answer: a page, data, or a stream of events.
struct Reply: Sendable {
    var status: HTTPResponseStatus = .ok
    var fields: HTTPHeaders
    var text = ""
    /// Further text, until the stream ends.
    var events: EventBroadcaster.Events?

    init(status: HTTPResponseStatus = .ok, type: String, text: String) {
        self.status = status
        fields = ["Content-Type": type]
        self.text = text
    }

    static func page(_ page: HTMLPage, status: HTTPResponseStatus = .ok) -> Reply {
        Reply(status: status, type: "text/html; charset=utf-8", text: page.text)
            .adding("Content-Security-Policy", page.policy + "; frame-ancestors 'none'")
    }

    static func json(_ text: String, status: HTTPResponseStatus = .ok) -> Reply {
        Reply(status: status, type: "application/json", text: text)
    }

    static func report(_ report: some Report) -> Reply {
        json(JSONFormat().render(report.document))
    }

    static func events(_ events: EventBroadcaster.Events?) -> Reply {
        var reply = Reply(type: "text/event-stream", text: "")
        reply.events = events
        return reply
    }

    private func adding(_ field: String, _ value: String) -> Reply {
        var reply = self
        reply.fields.add(name: field, value: value)
        return reply
    }

    /// The head of the answer. The connection ends after the last answer.
    func head(_ version: HTTPVersion, isLast: Bool) -> HTTPResponseHead {
        var fields = fields
        if events == nil { fields.add(name: "Content-Length", value: "\(text.utf8.count)") }
        if isLast { fields.add(name: "Connection", value: "close") }
        fields.add(name: "Date", value: Self.date)
        for (name, value) in Self.fields where !fields.contains(name: name) {
            fields.add(name: name, value: value)
        }
        return HTTPResponseHead(version: version, status: status, headers: fields)
    }

    /// The current time in the format of HTTP (RFC 9110 §5.6.7).
    private static var date: String {
        var (now, parts) = unsafe (time(nil), tm())
        unsafe gmtime_r(&now, &parts)
        return unsafe String(unsafeUninitializedCapacity: 30) { text in
            unsafe text.withMemoryRebound(to: CChar.self) {
                unsafe strftime($0.baseAddress, $0.count, "%a, %d %b %Y %H:%M:%S GMT", &parts)
            }
        }
    }

    /// The fields of every answer. They deny access to other sites, and prevent storage on disk.
    private static let fields: HTTPHeaders = [
        "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer",
        "X-Frame-Options": "DENY", "Cross-Origin-Resource-Policy": "same-origin",
        "Cross-Origin-Opener-Policy": "same-origin", "Cache-Control": "no-store",
        "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    ]

    /// Redirects to the same page without the token. The browser keeps the token from then on.
    static func withoutToken(
        _ target: RequestTarget,
        _ token: AccessToken?,
        _ place: AccessMiddleware.Place?
    ) -> Reply {
        let reply = plain(.seeOther, "")
            .adding("Location", target.setting("token", to: nil).text)
        guard let token, let place else { return reply }
        return reply.adding("Set-Cookie", TokenCookie(port: place.port).setting(token))
    }

    static let bodyRefused = plain(.payloadTooLarge, "Requests with a body are not answered.\n")
    static let noRequest = plain(.badRequest, "Not an HTTP request.\n")

    private static func plain(_ status: HTTPResponseStatus, _ text: String) -> Reply {
        Reply(status: status, type: "text/plain; charset=utf-8", text: text)
    }

    static func refusal(_ refusal: AccessMiddleware.Refusal) -> Reply {
        let (status, text): (HTTPResponseStatus, String) =
            switch refusal {
            case .method: (.methodNotAllowed, "Only GET and HEAD are answered.")
            case .host:
                (
                    .misdirectedRequest,
                    "Not served under this name: use the address that 'dnstempo serve' printed."
                )
            case .origin: (.forbidden, "Requests from other sites are refused.")
            case .token:
                (
                    .unauthorized,
                    "Open the address with the token that 'dnstempo serve' printed, or send the "
                        + "token as 'Authorization: Bearer TOKEN'."
                )
            }
        let reply = plain(status, text + "\n")
        return switch refusal {
        case .method: reply.adding("Allow", "GET, HEAD")
        // A 401 names the required scheme (RFC 9110 §11.6.1), and Bearer has a parameter (RFC 6750 §3).
        case .token: reply.adding("WWW-Authenticate", #"Bearer realm="dnstempo""#)
        case .host, .origin: reply
        }
    }

    /// Refuses a request, which the client may repeat after `seconds` (RFC 9110 §10.2.3).
    static func busy(_ target: RequestTarget, after seconds: Int = 1) -> Reply {
        failure(.serviceUnavailable, "Too many requests: try again.", target)
            .adding("Retry-After", "\(seconds)")
    }

    static func notFound(_ target: RequestTarget) -> Reply {
        failure(.notFound, "There is nothing at this address.", target)
    }

    static func failure(_ error: any Error, _ target: RequestTarget) -> Reply {
        guard let error = error as? CatalogueError else {
            return failure(.serviceUnavailable, "\(error)", target)
        }
        return failure(.badRequest, inAddresses(error.description), target)
    }

    /// The text with the options that addresses share written without dashes.
    private static func inAddresses(_ text: String) -> String {
        let options = ["--since", "--until", "--baseline"]
        return text.split(separator: " ", omittingEmptySubsequences: false)
            .map { word in options.contains(where: word.hasPrefix) ? word.dropFirst(2) : word }
            .joined(separator: " ")
    }

    private static func failure(
        _ status: HTTPResponseStatus,
        _ text: String,
        _ target: RequestTarget
    ) -> Reply {
        guard target.isPage else {
            let value: JSONValue = ["error": .string(text)]
            return json(value.text() + "\n", status: status)
        }
        let week = WindowChoice(weekAt: nil)
        let shell = PageShell(target: RequestTarget("/"), window: week, offersWindows: false)
        return page(shell.page("Sorry", [PageFragments.answer(text)]), status: status)
    }
}
