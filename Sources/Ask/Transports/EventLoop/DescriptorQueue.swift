/// The queue of tasks that wait for a free descriptor, in order of arrival.
///
/// At the limit of descriptors a query is late, and its delay is recorded. The query does not fail for this
/// reason.
@EventLoopActor
enum DescriptorQueue {
    /// The waiting tasks in their order, from `next` on. Tasks that stopped waiting are skipped.
    private static var waiting: [WaitToken] = []
    private static var next = 0
    /// Another program can free descriptors without notice, so the queue tries again after 100 ms.
    private static let patience: Int64 = 100_000_000

    /// Waits until a descriptor may be free. Returns `false` once the task is cancelled.
    static func wait() async -> Bool {
        let loop = EventLoop.shared
        let now = EventLoopClock().now.nanoseconds
        let wait = loop.open(deadline: now + patience)
        waiting.append(wait)
        let wake = await loop.next(wait)
        loop.close(wait)
        return wake != .cancelled
    }

    /// Reports that a descriptor became free.
    static func released() {
        while next < waiting.count {
            next += 1
            if EventLoop.shared.end(waiting[next - 1]) { break }
        }
        // Processed entries are dropped once they are most of the list.
        guard next * 2 >= waiting.count else { return }
        waiting.removeFirst(next)
        next = 0
    }
}
