import Testing

@testable import Transports

@Suite struct TimerHeapTests {
    @Test func `deadlines expire in order, and none early`() {
        var heap = TimerHeap()
        var generator = SystemRandomNumberGenerator()
        let deadlines = (0..<1_000).map { _ in Int64.random(in: 0..<500, using: &generator) }
        for (index, deadline) in deadlines.enumerated() {
            heap.insert(.init(deadline: deadline, token: .init(slot: UInt32(index), generation: 0)))
        }
        var taken: [Int64] = []
        for now in stride(from: Int64(0), through: 500, by: 10) {
            while let due = heap.removeDue(at: now) {
                taken.append(deadlines[Int(due.token.slot)])
                #expect(deadlines[Int(due.token.slot)] <= now)
            }
            #expect(heap.earliest.map { $0 > now } ?? true)
        }
        #expect(taken == deadlines.sorted())
    }

    @Test func `a deadline in process time is extended by suspensions`() {
        var heap = TimerHeap()
        let (sleep, wait) = (WaitToken(slot: 0, generation: 0), WaitToken(slot: 1, generation: 0))
        heap.insert(.init(deadline: 10, token: sleep))
        heap.insert(.init(deadline: 10, token: wait, stood: 100))
        #expect(heap.removeDue(at: 50, stood: 140)?.token == sleep)
        #expect(heap.removeDue(at: 49, stood: 140) == nil)
        #expect(heap.removeDue(at: 50, stood: 140)?.token == wait)
    }

    @Test func `a deadline ends on a machine whose every wait looks like a suspension`() {
        var heap = TimerHeap()
        heap.insert(.init(deadline: 10, token: WaitToken(slot: 0, generation: 0), stood: 0))
        var (now, stood) = (Int64(0), Int64(0))
        for _ in 0..<TimerHeap.mostPostponements {
            (now, stood) = (now + 20, stood + 20)
            #expect(heap.removeDue(at: now, stood: stood) == nil)
        }
        (now, stood) = (now + 20, stood + 20)
        #expect(heap.removeDue(at: now, stood: stood) != nil)
    }

    @Test func `a token is packed and unpacked unchanged`() {
        let token = WaitToken(slot: 0xdead_beef, generation: 0x1234_5678)
        #expect(WaitToken(packed: token.packed) == token)
    }
}
