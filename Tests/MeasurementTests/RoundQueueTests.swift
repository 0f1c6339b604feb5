import Measurement
import Samples
import Testing

struct RoundQueueTests {
    @Test func `rounds come in the order of their beginning`() async {
        let queue = RoundQueue<String>()
        let places = (0..<4).map { _ in queue.open() }
        queue.close(places[1], with: "second")
        queue.close(places[2], with: nil)
        queue.close(places[0], with: "first")
        #expect(await queue.next() == ["first", "second"])
        queue.close(places[3], with: "fourth")
        #expect(await queue.next() == ["fourth"])
    }

    @Test func `it ends after the last round that began`() async {
        let queue = RoundQueue<Int>()
        let place = queue.open()
        queue.finish()
        async let rounds = queue.next()
        queue.close(place, with: 7)
        #expect(await rounds == [7])
        #expect(await queue.next() == nil)
    }

    @Test func `rounds that were all given up end it too`() async {
        let queue = RoundQueue<Int>()
        let places = [queue.open(), queue.open()]
        async let rounds = queue.next()
        for place in places { queue.close(place, with: nil) }
        queue.finish()
        #expect(await rounds == nil)
    }

    @Test func `who waits gets each round once`() async {
        let queue = RoundQueue<Int>()
        async let all = Task {
            var all: [Int] = []
            while let next = await queue.next() { all += next }
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
