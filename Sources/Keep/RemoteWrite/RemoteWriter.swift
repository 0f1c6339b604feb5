import Failures
import HTTP
import Reports
import Samples
package import Store

/// Writes rounds of a store to a receiver, in the order of their start. The receiver rejects rounds that are
/// older than those it has.
package struct RemoteWriter {
    package struct Result: Hashable, Sendable {
        /// The number of rounds and samples that the receiver accepted.
        package var rounds = 0
        package var samples = 0
        /// The number of rounds that the receiver rejected permanently, each in a request of its own.
        package var refused = 0
        /// The status and text of the first rejection.
        package var refusal: String?
        /// The number of rounds whose samples are no longer stored.
        package var pruned = 0

        package init() {}
    }

    /// The limits of a request: it ends after this number of samples, or of rounds.
    private static let samplesAtOnce = 10_000
    private static let roundsAtOnce = 100

    private let connection: ReceiverConnection
    package private(set) var result = Result()

    package init(to connection: ReceiverConnection) { self.connection = connection }

    /// Writes rounds until `isEnough` returns true. Calls `written` with the last round of each answered
    /// request. Throws if the receiver cannot accept rounds now.
    package mutating func write(
        _ rounds: [StoredRound],
        of store: Store,
        isEnough: () -> Bool = { false },
        written: (StoredRound) throws -> Void = { _ in }
    ) throws {
        var rest = rounds[...]
        while let first = rest.popFirst(), !isEnough() {
            var batch = [first]
            var samples = first.samples
            while let next = rest.first, batch.count < Self.roundsAtOnce,
                samples + next.samples <= Self.samplesAtOnce
            {
                batch.append(next)
                samples += next.samples
                rest.removeFirst()
            }
            result.pruned += batch.count(where: \.isPruned)
            let recording = try store.recording(of: batch)
            let counts = recording.samplesByRound().map(\.count)
            let kept = zip(batch.filter { !$0.isPruned }, counts)
            let contents = zip(kept, RoundFigures.all(of: recording))
                .map { Content(round: $0.0, samples: $0.1, figures: $1) }
            try post(contents[...], written)
            if let last = batch.last, last.isPruned { try written(last) }
        }
    }

    private struct Content {
        let round: StoredRound
        let samples: Int
        let figures: RoundFigures
    }

    /// Sends rounds, and halves a rejected request until each round is answered. Each answered part counts as
    /// written at once, so that a receiver that rejects slowly also makes progress.
    private mutating func post(
        _ rounds: ArraySlice<Content>,
        _ written: (StoredRound) throws -> Void
    ) throws {
        guard let last = rounds.last else { return }
        let answer = try connection.post(WriteRequest(rounds.map(\.figures)))
        switch answer.status {
        case 200..<300:
            result.rounds += rounds.count
            result.samples += rounds.reduce(0) { $0 + $1.samples }
        case 400, 413:
            // One rejected round causes the rejection of its whole request.
            guard rounds.count == 1 else {
                let half = rounds.startIndex + rounds.count / 2
                try post(rounds[..<half], written)
                try post(rounds[half...], written)
                return
            }
            result.refused += 1
            result.refusal = result.refusal ?? answer.told
        default: throw answer.fault(at: connection.place)
        }
        try written(last.round)
    }
}

extension HTTPConnection.Answer {
    fileprivate func fault(at place: String) -> Failure {
        let receiver = "the remote-write receiver at \(place)"
        switch status {
        case 0:
            let reason = firstLine
            let said = reason.isEmpty ? "" : ": \(reason)"
            return Failure(.busy, "\(receiver) cannot be reached\(said)")
        case 300..<500 where status != 408 && status != 425 && status != 429:
            return Failure(
                .configuration,
                "\(receiver) \(told): see its URL, and its token"
            )
        default:
            return Failure(.busy, "\(receiver) \(told)")
        }
    }
}
