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
