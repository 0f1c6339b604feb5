import Measurement
import Store

/// Stores the whole rounds of a run as they end, beside the measurement, which does not wait: of a
/// run that is killed, no more than the rounds under way are lost.
struct RoundKeeper: Sendable {
    private let rounds: AsyncStream<MeasuredRound>.Continuation
    private let storing: Task<Void, any Error>

    init(_ store: Store, of run: Store.Run, plan: Plan) {
        let (rounds, continuation) = AsyncStream<MeasuredRound>.makeStream()
        self.rounds = continuation
        storing = Task {
            for await round in rounds where round.isWhole {
                try store.append(
                    round,
                    of: run,
                    targets: plan.targets,
                    questions: plan.questions,
                    marks: RoundMarks.of(round.samples, targets: plan.targets)
                )
            }
        }
    }

    /// Takes the next round; one that was cut short is dropped whole.
    func keep(_ round: MeasuredRound) { rounds.yield(round) }

    /// Waits until all are stored. Throws ``StoreError`` where one could not be.
    func finish() async throws {
        rounds.finish()
        try await storing.value
    }
}
