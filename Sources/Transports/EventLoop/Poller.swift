/// What wakes the event loop: sockets that became ready, a time limit, or ``wake()``.
protocol Poller: ~Copyable {
    init() throws(SystemError)

    /// Reports `descriptor` under `token` each time it becomes readable, or has an error; for
    /// `writable` also when it can be written. Closing the descriptor ends that.
    func add(_ descriptor: Int32, token: WaitToken, writable: Bool) throws(SystemError)

    /// Waits for events, at most `limit` nanoseconds (`nil`: no limit); `false` where there may be
    /// more that it has not reported.
    mutating func wait(limit: Int64?, report: (WaitToken) -> Void) -> Bool

    /// Ends a wait from any thread.
    func wake()
}

/// Names one wait; a slot that is used again has another generation, so that a late event or
/// timer of the former wait cannot end the new one.
struct WaitToken: Hashable, Sendable {
    var slot: UInt32
    var generation: UInt32

    var packed: UInt64 { UInt64(generation) << 32 | UInt64(slot) }

    init(slot: UInt32, generation: UInt32) {
        self.slot = slot
        self.generation = generation
    }

    init(packed: UInt64) {
        slot = UInt32(truncatingIfNeeded: packed)
        generation = UInt32(truncatingIfNeeded: packed >> 32)
    }
}
