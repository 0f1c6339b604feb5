package import Catalogue
package import Central
import Failures
import Samples
package import Store
import Synchronization

/// Ships stored rounds to a central store at intervals. An unreachable central store is not an
/// error: the rounds wait in the store.
package final class Shipping: RoundTarget {
    private let target: CentralAddress
    private let every: Duration
    private let allowed: AllowedNetworks
    private let state = Mutex(State())

    private struct State {
        /// The time span of the last evaluated round.
        var span: Int64?
        /// Whether the previous attempt had no time to ship all rounds.
        var isBehind = false
    }

    /// Long enough for the hourly sums of years, which are one transaction.
    package static let limit = Duration.seconds(600)

    package init(to target: CentralAddress, every: Duration, within allowed: AllowedNetworks) {
        (self.target, self.every, self.allowed) = (target, every, allowed)
    }

    package func work(_ attempt: RoundFollower.Attempt) throws -> Bool {
        let vantage = attempt.round.run.vantage
        guard try isDue(in: attempt.store, from: vantage) else { return false }
        do { try ship(attempt) } catch {
            state.withLock { $0.isBehind = .now >= attempt.deadline }
            throw Failure(.busy, "\(error); the rounds wait in the store")
        }
        return false
    }

    private func ship(_ attempt: RoundFollower.Attempt) throws {
        var limits = CentralLimits.shipping
        (limits.deadline, limits.stop) = (attempt.deadline, attempt.stop)
        let connection = try target.connection(
            within: allowed,
            limits: limits,
            notice: attempt.warn
        )
        _ = try Shipper(attempt.store, to: connection).ship()
    }

    /// Whether the last round from a place is in another span of `every` than the previously
    /// evaluated round.
    private func isDue(in store: Store, from vantage: String) throws -> Bool {
        let spans = try store.latestResponses(from: vantage, count: 2).suffix(2)
            .map { $0.started.nanoseconds / max(1, every.nanoseconds) }
        return state.withLock { state in
            let before = state.span ?? (spans.count > 1 ? spans.first : nil)
            defer { (state.span, state.isBehind) = (spans.last, false) }
            return state.isBehind || before != spans.last
        }
    }
}

extension Shipper {
    /// Creates a shipper that reports the difference between this machine's clock and the central
    /// store's clock.
    package init(_ store: Store, to central: CentralConnection) throws {
        try self.init(store, to: central) { Timestamp.now.nanoseconds / 1_000_000 }
    }
}
