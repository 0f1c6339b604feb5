import Measurement
import Samples
import Testing

struct RoundQueueTests {
    @Test func `rounds are returned in the order of their start`() async {
        let queue = RoundQueue<String>()
        let rounds = queue.makeAsyncIterator()
        let places = (0..<4).map { _ in queue.open() }
        queue.close(places[1], with: "second")
        queue.close(places[2], with: nil)
        queue.close(places[0], with: "first")
        #expect(await rounds.next() == ["first", "second"])
        queue.close(places[3], with: "fourth")
        #expect(await rounds.next() == ["fourth"])
    }

    @Test func `the sequence ends after the last started round`() async {
        let queue = RoundQueue<Int>()
        let rounds = queue.makeAsyncIterator()
        let place = queue.open()
        queue.finish()
        async let next = rounds.next()
        queue.close(place, with: 7)
        #expect(await next == [7])
        #expect(await rounds.next() == nil)
    }

    @Test func `cancelled rounds end the sequence too`() async {
        let queue = RoundQueue<Int>()
        let rounds = queue.makeAsyncIterator()
        let places = [queue.open(), queue.open()]
        async let next = rounds.next()
        for place in places { queue.close(place, with: nil) }
        queue.finish()
        #expect(await next == nil)
    }

    /// Reader and writer share one thread, as on a machine with one processor.
    @MainActor @Test func `a cancelled reader lets the writer run, and gets all rounds`() async {
        let queue = RoundQueue<Int>()
        let reader = Task { @MainActor in
            var all: [Int] = []
            for await next in queue { all += next }
            return all
        }
        reader.cancel()
        await Task.yield()
        queue.append(1)
        await Task.yield()
        queue.append(2)
        queue.finish()
        #expect(await reader.value == [1, 2])
    }

    @Test func `a waiting reader gets each round once`() async {
        let queue = RoundQueue<Int>()
        async let all = Task {
            var all: [Int] = []
            for await next in queue { all += next }
            return all
        }.value
        await withDiscardingTaskGroup { group in
            for number in 0..<1_000 {
                let place = queue.open()
                group.addTask { queue.close(place, with: number) }
            }
        }
        queue.finish()
        #expect(await all == Array(0..<1_000))
    }
}
