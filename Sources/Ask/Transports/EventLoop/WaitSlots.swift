/// The active waits. Each has a slot, which is reused after the wait is closed.
struct WaitSlots {
    // Safe because a continuation is removed before it is resumed, and is resumed once.
    @safe
    private struct Slot {
        var generation: UInt32 = 0
        var continuation: UnsafeContinuation<Wake, Never>?
        /// An event that occurred while no task was suspended.
        var news: Wake?
    }

    private var slots: [Slot] = []
    private var free: [UInt32] = []

    mutating func open() -> WaitToken {
        guard let slot = free.popLast() else {
            slots.append(Slot())
            return WaitToken(slot: UInt32(slots.count - 1), generation: 0)
        }
        return WaitToken(slot: slot, generation: slots[Int(slot)].generation)
    }

    mutating func close(_ token: WaitToken) {
        _ = renew(token)
        free.append(token.slot)
    }

    /// Reuses the slot for another wait. Late events of the former wait do not end the new wait.
    mutating func renew(_ token: WaitToken) -> WaitToken {
        let next = WaitToken(slot: token.slot, generation: token.nextGeneration)
        slots[Int(token.slot)] = unsafe Slot(generation: next.generation)
        return next
    }

    /// Whether there is an event that no task has received.
    func hasNews(_ token: WaitToken) -> Bool { slots[Int(token.slot)].news != nil }

    /// Stores `continuation` until an event occurs. Resumes it at once if an event has already occurred.
    mutating func suspend(_ token: WaitToken, _ continuation: UnsafeContinuation<Wake, Never>) {
        let index = Int(token.slot)
        if let news = slots[index].news {
            // A cancellation is permanent; other events are received once.
            if news != .cancelled { slots[index].news = nil }
            unsafe continuation.resume(returning: news)
        } else {
            unsafe slots[index].continuation = continuation
        }
    }

    /// Ends the wait that `token` identifies. Returns `false` if the slot belongs to another wait.
    @discardableResult
    mutating func end(_ token: WaitToken, with wake: Wake) -> Bool {
        let index = Int(token.slot)
        guard index < slots.count,
            slots[index].generation == token.generation || token.isOfAnyGeneration
        else { return false }
        let continuation = unsafe slots[index].continuation.take()
        if let continuation = unsafe continuation {
            unsafe continuation.resume(returning: wake)
            if wake == .ready { return true }
        }
        if wake != .ready || slots[index].news == nil { slots[index].news = wake }
        return true
    }
}

/// Identifies one wait. A reused slot gets a new generation, so that a late event or timer of the former wait
/// cannot end the new wait.
struct WaitToken: Hashable, Sendable {
    var slot: UInt32
    var generation: UInt32

    var packed: UInt64 { UInt64(generation) << 32 | UInt64(slot) }

    /// Identifies any wait in the slot, for a socket that keeps the slot.
    var ofAnyGeneration: WaitToken { WaitToken(slot: slot, generation: .max) }
    var isOfAnyGeneration: Bool { generation == .max }
    fileprivate var nextGeneration: UInt32 { generation + 1 == .max ? 0 : generation + 1 }
}

extension WaitToken {
    init(packed: UInt64) {
        slot = UInt32(truncatingIfNeeded: packed)
        generation = UInt32(truncatingIfNeeded: packed >> 32)
    }
}

/// The reason why a wait ended.
enum Wake: Sendable {
    case ready, deadline, cancelled
}
