import Catalogue
import HTTPTypes
import Hummingbird
import NIOCore
import Reports

/// An answer that is whole: a page, or data.
struct Reply: Sendable {
    var status: HTTPResponse.Status = .ok
    var type: String
    var text: String
    /// Limits of what a page may load; `nil` is nothing.
    var policy: String?
    var isRetryWelcome = false

    static func page(_ page: HTMLPage, status: HTTPResponse.Status = .ok) -> Reply {
        Reply(
            status: status,
            type: "text/html; charset=utf-8",
            text: page.text,
            policy: page.policy
        )
    }

    static func json(_ text: String, status: HTTPResponse.Status = .ok) -> Reply {
        Reply(status: status, type: "application/json", text: text)
    }

    static func report(_ report: some Report) -> Reply {
        json(JSONFormat().render(report.document))
    }

    var response: Response {
        var headers = HTTPFields()
        headers[.contentType] = type
        if let policy {
            headers[.contentSecurityPolicy] = policy + "; frame-ancestors 'none'"
        }
        if status == .methodNotAllowed { headers[.allow] = "GET, HEAD" }
        if isRetryWelcome { headers[.retryAfter] = "1" }
        let body = ResponseBody(byteBuffer: ByteBuffer(string: text))
        return Response(status: status, headers: headers, body: body)
    }

    static func refusal(_ refusal: AccessMiddleware.Refusal) -> Reply {
        let (status, text): (HTTPResponse.Status, String) =
            switch refusal {
            case .method: (.methodNotAllowed, "Only GET and HEAD are answered.")
            case .host:
                (
                    .misdirectedRequest,
                    "Not served under this name: use the address that 'dnstempo serve' printed."
                )
            case .origin: (.forbidden, "Other sites may not ask.")
            case .token:
                (
                    .unauthorized,
                    "Open the address with the token that 'dnstempo serve' printed, or send the "
                        + "token as 'Authorization: Bearer TOKEN'."
                )
            }
        return Reply(status: status, type: "text/plain; charset=utf-8", text: text + "\n")
    }

    static func busy(_ target: RequestTarget) -> Reply {
        var reply = failure(.serviceUnavailable, "Too many ask at once: try again.", target)
        reply.isRetryWelcome = true
        return reply
    }

    static func notFound(_ target: RequestTarget) -> Reply {
        failure(.notFound, "There is nothing at this address.", target)
    }

    static func failure(_ error: any Error, _ target: RequestTarget) -> Reply {
        guard let error = error as? CatalogueError else {
            return failure(.serviceUnavailable, "\(error)", target)
        }
        // In an address an option has no dashes.
        return failure(.badRequest, error.description.replacing("--", with: ""), target)
    }

    private static func failure(
        _ status: HTTPResponse.Status,
        _ text: String,
        _ target: RequestTarget
    ) -> Reply {
        guard target.isPage else {
            let value: JSONValue = ["error": .string(text)]
            return json(value.text() + "\n", status: status)
        }
        let shell = PageShell(target: RequestTarget("/"), window: .week, offersWindows: false)
        return page(shell.page("Sorry", [PageFragments.answer(text)]), status: status)
    }
}
