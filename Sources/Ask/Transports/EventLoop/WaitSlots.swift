/// The waits under way, each in a slot that is used again once it is closed.
struct WaitSlots {
    // Safe because a continuation is taken out before it is resumed, once.
    @safe
    private struct Slot {
        var generation: UInt32 = 0
        var continuation: UnsafeContinuation<Wake, Never>?
        /// News that came while nobody was suspended.
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

    /// Goes on with the slot for another wait, which what comes late for the former one does not end.
    mutating func renew(_ token: WaitToken) -> WaitToken {
        let next = WaitToken(slot: token.slot, generation: token.nextGeneration)
        slots[Int(token.slot)] = unsafe Slot(generation: next.generation)
        return next
    }

    /// Whether there is news that nobody waited for.
    func hasNews(_ token: WaitToken) -> Bool { slots[Int(token.slot)].news != nil }

    /// Keeps `continuation` until there is news, which may be there already.
    mutating func suspend(_ token: WaitToken, _ continuation: UnsafeContinuation<Wake, Never>) {
        let index = Int(token.slot)
        if let news = slots[index].news {
            // A cancellation stays true; all else is used up.
            if news != .cancelled { slots[index].news = nil }
            unsafe continuation.resume(returning: news)
        } else {
            unsafe slots[index].continuation = continuation
        }
    }

    /// Ends the wait if it is still the one that `token` names; `false` if it is not.
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

/// Names one wait; a slot that is used again has another generation, so that a late event or
/// timer of the former wait cannot end the new one.
struct WaitToken: Hashable, Sendable {
    var slot: UInt32
    var generation: UInt32

    var packed: UInt64 { UInt64(generation) << 32 | UInt64(slot) }

    /// Names whichever wait has the slot, for a socket that stays with it.
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

/// Why a wait ended.
enum Wake: Sendable {
    case ready, deadline, cancelled
}
