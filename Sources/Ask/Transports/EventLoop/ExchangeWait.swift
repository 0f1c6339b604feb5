/// The wait of an exchange for its answer. It lasts until the time is up and all data that arrived in time
/// was read.
@EventLoopActor
struct ExchangeWait {
    let token: WaitToken
    /// Whether the time is up.
    private(set) var isOver = false
    private(set) var isCancelled = false

    init(_ token: WaitToken) { self.token = token }

    /// Waits until data may be readable within `budget`. Returns `false` once no arriving data
    /// can be within `limit`, or once the wait is cancelled.
    ///
    /// When the time is up, it returns `true` once more, because data that arrived in time may be unread.
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

/// The maximum that is read from one socket before the timers and all other sockets have their turn.
///
/// A sender can keep a socket full indefinitely, so that reading until the socket is empty would never
/// end. The rest is read in the next turn, because the poller reports only new data.
final class ReadBudget {
    private static let mostMessages = 64
    private static let mostBytes = 65_536

    /// The numbers of messages and bytes in one turn of the event loop.
    private struct Account {
        var turn: UInt64 = 0
        var messages = 0
        var bytes = 0

        /// Counts another message. Returns false if the turn's limit is reached.
        mutating func allows(in turn: UInt64) -> Bool {
            if self.turn != turn { self = Account(turn: turn) }
            guard messages < mostMessages, bytes < mostBytes else { return false }
            messages += 1
            return true
        }
    }

    /// The wait that resumes once there may be more data.
    var wait: WaitToken?
    private var received = Account()
    /// The account of the error queue. It is separate, so that a flood of messages does not hide the send
    /// stamps of queries.
    private var queued = Account()
    /// The turn after which the wait resumes.
    private var cutOff: UInt64?
    /// The arrival time of the data that was received last.
    private var newest: Int64 = 0

    func allowsMessage() -> Bool { goOnLater(unless: received.allows(in: EventLoop.shared.turn)) }

    /// Counts the received bytes.
    func spend(bytes: Int, _ arrival: Arrival) {
        received.bytes += bytes
        newest = arrival.moment
    }

    /// Whether another entry may be read from the error queue in this turn.
    func allowsEntry() -> Bool { goOnLater(unless: queued.allows(in: EventLoop.shared.turn)) }

    /// Whether more data may remain than this turn allowed.
    private var isSpent: Bool { cutOff == EventLoop.shared.turn }

    /// Whether unread data may remain that arrived before `moment` (CLOCK_MONOTONIC).
    func leavesUnread(before moment: Int64) -> Bool { isSpent && newest <= moment }

    private func goOnLater(unless isAllowed: Bool) -> Bool {
        guard !isAllowed else { return true }
        if !isSpent, let wait { EventLoop.shared.goOnNextTurn(wait) }
        cutOff = EventLoop.shared.turn
        return false
    }
}
