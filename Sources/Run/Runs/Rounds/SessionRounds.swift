import Measurement
import Samples

/// The rounds of a session, in the order of their start. Each element contains the rounds that
/// became complete at the same time.
struct SessionRounds: AsyncSequence, Sendable {
    struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var rounds: RoundQueue<Recording>.AsyncIterator
        fileprivate let finish: @Sendable (Recording) -> MeasuredRound

        mutating func next() async -> [MeasuredRound]? { await rounds.next()?.map(finish) }
    }

    private let rounds: RoundQueue<Recording>
    private let measuring: Task<MeasuredRun, Never>
    private let finish: @Sendable (Recording) -> MeasuredRound

    init(
        _ rounds: RoundQueue<Recording>,
        _ measuring: Task<MeasuredRun, Never>,
        finish: @escaping @Sendable (Recording) -> MeasuredRound
    ) {
        (self.rounds, self.measuring, self.finish) = (rounds, measuring, finish)
    }

    func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(rounds: rounds.makeAsyncIterator(), finish: finish)
    }

    /// The result of the measurement, without its samples.
    var run: MeasuredRun { get async { await measuring.value } }
}
