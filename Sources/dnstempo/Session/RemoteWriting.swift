import Catalogue
import RemoteWrite
import Samples
import Store
import Synchronization

/// A receiver of remote writes, and what it is reached with.
struct Receiver {
    let address: ReceiverAddress
    let token: String?
    let server: NamedServer

    /// A connection to the host's first address within the allowed networks.
    func connection() throws -> ReceiverConnection {
        let place = try server.address()
        try checkToken(at: place)
        return try ReceiverConnection(address, at: place, version: Version.text, token: token)
    }

    /// Throws where the token would leave this machine for all to read.
    func checkToken(at place: IPAddress) throws(Failure) {
        guard token != nil, !address.isEncrypted, !place.isLoopback else { return }
        throw Failure.usage(
            "--remote-write-token: everybody on the way to \(address.place) could read the token: "
                + "write https:// into the URL"
        )
    }
}

/// Writes what is stored to a receiver, each round once it is stored. One that cannot be reached is no
/// failure: the rounds wait in the store, and go before later ones.
final class RemoteWriting: Sendable {
    private let receiver: Receiver
    /// Why the receiver took nothing, as it was last said.
    private let trouble = Mutex<String?>(nil)

    /// Rounds that waited for long are written by and by, so that later ones are stored meanwhile.
    private static let patience = Duration.seconds(20)

    init(_ receiver: Receiver) { self.receiver = receiver }

    /// Writes the rounds from a place that the receiver was not yet sent; the first time the last one
    /// alone. Throws what is new of what is wrong.
    func roundStored(in store: Store, from vantage: String) throws {
        var words: String?
        do {
            let result = try write(store, from: vantage)
            if result.refused > 0 {
                words =
                    "the remote-write receiver at \(receiver.address.place) refused "
                    + result.refusedRounds
            }
        } catch {
            words = "\(Failure(describing: error)); the rounds wait in the store"
        }
        let isNew = trouble.withLock { trouble in
            defer { trouble = words }
            return trouble != words
        }
        if let words, isNew { throw Failure(.busy, words) }
    }

    private func write(
        _ store: Store,
        from vantage: String
    ) throws -> RemoteWriter.Result {
        let (clock, url) = (ContinuousClock(), receiver.address.url)
        let end = clock.now.advanced(by: Self.patience)
        guard let newest = try store.lastRound(from: vantage) else { return .init() }
        let last = try lastWritten(before: newest, in: store, from: vantage)
        let window = Store.Window(since: last, origins: Run.Origin.usual)
        // Those of a clock that was ahead wait until it is that time.
        let rounds = try store.rounds(window).filter {
            $0.run.vantage == vantage && $0.round.started > last && $0.round.started <= newest
        }
        guard !rounds.isEmpty else { return .init() }
        var writer = RemoteWriter(to: try receiver.connection())
        try writer.write(rounds, of: store, isEnough: { clock.now >= end }) { round in
            try store.noteWritten(until: round.round.started, to: url, from: vantage)
        }
        return writer.result
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
    var refusedRounds: String {
        "\(refused.counted("round")), given up" + (refusal.map { " (\($0))" } ?? "")
    }
}
