package import Samples

/// Waits for the times of a plan.
struct Pacer<C: Clock> where C.Duration == Duration {
    /// When a query is sent: by the clock, and from the start of the run.
    struct Turn: Sendable {
        var due: C.Instant
        var offset: Duration
    }

    /// By how much the plan was put off, in all.
    private(set) var postponed = Duration.zero

    /// By how much it was brought forward, since some of it was left out.
    private var broughtForward = Duration.zero
    private let clock: C
    private let origin: C.Instant
    /// Queries since the executor last had a turn.
    private var unbroken = 0

    /// How late a query may leave so that it leaves together with the next ones.
    private let tolerance: Duration

    /// After so many queries that were all due, the executor gets a turn, to take in answers.
    private static var longestBatch: Int { 32 }

    /// How late a query may be before all that follow are put off by as much. After a pause of the
    /// process or the machine, the missed queries would else leave in one burst.
    private static var longestLateness: Duration { .seconds(1) }

    init(clock: C, plan: Plan) {
        self.clock = clock
        tolerance = plan.tolerance
        origin = clock.now
    }

    /// Has all that follows come so much earlier than planned.
    mutating func bringForward(by duration: Duration) { broughtForward += duration }

    /// When, from the start of the run, that comes which was planned for `offset`.
    func planned(_ offset: Duration) -> Duration { offset + postponed - broughtForward }

    /// Waits until `offset` from the start of the run by plan; false when the task was cancelled.
    func wait(until offset: Duration) async -> Bool {
        let due = origin.advanced(by: planned(offset))
        if clock.now < due {
            do { try await clock.sleep(until: due, tolerance: nil) } catch { return false }
        }
        return !Task.isCancelled
    }

    /// Returns when `probe` is due, at that time or as soon after it as possible; `nil` when the
    /// task was cancelled.
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
    /// Below a thousand queries a second each leaves at its own time. Above, waking up for each
    /// would cost more than sending it: they leave in groups, at most 1 ms late, and that is
    /// recorded.
    var tolerance: Duration {
        let gap = blockLength / max(1, targets.count)
        return gap >= .milliseconds(1) ? .zero : min(gap * 20, .milliseconds(1))
    }
}

/// How far the wall clock was set: by how much it gets ahead of a clock that nobody can set, and that
/// goes on while the machine sleeps.
package struct StepMeter: Sendable {
    /// Less than this may be the time between the two readings.
    private static let least = Duration.milliseconds(50)
    /// A clock that is corrected gains or loses 500 ppm at most (adjtimex(2)), and as much may be
    /// its own error.
    private static let driftDivisor = 1_000

    /// When the meter was made, by the wall clock.
    package let start: Timestamp
    private let wall: @Sendable () -> Timestamp
    private let passed: @Sendable () -> Duration

    /// Counts from now on.
    package init<Going: Clock>(_ wall: @escaping @Sendable () -> Timestamp, _ going: Going)
    where Going.Duration == Duration {
        let begin = going.now
        start = wall()
        self.wall = wall
        passed = { begin.duration(to: going.now) }
    }

    /// The time that the wall clock would show, had nobody set it since the start.
    package var now: Timestamp { start.advanced(by: passed()) }

    /// By how much it was set in all; `nil` where it was not.
    package var step: Duration? {
        let time = passed()
        let ahead = wall().since(start) - time
        let most = Self.least + time / Self.driftDivisor
        return (.zero - most...most).contains(ahead) ? nil : ahead
    }
}
