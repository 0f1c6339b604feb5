import Measurement
import Samples
import Store

/// Stores the whole rounds of a run as they end, beside the measurement, which does not wait: of a
/// run that is killed, no more than the last rounds are lost.
struct RoundKeeper: Sendable {
    private let rounds = RoundQueue<Recording>()
    private let storing: Task<Void, any Error>

    init(_ store: Store) {
        storing = Task { [rounds] in
            // Those that came while others were stored are stored together.
            while let next = await rounds.next() {
                var recording = Recording()
                for round in next { recording.merge(round) }
                try store.append(recording)
            }
        }
    }

    /// Takes the next round; one that was cut short is dropped whole.
    func keep(_ round: Recording) {
        rounds.close(rounds.open(), with: round.rounds[0].isWhole ? round : nil)
    }

    /// Waits until all are stored. Throws ``StoreError`` where one could not be.
    func finish() async throws {
        rounds.finish()
        try await storing.value
    }
}
