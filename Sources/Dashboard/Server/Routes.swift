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
        guard let document = document(target) else {
            return .failure(
                .notFound,
                "There is nothing at this address.",
                target.path.hasPrefix("/api/") ? .data : .page
            )
        }
        return await workshop.reply(to: document)
    }

    private func document(_ target: RequestTarget) -> Document? {
        let isData = target.path.hasPrefix("/api/")
        guard let subject = subject(isData ? String(target.path.dropFirst(4)) : target.path, target)
        else { return nil }
        return Document(
            subject: subject,
            window: WindowChoice(target),
            form: isData ? .data : .page
        )
    }

    private func subject(_ path: String, _ target: RequestTarget) -> Document.Subject? {
        switch path {
        case "/", "/overview": .overview
        case "/window":
            (target["by"] ?? WindowGrouping.resolver.rawValue)
                .flatMapped(WindowGrouping.init(rawValue:)).map { .window($0) }
        case "/changes": .changes
        default: nil
        }
    }
}

extension String {
    fileprivate func flatMapped<Value>(_ transform: (String) -> Value?) -> Value? {
        transform(self)
    }
}
