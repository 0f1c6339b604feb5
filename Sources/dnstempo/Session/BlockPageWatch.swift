import DNSWire
import Integrity
import Measurement
import Samples
import Synchronization
import Transports

/// Finds the answers that show a page in the place of a blocked name, while a run goes on.
final class BlockPageWatch: Sendable {
    private struct State {
        var seen = SeenAnswers()
        /// Whether an address was seen that ``blocked`` does not take into account.
        var hasNews = false
        var blocked: [Int: Set<Question>] = [:]
    }

    private let state = Mutex(State())
    private let plan: Plan

    init(_ plan: Plan) { self.plan = plan }

    /// Takes in what an exchange of the cached series answered, a warm-up's too.
    func note(_ exchange: Exchange, of probe: Probe) {
        guard case .response(let response) = exchange.result, !response.addresses.isEmpty,
            plan.series(ofQuestion: probe.question) == .cached
        else { return }
        state.withLock { state in
            let isNew = state.seen.note(
                response.addresses,
                for: plan.questions[probe.question],
                from: probe.target
            )
            if isNew { state.hasNews = true }
        }
    }

    /// Turns the answers of a round that show such a page into filtered ones, as far as is known by
    /// now: from the first round on where each name was answered before.
    func leaveOut(of round: inout Recording) {
        // Found outside the lock, which the measurement waits for.
        let news = state.withLock { state in
            defer { state.hasNews = false }
            return state.hasNews ? state.seen : nil
        }
        if let news {
            let blocked = news.blockedPairs()
            state.withLock { $0.blocked = blocked }
        }
        round.leaveOut(state.withLock(\.blocked))
    }
}
