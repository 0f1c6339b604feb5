import CSockets
import Catalogue

/// CLOCK_MONOTONIC, with sleeps that end on the event loop's thread.
package struct EventLoopClock: Clock {
    package struct Instant: InstantProtocol {
        /// Nanoseconds of CLOCK_MONOTONIC.
        package var nanoseconds: Int64

        package func advanced(by duration: Duration) -> Instant {
            let (sum, overflow) = nanoseconds.addingReportingOverflow(duration.nanoseconds)
            return Instant(nanoseconds: overflow ? duration < .zero ? .min : .max : sum)
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

    /// Ends as late as `tolerance` allows, so that all work due by then is done together.
    @EventLoopActor
    package func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let loop = EventLoop.shared
        let wait = loop.open(deadline: deadline.nanoseconds + (tolerance ?? .zero).nanoseconds)
        defer { loop.close(wait) }
        if await loop.next(wait) == .cancelled { throw CancellationError() }
    }
}

/// Measures the duration of an operation with this process's clock.
struct Stopwatch {
    /// Nanoseconds of CLOCK_MONOTONIC.
    let began = cs_monotonic()
    private let stood = EventLoop.shared.stood

    /// The maximum time for which the process was suspended since the start.
    var standstill: Int64 { EventLoop.shared.stood - stood }

    /// The time since the start. It includes time in which the process was suspended.
    var whole: Duration { .nanoseconds(cs_monotonic() - began) }

    /// The time since the start; `nil` if the process was suspended, because the time is then unknown.
    var elapsed: Duration? { standstill > 0 ? nil : whole }
}

/// The time limit of an exchange, from its start.
///
/// Time in which the process was suspended does not count: it does not make a query late.
struct TimeLimit {
    let timeout: Duration
    let watch = Stopwatch()

    init(_ timeout: Duration) { self.timeout = timeout }

    /// The latest time that is within the limit, in nanoseconds of CLOCK_MONOTONIC.
    var deadline: Int64 { watch.began + timeout.nanoseconds + watch.standstill }

    /// The remaining time.
    var left: Duration { .nanoseconds(deadline - cs_monotonic()) }

    /// `time`, or `nil` if it is impossible for an operation that ended within the limit.
    func plausible(_ time: Duration?) -> Duration? {
        time.flatMap { possible.contains($0) ? $0 : nil }
    }

    /// `time`, limited to the range that is possible for an operation that ended within the limit.
    func bounded(_ time: Duration?) -> Duration? {
        time.map { min(max($0, possible.lowerBound), possible.upperBound) }
    }

    private var possible: ClosedRange<Duration> { .zero...max(.zero, timeout) }
}

/// The time in which the process had work and did not run. Causes: it was stopped (SIGSTOP, Ctrl-Z), or its
/// container was paused.
struct Standstill {
    /// The total in nanoseconds. It is an upper estimate, because the start of a stop is unknown.
    private(set) var total: Int64 = 0

    /// The longest delay with which a busy machine wakes a thread.
    private static let longestDelay: Int64 = 100_000_000
    /// The longest duration of a batch of jobs.
    private static let longestWork: Int64 = 1_000_000_000

    /// Records a wait that should have ended at `due` (`nil`: never). All times are in nanoseconds of
    /// CLOCK_MONOTONIC.
    mutating func note(waitFrom began: Int64, to ended: Int64, due: Int64?) {
        if let due, ended - due > Self.longestDelay { total += ended - began }
    }

    /// Records the work between two waits.
    mutating func note(jobsFrom began: Int64, to ended: Int64) {
        if ended - began > Self.longestWork { total += ended - began }
    }
}
