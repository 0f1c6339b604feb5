import NIOHTTP1

/// Lets requests in, and has them answered.
struct Responder: Sendable {
    let access: AccessMiddleware
    let pages: PageCache
    let events: EventBroadcaster

    func reply(to request: HTTPRequestHead, at place: AccessMiddleware.Place?) async -> Reply {
        let target = RequestTarget(request.uri)
        switch access.check(request, at: place) {
        case .success(.free) where target.path == "/events":
            // Who asks for the head alone is no reader.
            if request.method == .HEAD { return .events(nil) }
            return events.subscribe().map { .events($0) } ?? .busy(target)
        case .success(.free): return await pages.reply(to: target)
        case .success(.tokenInAddress): return .withoutToken(target, access.token, place)
        case .failure(let refusal): return .refusal(refusal)
        }
    }
}
