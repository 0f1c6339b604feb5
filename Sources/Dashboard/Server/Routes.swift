import HTTPTypes
import Reports

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
