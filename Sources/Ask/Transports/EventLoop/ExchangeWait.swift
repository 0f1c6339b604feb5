/// The wait of an exchange for its answer: until its time is up, and all that came in time was read.
@EventLoopActor
struct ExchangeWait {
    let token: WaitToken
    /// The time is up.
    private(set) var isOver = false
    private(set) var isCancelled = false

    init(_ token: WaitToken) { self.token = token }

    /// Waits until there may be something to read within `budget`; `false` once nothing that comes
    /// would be within `limit`, or once it is cancelled.
    ///
    /// When the time is up it is `true` once more: what came in time may not have been read yet.
    mutating func goesOn(_ budget: ReadBudget?, within limit: TimeLimit) async -> Bool {
        if isOver {
            guard let budget, budget.leavesUnread(before: limit.deadline) else { return false }
            EventLoop.shared.goOnNextTurn(token)
        }
        switch await EventLoop.shared.next(token) {
        case .ready: break
        case .deadline: isOver = true
        case .cancelled: isCancelled = true
        }
        return !isCancelled
    }
}

/// The most that is taken from one socket before the timers and all others have had their turn.
///
/// A sender can keep a socket full for ever, and whoever reads until nothing is left would then
/// never come back. What is left over is read in the next turn: the poller reports only what is new.
final class ReadBudget {
    private static let mostMessages = 64
    private static let mostOctets = 65_536

    /// The messages and octets of one turn of the event loop.
    private struct Account {
        var turn: UInt64 = 0
        var messages = 0
        var octets = 0

        /// Counts another message, unless there were enough in this turn.
        mutating func allows(in turn: UInt64) -> Bool {
            if self.turn != turn { self = Account(turn: turn) }
            guard messages < mostMessages, octets < mostOctets else { return false }
            messages += 1
            return true
        }
    }

    /// The wait that goes on once there may be more.
    var wait: WaitToken?
    private var received = Account()
    /// Apart, so that whoever floods a socket does not hide the send stamps of its queries.
    private var queued = Account()
    /// The turn after which the wait goes on.
    private var cutOff: UInt64?
    /// When what was received last had come.
    private var newest: Int64 = 0

    func allowsMessage() -> Bool { goOnLater(unless: received.allows(in: EventLoop.shared.turn)) }

    /// Counts the octets of what was received.
    func spend(octets: Int, _ arrival: Arrival) {
        received.octets += octets
        newest = arrival.moment
    }

    /// Whether another entry may be taken from the error queue in this turn.
    func allowsEntry() -> Bool { goOnLater(unless: queued.allows(in: EventLoop.shared.turn)) }

    /// Whether there may be more than this turn allowed.
    private var isSpent: Bool { cutOff == EventLoop.shared.turn }

    /// Whether something may be left over that came before `moment` (CLOCK_MONOTONIC).
    func leavesUnread(before moment: Int64) -> Bool { isSpent && newest <= moment }

    private func goOnLater(unless isAllowed: Bool) -> Bool {
        guard !isAllowed else { return true }
        if !isSpent, let wait { EventLoop.shared.goOnNextTurn(wait) }
        cutOff = EventLoop.shared.turn
        return false
    }
}
