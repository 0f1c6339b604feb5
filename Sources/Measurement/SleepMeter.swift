/// How long the machine has slept: by how much a clock that goes on meanwhile gets ahead of one
/// that stands still.
package struct SleepMeter: Sendable {
    /// Of what falls short of this, the clocks' own rates may be the cause.
    package static let least = Duration.milliseconds(100)

    private let read: @Sendable () -> Duration

    /// Counts from now on.
    package init<Going: Clock, Standing: Clock>(_ going: Going, _ standing: Standing)
    where Going.Duration == Duration, Standing.Duration == Duration {
        let start = going.now
        let startOfStanding = standing.now
        read = {
            var ahead = Duration.zero
            // A process that has to wait between two readings has not slept.
            for _ in 0..<5 {
                let before = going.now
                let awake = startOfStanding.duration(to: standing.now)
                ahead = start.duration(to: before) - awake
                if before.duration(to: going.now) < Self.least / 10 { break }
            }
            return ahead
        }
    }

    /// Linux: CLOCK_BOOTTIME and CLOCK_MONOTONIC; macOS: CLOCK_MONOTONIC_RAW and CLOCK_UPTIME_RAW.
    package static let system = SleepMeter(ContinuousClock(), SuspendingClock())

    /// In all since the meter was made, give or take what the first reading took.
    package var total: Duration { read() }

    /// Whether the machine slept since the meter read `earlier`.
    package func hasSlept(since earlier: Duration) -> Bool { total - earlier > Self.least }
}
