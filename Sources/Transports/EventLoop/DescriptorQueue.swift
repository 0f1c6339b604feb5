/// Who waits for a descriptor to come free, the longest waiting first.
///
/// At the limit of descriptors a query is late, and that is recorded; it never fails for it.
@EventLoopActor
enum DescriptorQueue {
    private static var waiting: [WaitToken] = []
    /// Another program may free what this one cannot, without a word: look again after 100 ms.
    private static let patience: Int64 = 100_000_000

    /// Waits until a descriptor may have come free; `false` once the task is cancelled.
    static func wait() async -> Bool {
        let loop = EventLoop.shared
        let now = EventLoopClock().now.nanoseconds
        guard let wait = try? loop.open(deadline: now + patience) else { return false }
        waiting.append(wait)
        let wake = await loop.next(wait)
        waiting.removeAll { $0 == wait }
        loop.close(wait)
        return wake != .cancelled
    }

    /// Says that one has come free.
    static func released() {
        if !waiting.isEmpty { EventLoop.shared.end(waiting.removeFirst()) }
    }
}
