import Failures
import Samples
package import Store

/// One step of the work on each round of a run.
///
/// A run has two lists of consumers. The consumers of its ``Session`` receive each round before the
/// round is stored, and can mark its samples. The consumers of the second list receive each round
/// after it is stored. Each consumer sees the changes of the consumers before it.
package protocol RoundConsumer: Sendable {
    /// Works on a complete round, and returns soon. `store` contains the round; it is `nil` before
    /// the round is stored, and in a run without a store.
    func take(_ round: inout MeasuredRound, in store: Store?)
}

extension [any RoundConsumer] {
    func take(_ round: inout MeasuredRound, in store: Store? = nil) {
        for consumer in self { consumer.take(&round, in: store) }
    }
}

/// Adds the samples of complete rounds to the progress of the live view.
struct SettledProgress: RoundConsumer {
    let progress: RunProgress
    /// Number of rounds that the run had before the first round of the plan.
    var earlierRounds = 0

    func take(_ round: inout MeasuredRound, in store: Store?) {
        let number = Int(round.round.number) - earlierRounds
        progress.settle(round: number, CountedSamples(of: round.recording))
    }
}

/// Prints a line for each round.
struct Announcement: RoundConsumer {
    let console: any RoundConsole
    let isStored: Bool
    /// Called when the reader of standard output has gone.
    let stop: @Sendable () -> Void

    func take(_ round: inout MeasuredRound, in store: Store?) {
        if !console.announce(round, isStored: isStored) { stop() }
    }
}

/// Writes the metrics of the store after each round. A write error does not affect the round: the
/// next round writes the metrics again.
final class MetricsWriting: RoundConsumer {
    private let write: StoredRoundWork.Metrics
    private let warn: @Sendable (String) -> Void
    private let trouble = LastTrouble()

    init(_ write: @escaping StoredRoundWork.Metrics, warn: @escaping @Sendable (String) -> Void) {
        (self.write, self.warn) = (write, warn)
    }

    func take(_ round: inout MeasuredRound, in store: Store?) {
        guard let store else { return }
        var text: String?
        do { try write(store) } catch { text = "\(error)" }
        do throws(Failure) { try trouble.end(text) } catch {
            warn("\(error.description) (tried again after each round)")
        }
    }
}
