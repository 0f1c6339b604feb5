import Catalogue
import Integrity
import Measurement
import Samples
import Synchronization
import Testing

struct CheckTurnsTests {
    /// A clock that shows the end of the latest sleep. A sleep takes no real time.
    final class SleeplessClock: Clock, Sendable {
        struct Instant: InstantProtocol {
            var offset: Duration
            func advanced(by duration: Duration) -> Instant { .init(offset: offset + duration) }
            func duration(to other: Instant) -> Duration { other.offset - offset }
            static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
        }

        private let time = Mutex(Duration.zero)
        var now: Instant { time.withLock { Instant(offset: $0) } }
        var minimumResolution: Duration { .nanoseconds(1) }
        func sleep(until deadline: Instant, tolerance: Duration?) async throws {
            time.withLock { $0 = max($0, deadline.offset) }
        }
    }

    private func times(_ endpoints: [String], _ pace: Pace) async throws -> [Duration] {
        let clock = SleeplessClock()
        let turns = CheckTurns(pace, on: clock)
        var times: [Duration] = []
        for text in endpoints {
            await turns.wait(for: try Endpoint(parsing: text))
            times.append(clock.now.offset)
        }
        return times
    }

    @Test func `one resolver gets at most five queries per second`() async throws {
        let times = try await times(Array(repeating: "192.0.2.1", count: 6), .polite)
        #expect(times == (0..<6).map { .milliseconds(200) * $0 })
    }

    @Test func `ports of one address are one resolver, but not on loopback`() async throws {
        let pace = Pace(rate: 5, totalRate: 100)
        #expect(
            try await times(["192.0.2.1", "192.0.2.1:54", "tcp://192.0.2.1"], pace)
                == [.zero, .milliseconds(200), .milliseconds(400)]
        )
        #expect(
            try await times(["127.0.0.1:1", "127.0.0.1:2", "127.0.0.1:3"], pace)
                == [.zero, .milliseconds(10), .milliseconds(20)]
        )
    }

    @Test func `all resolvers together have their own limit`() async throws {
        let endpoints = (1...16).map { "192.0.2.\($0)" }
        let times = try await times(endpoints, Pace(rate: 5, totalRate: 10))
        #expect(times.last == .milliseconds(1500))
    }
}
