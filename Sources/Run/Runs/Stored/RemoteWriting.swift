import Catalogue
package import RemoteWrite
import Samples
import Store

extension Receiver {
    /// Opens a connection for rounds. The attempt ends at `deadline`, or when the descriptor `stop` is
    /// readable or hung up.
    package func connection(
        for form: RoundProtocol,
        until deadline: ContinuousClock.Instant? = nil,
        stop: Int32 = -1
    ) throws -> ReceiverConnection {
        try ReceiverConnection(
            form,
            address,
            at: place(until: deadline, stop: stop),
            version: Version.text,
            token: token,
            deadline: deadline,
            stop: stop
        )
    }
}

/// Writes stored rounds to a receiver, each after it is stored. An unreachable receiver is not an
/// error: the rounds wait in the store, and are written before later ones.
package final class RemoteWriting: RoundTarget {
    private let form: RoundProtocol
    private let receiver: Receiver
    private let trouble = LastTrouble()

    /// The time after which an attempt begins no request.
    private static let patience = Duration.seconds(20)
    package static let limit = Duration.seconds(30)

    package init(_ form: RoundProtocol, to receiver: Receiver) {
        (self.form, self.receiver) = (form, receiver)
    }

    /// Writes the rounds from a place that the receiver does not have. A receiver that got no round
    /// before gets the rounds since the start of this program. Returns whether more rounds are left. Throws
    /// new errors only.
    package func work(_ attempt: RoundFollower.Attempt) throws -> Bool {
        var words: String?
        var isMore = false
        do {
            let (result, rest) = try write(attempt, from: attempt.round.run.vantage)
            isMore = rest > 0
            if let refused = result.refusedParts {
                words = "the \(form.receiver) at \(receiver.address.place) refused \(refused)"
            }
        } catch {
            words = "\(error); the rounds wait in the store"
        }
        try trouble.end(words)
        return isMore
    }

    private func write(
        _ attempt: RoundFollower.Attempt,
        from vantage: String
    ) throws -> (RemoteWriter.Result, rest: Int) {
        let (store, clock, url) = (attempt.store, ContinuousClock(), receiver.address.url)
        let end = clock.now.advanced(by: Self.patience)
        guard let newest = try store.lastRound(from: vantage) else { return (.init(), 0) }
        let last = try lastWritten(attempt, before: newest, from: vantage)
        let window = Store.Window(since: last, origins: Run.Origin.usual)
        // Rounds with a time in the future, from a clock that was ahead, wait until that time.
        let rounds = try store.rounds(window).filter {
            $0.run.vantage == vantage && $0.round.started > last && $0.round.started <= newest
        }
        guard !rounds.isEmpty else { return (.init(), 0) }
        var writer = RemoteWriter(
            to: try receiver.connection(for: form, until: attempt.deadline, stop: attempt.stop)
        )
        try writer.write(rounds, of: store, isEnough: { clock.now >= end }) { round in
            try store.noteWritten(until: round.round.started, to: url, from: vantage)
        }
        let result = writer.result
        return (result, rounds.count - result.rounds - result.refused - result.pruned)
    }

    /// The time up to which the receiver has all rounds.
    ///
    /// For a new receiver it is the time before the follower's first round: several rounds may have
    /// been stored before the first attempt. After the clock was set back it is the time before the
    /// `newest` round, because no round would follow a time in the future. The time is stored at
    /// once, so that rounds measured while the receiver is unreachable wait from then on.
    private func lastWritten(
        _ attempt: RoundFollower.Attempt,
        before newest: Timestamp,
        from vantage: String
    ) throws -> Timestamp {
        let (store, url) = (attempt.store, receiver.address.url)
        let last = try store.lastWritten(to: url, from: vantage)
        if let last, last <= newest { return last }
        let first = last == nil ? min(attempt.first, newest) : newest
        let before = first.advanced(by: .nanoseconds(-1))
        try store.noteWritten(until: before, to: url, from: vantage)
        return before
    }
}

extension RemoteWriter.Result {
    /// The number of rounds or data points that the receiver refused, and its answer; `nil` for none.
    package var refusedParts: String? {
        var parts: [String] = []
        if refused > 0 { parts.append(refused.counted("round")) }
        if refusedPoints > 0 { parts.append(refusedPoints.counted("data point")) }
        guard !parts.isEmpty else { return nil }
        let reason = refusal.flatMap { $0.isEmpty ? nil : " (\($0))" }
        return parts.joined(separator: " and ") + ", given up" + (reason ?? "")
    }
}
