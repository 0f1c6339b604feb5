import Samples
import Synchronization

/// Rounds in the order of their start. A round that still waits for an answer delays the rounds
/// after it. Each element contains all rounds that are available at that time.
///
/// One task can iterate over the queue. It gets all rounds, also if it is cancelled.
package final class RoundQueue<Round: Sendable>: AsyncSequence, Sendable {
    package struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let queue: RoundQueue

        package func next() async -> [Round]? { await queue.next() }
    }

    private enum Place {
        case open
        /// `nil` if the round was cancelled.
        case closed(Round?)
    }

    private struct State {
        /// The places from the first round that was not passed on.
        var places: [Place] = []
        /// The number of rounds that were passed on.
        var gone = 0
        var isFinished = false
        /// The last time when rounds were passed on.
        var handedOn: ContinuousClock.Instant?
        /// The task that waits for a change.
        var waiting: CheckedContinuation<Void, Never>?
        /// Whether something changed while no task was waiting.
        var hasChanged = false
    }

    private let state = Mutex(State())
    private let gap: Duration

    /// Creates a queue that passes rounds on at most once per `gap`. Waking a task for each of
    /// thousands of rounds per second would cost more than their processing.
    package init(gap: Duration = .zero) { self.gap = gap }

    /// Creates a place for the round that begins now.
    package func open() -> Int {
        state.withLock { state in
            state.places.append(.open)
            return state.gone + state.places.count - 1
        }
    }

    /// Stores the round, or that it was cancelled, at its place.
    package func close(_ place: Int, with round: Round?) {
        let isFirst = state.withLock { state in
            state.places[place - state.gone] = .closed(round)
            return place == state.gone
        }
        // Later rounds have to wait for this place.
        if isFirst { change() }
    }

    /// Adds a round that ends before any other round begins.
    package func append(_ round: Round) { close(open(), with: round) }

    /// Ends the queue. No further round begins.
    package func finish() {
        state.withLock { $0.isFinished = true }
        change()
    }

    /// Wakes the waiting task.
    private func change() {
        let waiting = state.withLock { state in
            if state.waiting == nil { state.hasChanged = true }
            return state.waiting.take()
        }
        waiting?.resume()
    }

    /// Returns after a change since the last call. A stream would return at once in a cancelled task, which
    /// would then never let other tasks run.
    private func changed() async {
        await withCheckedContinuation { continuation in
            let hasChanged = state.withLock { state in
                defer { state.hasChanged = false }
                if !state.hasChanged { state.waiting = continuation }
                return state.hasChanged
            }
            if hasChanged { continuation.resume() }
        }
    }

    package func makeAsyncIterator() -> AsyncIterator { AsyncIterator(queue: self) }

    /// Waits for the next rounds; `nil` after the last round.
    private func next() async -> [Round]? {
        while true {
            if gap > .zero, let last = state.withLock(\.handedOn) {
                try? await Task.sleep(until: last.advanced(by: gap))
            }
            let (rounds, isOver) = take()
            if !rounds.isEmpty { return rounds }
            if isOver { return nil }
            await changed()
        }
    }

    private func take() -> (rounds: [Round], isOver: Bool) {
        state.withLock { state in
            var rounds: [Round] = []
            var count = 0
            while count < state.places.count, case .closed(let round) = state.places[count] {
                if let round { rounds.append(round) }
                count += 1
            }
            state.places.removeFirst(count)
            state.gone += count
            if gap > .zero, !rounds.isEmpty { state.handedOn = .now }
            return (rounds, state.isFinished && state.places.isEmpty)
        }
    }
}
