import Samples
import Synchronization

/// Hands rounds on in the order in which they began, whichever ends first: one that still waits for
/// an answer holds back those after it.
package final class RoundQueue<Round: Sendable>: Sendable {
    private enum Place {
        case open
        /// `nil` where the round was given up.
        case closed(Round?)
    }

    private struct State {
        /// From the first that was not handed on.
        var places: [Place] = []
        /// How many were handed on.
        var gone = 0
        var isFinished = false
        var waiting: CheckedContinuation<Void, Never>?

        /// Whether there is something to hand on, or nothing will come any more.
        var isReady: Bool {
            if let first = places.first, case .closed = first { return true }
            return isFinished && places.isEmpty
        }
    }

    private let state = Mutex(State())

    package init() {}

    /// Makes a place for the round that begins now.
    package func open() -> Int {
        state.withLock { state in
            state.places.append(.open)
            return state.gone + state.places.count - 1
        }
    }

    /// Puts the round, or that there is none, at the place that was made for it.
    package func close(_ place: Int, with round: Round?) {
        wake { $0.places[place - $0.gone] = .closed(round) }
    }

    /// No round begins after those that have.
    package func finish() { wake { $0.isFinished = true } }

    /// Those that are there, after waiting for the first; `nil` when all were handed on.
    package func next() async -> [Round]? {
        while true {
            let (rounds, isOver) = take()
            if !rounds.isEmpty { return rounds }
            if isOver { return nil }
            await withCheckedContinuation { continuation in
                let isReady = state.withLock { state in
                    if state.isReady { return true }
                    state.waiting = continuation
                    return false
                }
                if isReady { continuation.resume() }
            }
        }
    }

    private func take() -> (rounds: [Round], isOver: Bool) {
        state.withLock { state in
            var rounds: [Round] = []
            let count = state.places.prefix { place in
                guard case .closed(let round) = place else { return false }
                if let round { rounds.append(round) }
                return true
            }.count
            state.places.removeFirst(count)
            state.gone += count
            return (rounds, state.isFinished && state.places.isEmpty)
        }
    }

    private func wake(after change: (inout State) -> Void) {
        let waiting = state.withLock { state in
            change(&state)
            guard state.isReady else { return CheckedContinuation<Void, Never>?.none }
            defer { state.waiting = nil }
            return state.waiting
        }
        waiting?.resume()
    }
}
