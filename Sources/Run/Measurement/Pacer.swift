package import Samples

/// Waits for the times of a plan.
struct Pacer<C: Clock> where C.Duration == Duration {
    /// The due time of a query, by the clock and from the start of the run.
    struct Turn: Sendable {
        var due: C.Instant
        var offset: Duration
    }

    /// The total time by which the plan was postponed.
    private(set) var postponed = Duration.zero

    /// The total time by which the plan was brought forward, because parts of it were skipped.
    private var broughtForward = Duration.zero
    private let clock: C
    private let origin: C.Instant
    /// The number of queries since the executor last had a turn.
    private var unbroken = 0

    /// The maximum delay of a query to send it together with the next ones.
    private let tolerance: Duration

    /// The number of consecutive due queries after which the executor gets a turn, to process
    /// answers.
    private static var longestBatch: Int { 32 }

    /// The maximum lateness of a query before all later queries are postponed by the same time.
    /// Without it, the missed queries would be sent in one burst after a pause of the process or
    /// the machine.
    private static var longestLateness: Duration { .seconds(1) }

    init(clock: C, plan: Plan) {
        self.clock = clock
        tolerance = plan.tolerance
        origin = clock.now
    }

    /// Brings all later queries forward by `duration`.
    mutating func bringForward(by duration: Duration) { broughtForward += duration }

    /// The time, from the start of the run, of an event that was planned for `offset`.
    func planned(_ offset: Duration) -> Duration { offset + postponed - broughtForward }

    /// The time of the plan that is due now.
    var elapsed: Duration { origin.duration(to: clock.now) - postponed + broughtForward }

    /// Waits until `offset` of the plan. Returns false if the task was cancelled.
    func wait(until offset: Duration) async -> Bool {
        let due = origin.advanced(by: planned(offset))
        if clock.now < due {
            do { try await clock.sleep(until: due, tolerance: nil) } catch { return false }
        }
        return !Task.isCancelled
    }

    /// Returns when `probe` is due, or as soon after it as possible; `nil` if the task was
    /// cancelled.
    mutating func wait(for probe: Probe) async -> Turn? {
        let offset = planned(probe.offset)
        let due = origin.advanced(by: offset)
        if clock.now < due {
            unbroken = 0
            do { try await clock.sleep(until: due, tolerance: tolerance) } catch { return nil }
        } else if unbroken >= Self.longestBatch {
            unbroken = 0
            await Task.yield()
        }
        unbroken += 1
        let lateness = due.duration(to: clock.now)
        if lateness > Self.longestLateness { postponed += lateness }
        return Task.isCancelled ? nil : Turn(due: due, offset: offset)
    }
}

extension Plan {
    /// Below 1,000 queries per second, each query is sent at its own time. Above, waking up for
    /// each would cost more than sending it. Queries are then sent in groups, at most 1 ms late,
    /// and the delay is recorded.
    var tolerance: Duration {
        let gap = blockLength / max(1, targets.count)
        return gap >= .milliseconds(1) ? .zero : min(gap * 20, .milliseconds(1))
    }
}

/// A measurement of the changes of the wall clock. It compares the wall clock with a clock that
/// cannot be set and that continues while the machine is suspended.
package struct StepMeter: Sendable {
    /// The minimum difference. A smaller one may be the time between the two readings.
    private static let least = Duration.milliseconds(50)
    /// A clock correction changes the rate by at most 500 ppm (adjtimex(2)), and the error of the
    /// other clock may be as large.
    private static let driftDivisor = 1_000

    /// The wall clock's time when the meter was created.
    package let start: Timestamp
    private let wall: @Sendable () -> Timestamp
    private let passed: @Sendable () -> Duration

    /// Starts the measurement.
    package init<Going: Clock>(_ wall: @escaping @Sendable () -> Timestamp, _ going: Going)
    where Going.Duration == Duration {
        let begin = going.now
        start = wall()
        self.wall = wall
        passed = { begin.duration(to: going.now) }
    }

    /// The time that the wall clock would show without changes since the start.
    package var now: Timestamp { start.advanced(by: passed()) }

    /// The total change of the wall clock; `nil` if it was not set.
    package var step: Duration? {
        let time = passed()
        let ahead = wall().since(start) - time
        let most = Self.least + time / Self.driftDivisor
        return (.zero - most...most).contains(ahead) ? nil : ahead
    }
}
