import CSockets

/// CLOCK_MONOTONIC, with sleeps that end on the event loop's thread.
public struct EventLoopClock: Clock {
    public struct Instant: InstantProtocol {
        /// Nanoseconds of CLOCK_MONOTONIC.
        public var nanoseconds: Int64

        public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

        public func advanced(by duration: Duration) -> Instant {
            Instant(nanoseconds: nanoseconds + duration.nanoseconds)
        }

        public func duration(to other: Instant) -> Duration {
            .nanoseconds(other.nanoseconds - nanoseconds)
        }

        public static func < (left: Instant, right: Instant) -> Bool {
            left.nanoseconds < right.nanoseconds
        }
    }

    public init() {}

    public var now: Instant { Instant(nanoseconds: cs_monotonic()) }

    public var minimumResolution: Duration { .nanoseconds(1) }

    /// Ends as late as `tolerance` allows, so that what is due until then is done in one go.
    @concurrent
    public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        try await sleepOnLoop(until: deadline.nanoseconds + (tolerance ?? .zero).nanoseconds)
    }
}

@EventLoopActor
private func sleepOnLoop(until deadline: Int64) async throws {
    let loop = EventLoop.shared
    let wait = try loop.open(deadline: deadline)
    defer { loop.close(wait) }
    if await loop.next(wait) == .cancelled { throw CancellationError() }
}

extension Duration {
    /// Whole nanoseconds, held within what 64 bits carry (292 years).
    var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        if overflow { return seconds < 0 ? .min / 2 : .max / 2 }
        return product + attoseconds / 1_000_000_000
    }
}
