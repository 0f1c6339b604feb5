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
        /// The number of data points that the receiver rejected in accepted requests.
        package var refusedPoints = 0
        /// The text of the first rejection.
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
            let contents = zip(kept, recording.rounds.indices)
                .map { Content(round: $0.0, samples: $0.1, index: $1) }
            try post(contents[...], connection.encoder(of: recording), written)
            if let last = batch.last, last.isPruned { try written(last) }
        }
    }

    private struct Content {
        let round: StoredRound
        let samples: Int
        /// The index in the recording of the batch.
        let index: Int
    }

    /// Sends rounds, and halves a rejected request until each round is answered. Each answered part counts as
    /// written at once, so that a receiver that rejects slowly also makes progress.
    private mutating func post(
        _ rounds: ArraySlice<Content>,
        _ encode: (ArraySlice<Int>) throws(Failure) -> [UInt8],
        _ written: (StoredRound) throws -> Void
    ) throws {
        guard let last = rounds.last else { return }
        let answer = connection.post(try encode(rounds.map(\.index)[...]))
        switch answer.status {
        case 200..<300:
            result.rounds += rounds.count
            result.samples += rounds.reduce(0) { $0 + $1.samples }
            let rejection = connection.form.rejection(in: answer)
            result.refusedPoints += rejection.points
            if rejection.points > 0 { result.refusal = result.refusal ?? rejection.words }
        case 400, 413:
            // One rejected round causes the rejection of its whole request.
            guard rounds.count == 1 else {
                let half = rounds.startIndex + rounds.count / 2
                try post(rounds[..<half], encode, written)
                try post(rounds[half...], encode, written)
                return
            }
            result.refused += 1
            result.refusal = result.refusal ?? connection.form.told(answer)
        default: throw connection.form.fault(answer, at: connection.place)
        }
        try written(last.round)
    }
}

extension RoundProtocol {
    /// What a receiver rejected of a request that it accepted: the number of data points, and why.
    fileprivate func rejection(in answer: HTTPConnection.Answer) -> (points: Int, words: String) {
        self == .openTelemetry ? ExportAnswer.rejection(in: answer.body) : (0, "")
    }

    /// A text such as `answered 400: out of order sample`.
    fileprivate func told(_ answer: HTTPConnection.Answer) -> String {
        guard self == .openTelemetry, answer.status > 0 else { return answer.told }
        let line = ExportAnswer.error(in: answer.body)
        return line.isEmpty ? answer.told : "answered \(answer.status): \(line)"
    }

    fileprivate func fault(_ answer: HTTPConnection.Answer, at place: String) -> Failure {
        let receiver = "the \(receiver) at \(place)"
        switch answer.status {
        case 0:
            let reason = answer.firstLine
            let said = reason.isEmpty ? "" : ": \(reason)"
            return Failure(.busy, "\(receiver) cannot be reached\(said)")
        case 300..<500 where ![408, 425, 429].contains(answer.status):
            return Failure(
                .configuration,
                "\(receiver) \(told(answer)): see its URL, and its token"
            )
        default:
            return Failure(.busy, "\(receiver) \(told(answer))")
        }
    }
}
