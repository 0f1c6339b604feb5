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

    /// Ends as late as `tolerance` allows, so that what is due until then is done in one go.
    @EventLoopActor
    package func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let loop = EventLoop.shared
        let wait = loop.open(deadline: deadline.nanoseconds + (tolerance ?? .zero).nanoseconds)
        defer { loop.close(wait) }
        if await loop.next(wait) == .cancelled { throw CancellationError() }
    }
}

/// The time that something takes, by this process's clock.
struct Stopwatch {
    /// Nanoseconds of CLOCK_MONOTONIC.
    let began = cs_monotonic()
    private let stood = EventLoop.shared.stood

    /// The time in which the process itself stood still, at most, since it began.
    var standstill: Int64 { EventLoop.shared.stood - stood }

    /// The time since it began, in which the process may have stood still.
    var whole: Duration { .nanoseconds(cs_monotonic() - began) }

    /// The same; `nil` where the process stood still meanwhile, so that nobody knows.
    var elapsed: Duration? { standstill > 0 ? nil : whole }
}

/// How long an exchange may take, from its very beginning.
///
/// Time in which the process stood still is not waited: a query is not late because nobody looked.
struct TimeLimit {
    let timeout: Duration
    let watch = Stopwatch()

    init(_ timeout: Duration) { self.timeout = timeout }

    /// The last moment that is in time, in nanoseconds of CLOCK_MONOTONIC.
    var deadline: Int64 { watch.began + timeout.nanoseconds + watch.standstill }

    /// The time that is left of it.
    var left: Duration { .nanoseconds(deadline - cs_monotonic()) }

    /// `time`, unless it cannot be true of something that ended in time.
    func plausible(_ time: Duration?) -> Duration? {
        time.flatMap { possible.contains($0) ? $0 : nil }
    }

    /// `time`, or what is nearest to it of what can be true of something that ended in time.
    func bounded(_ time: Duration?) -> Duration? {
        time.map { min(max($0, possible.lowerBound), possible.upperBound) }
    }

    private var possible: ClosedRange<Duration> { .zero...max(.zero, timeout) }
}

/// The time in which the process was not run although it had something to do: stopped and continued
/// (SIGSTOP, Ctrl-Z), or in a container that was paused.
struct Standstill {
    /// In nanoseconds; rather too much than too little, since no telling when a stop began.
    private(set) var total: Int64 = 0

    /// Later than this no busy machine wakes a thread.
    private static let longestDelay: Int64 = 100_000_000
    /// Longer than this no batch of jobs takes.
    private static let longestWork: Int64 = 1_000_000_000

    /// Notes a wait that was to end when `due` (`nil`: never), all in nanoseconds of
    /// CLOCK_MONOTONIC.
    mutating func note(waitFrom began: Int64, to ended: Int64, due: Int64?) {
        if let due, ended - due > Self.longestDelay { total += ended - began }
    }

    /// Notes the work between two waits.
    mutating func note(jobsFrom began: Int64, to ended: Int64) {
        if ended - began > Self.longestWork { total += ended - began }
    }
}
