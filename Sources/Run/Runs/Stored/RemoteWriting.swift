package import Catalogue
package import Failures
package import RemoteWrite
import Samples
import Store
import Synchronization

/// A receiver of remote writes, and what it is reached with.
package struct Receiver {
    package let address: ReceiverAddress
    let token: String?
    let server: NamedServer

    package init(_ address: ReceiverAddress, token: String?, _ server: NamedServer) {
        (self.address, self.token, self.server) = (address, token, server)
    }

    /// A connection to the host's first address within the allowed networks, until `deadline` at most, and
    /// until the descriptor `stop` is readable or hung up.
    package func connection(
        until deadline: ContinuousClock.Instant? = nil,
        stop: Int32 = -1
    ) throws -> ReceiverConnection {
        let place = try server.address(until: deadline, stop: stop)
        try checkToken(at: place)
        return try ReceiverConnection(
            address,
            at: place,
            version: Version.text,
            token: token,
            deadline: deadline,
            stop: stop
        )
    }

    /// Throws where the token would leave this machine for all to read.
    package func checkToken(at place: IPAddress) throws(Failure) {
        guard token != nil, !address.isEncrypted, !place.isLoopback else { return }
        throw Failure.usage(
            "--remote-write-token: everybody on the way to \(address.place) could read the token: "
                + "write https:// into the URL"
        )
    }
}

/// Writes what is stored to a receiver, each round once it is stored. A receiver that cannot be reached is no
/// failure: the rounds wait in the store, and go before later ones.
package final class RemoteWriting: RoundTarget {
    private let receiver: Receiver
    /// Why the receiver took nothing, as it was last said.
    private let trouble = Mutex<String?>(nil)

    /// No request is begun after this time of an attempt.
    private static let patience = Duration.seconds(20)
    package static let limit = Duration.seconds(30)

    package init(_ receiver: Receiver) { self.receiver = receiver }

    /// Writes the rounds from a place that the receiver was not yet sent; the first time the last one
    /// alone. Returns whether more of them are left. Throws what is new of what is wrong.
    package func work(_ attempt: RoundFollower.Attempt) throws -> Bool {
        var words: String?
        var isMore = false
        do {
            let (result, rest) = try write(attempt, from: attempt.round.run.vantage)
            isMore = rest > 0
            if result.refused > 0 {
                words =
                    "the remote-write receiver at \(receiver.address.place) refused "
                    + result.refusedRounds
            }
        } catch {
            words = "\(error); the rounds wait in the store"
        }
        let isNew = trouble.withLock { trouble in
            defer { trouble = words }
            return trouble != words
        }
        if let words, isNew { throw Failure(.busy, words) }
        return isMore
    }

    private func write(
        _ attempt: RoundFollower.Attempt,
        from vantage: String
    ) throws -> (RemoteWriter.Result, rest: Int) {
        let (store, clock, url) = (attempt.store, ContinuousClock(), receiver.address.url)
        let end = clock.now.advanced(by: Self.patience)
        guard let newest = try store.lastRound(from: vantage) else { return (.init(), 0) }
        let last = try lastWritten(before: newest, in: store, from: vantage)
        let window = Store.Window(since: last, origins: Run.Origin.usual)
        // Those of a clock that was ahead wait until it is that time.
        let rounds = try store.rounds(window).filter {
            $0.run.vantage == vantage && $0.round.started > last && $0.round.started <= newest
        }
        guard !rounds.isEmpty else { return (.init(), 0) }
        var writer = RemoteWriter(
            to: try receiver.connection(until: attempt.deadline, stop: attempt.stop)
        )
        try writer.write(rounds, of: store, isEnough: { clock.now >= end }) { round in
            try store.noteWritten(until: round.round.started, to: url, from: vantage)
        }
        let result = writer.result
        return (result, rounds.count - result.rounds - result.refused - result.pruned)
    }

    /// The end of what the receiver has. The first time that is everything before the `newest` round,
    /// which is kept in mind at once: what is measured while the receiver is away waits from then on.
    /// So it is once the clock was set back, since nothing would come after an end in the future.
    private func lastWritten(
        before newest: Timestamp,
        in store: Store,
        from vantage: String
    ) throws -> Timestamp {
        let url = receiver.address.url
        if let last = try store.lastWritten(to: url, from: vantage), last <= newest { return last }
        let before = newest.advanced(by: .nanoseconds(-1))
        try store.noteWritten(until: before, to: url, from: vantage)
        return before
    }
}

extension RemoteWriter.Result {
    /// How many rounds the receiver refused, and what it answered.
    package var refusedRounds: String {
        "\(refused.counted("round")), given up" + (refusal.map { " (\($0))" } ?? "")
    }
}
