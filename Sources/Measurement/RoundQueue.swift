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
    }

    private let state = Mutex(State())
    /// Tells who waits that something has changed.
    private let (changes, change) = AsyncStream<Void>.makeStream(
        bufferingPolicy: .bufferingNewest(1)
    )

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
        state.withLock { $0.places[place - $0.gone] = .closed(round) }
        change.yield()
    }

    /// No round begins after those that have.
    package func finish() {
        state.withLock { $0.isFinished = true }
        change.yield()
    }

    /// Those that are there, after waiting for the first; `nil` when all were handed on. For one
    /// task, which must not be cancelled.
    package func next() async -> [Round]? {
        var changes = changes.makeAsyncIterator()
        while true {
            let (rounds, isOver) = take()
            if !rounds.isEmpty { return rounds }
            if isOver { return nil }
            _ = await changes.next()
        }
    }

    private func take() -> (rounds: [Round], isOver: Bool) {
        state.withLock { state in
            var rounds: [Round] = []
            while case .closed(let round)? = state.places.first {
                if let round { rounds.append(round) }
                state.places.removeFirst()
                state.gone += 1
            }
            return (rounds, state.isFinished && state.places.isEmpty)
        }
    }
}
