import Testing

@testable import Lab

struct ReplyQueueTests {
    @Test func `replies leave when due, in insertion order at equal times`() {
        var generator = SplitMix64(seed: 1, stream: 0)
        var queue = ReplyQueue()
        var expected: [(due: Int64, order: Int)] = []
        for order in 0..<2000 {
            let due = Int64(generator.index(below: 100))
            expected.append((due, order))
            let inserted = queue.insert(
                PendingReply(due: due, target: .session(order), message: [])
            )
            #expect(inserted)
        }
        expected.sort { $0 < $1 }
        for (due, order) in expected {
            #expect(queue.earliest == due)
            #expect(queue.next(at: due - 1) == nil)
            guard case .session(order)? = queue.next(at: due)?.target else {
                Issue.record("reply \(order) is not the one that is due at \(due)")
                return
            }
        }
        #expect(queue.earliest == nil)
    }
}
