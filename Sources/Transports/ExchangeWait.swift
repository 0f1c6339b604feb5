/// The wait of an exchange for its answer: until its time is up, and all that came in time was read.
@EventLoopActor
struct ExchangeWait {
    let token: WaitToken
    /// The time is up.
    private(set) var isOver = false
    /// The task was cancelled.
    private(set) var isCancelled = false
    private let limit: TimeLimit

    init(_ token: WaitToken, within limit: TimeLimit) {
        self.token = token
        self.limit = limit
    }

    /// Waits until there may be something to read within `budget`; `false` once nothing that comes
    /// would be in time, or once it is cancelled.
    ///
    /// When the time is up it is `true` once more: what came in time may not have been read yet.
    mutating func goesOn(_ budget: ReadBudget?) async -> Bool {
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
