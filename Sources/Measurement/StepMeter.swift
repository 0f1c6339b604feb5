/// How far the wall clock was set: by how much it gets ahead of a clock that nobody can set, and that
/// goes on while the machine sleeps.
package struct StepMeter: Sendable {
    /// What falls short of this may be the time between the two readings.
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
