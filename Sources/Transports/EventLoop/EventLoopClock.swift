import CSockets

/// CLOCK_MONOTONIC, with sleeps that end on the event loop's thread.
package struct EventLoopClock: Clock {
    package struct Instant: InstantProtocol {
        /// Nanoseconds of CLOCK_MONOTONIC.
        package var nanoseconds: Int64

        package init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

        package func advanced(by duration: Duration) -> Instant {
            Instant(nanoseconds: nanoseconds + duration.nanoseconds)
        }

        package func duration(to other: Instant) -> Duration {
            .nanoseconds(other.nanoseconds - nanoseconds)
        }

        package static func < (left: Instant, right: Instant) -> Bool {
            left.nanoseconds < right.nanoseconds
        }
    }

    package init() {}

    package var now: Instant { Instant(nanoseconds: cs_monotonic()) }

    package var minimumResolution: Duration { .nanoseconds(1) }

    /// Ends as late as `tolerance` allows, so that what is due until then is done in one go.
    @concurrent
    package func sleep(until deadline: Instant, tolerance: Duration?) async throws {
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
