/// Those who wait for a descriptor to come free, the longest waiting first.
///
/// At the limit of descriptors a query is late, and that is recorded; it never fails for it.
@EventLoopActor
enum DescriptorQueue {
    /// In their order, from `next` on; those that gave up waiting are passed over.
    private static var waiting: [WaitToken] = []
    private static var next = 0
    /// Another program may free what this one cannot, without a word: look again after 100 ms.
    private static let patience: Int64 = 100_000_000

    /// Waits until a descriptor may have come free; `false` once the task is cancelled.
    static func wait() async -> Bool {
        let loop = EventLoop.shared
        let now = EventLoopClock().now.nanoseconds
        let wait = loop.open(deadline: now + patience)
        waiting.append(wait)
        let wake = await loop.next(wait)
        loop.close(wait)
        return wake != .cancelled
    }

    /// Says that one has come free.
    static func released() {
        while next < waiting.count {
            next += 1
            if EventLoop.shared.end(waiting[next - 1]) { break }
        }
        // What lies behind is dropped once it is most of the list.
        guard next * 2 >= waiting.count else { return }
        waiting.removeFirst(next)
        next = 0
    }
}
