import Catalogue
import HTTPTypes
import Hummingbird
import NIOCore
import Reports

/// What is answered: a document, or events as they come.
struct Reply: Sendable {
    enum Content: Sendable {
        case text(String)
        case events(AsyncStream<Bulletin.Event>)
    }

    var status: HTTPResponse.Status = .ok
    var type: String
    var content: Content
    /// What a page may load; `nil` is nothing.
    var policy: PagePolicy?
    var isRetryWelcome = false

    static func page(_ page: HTMLPage, status: HTTPResponse.Status = .ok) -> Reply {
        Reply(
            status: status,
            type: "text/html; charset=utf-8",
            content: .text(page.text),
            policy: page.policy
        )
    }

    static func json(_ text: String, status: HTTPResponse.Status = .ok) -> Reply {
        Reply(status: status, type: "application/json", content: .text(text))
    }

    static func plain(_ text: String, status: HTTPResponse.Status = .ok) -> Reply {
        Reply(status: status, type: "text/plain; charset=utf-8", content: .text(text + "\n"))
    }

    static func events(_ events: AsyncStream<Bulletin.Event>) -> Reply {
        Reply(type: "text/event-stream", content: .events(events))
    }

    var response: Response {
        var headers = HTTPFields()
        headers[.contentType] = type
        if let policy {
            headers[.contentSecurityPolicy] = policy.text + "; frame-ancestors 'none'"
        }
        if status == .methodNotAllowed { headers[.allow] = "GET, HEAD" }
        if isRetryWelcome { headers[.retryAfter] = "1" }
        return Response(status: status, headers: headers, body: body)
    }

    private var body: ResponseBody {
        switch content {
        case .text(let text): return ResponseBody(byteBuffer: ByteBuffer(string: text))
        case .events(let events):
            return ResponseBody { writer in
                for await event in events {
                    try await writer.write(ByteBuffer(string: event.text))
                }
                try await writer.finish(nil)
            }
        }
    }
}

extension Reply {
    /// What somebody is told who is not let in.
    static func refusal(_ refusal: Gatekeeper.Refusal) -> Reply {
        switch refusal {
        case .method: plain("Only GET and HEAD are answered.", status: .methodNotAllowed)
        case .host:
            plain(
                "Not served under this name: use the address that 'dnstempo serve' printed.",
                status: .misdirectedRequest
            )
        case .origin: plain("Other sites may not ask.", status: .forbidden)
        case .token:
            plain(
                "Open the address with the token that 'dnstempo serve' printed, or send the token "
                    + "as 'Authorization: Bearer TOKEN'.",
                status: .unauthorized
            )
        }
    }

    /// Too many wait already.
    static func busy(_ form: Document.Form) -> Reply {
        var reply = failure(.serviceUnavailable, "Too many ask at once: try again.", form)
        reply.isRetryWelcome = true
        return reply
    }

    /// Why a document cannot be made.
    static func failure(_ error: any Error, _ form: Document.Form) -> Reply {
        switch error {
        case let error as CatalogueError:
            // In an address an option has no dashes.
            failure(.badRequest, error.description.replacing("--", with: ""), form)
        default: failure(.serviceUnavailable, "\(error)", form)
        }
    }

    static func failure(
        _ status: HTTPResponse.Status,
        _ text: String,
        _ form: Document.Form
    ) -> Reply {
        switch form {
        case .data:
            let value: JSONValue = ["error": .string(text)]
            return json(value.text() + "\n", status: status)
        case .page:
            let shell = PageShell(target: RequestTarget("/"), window: .week, offersWindows: false)
            return page(shell.page("Sorry", [PageFragments.answer(text)]), status: status)
        }
    }
}
