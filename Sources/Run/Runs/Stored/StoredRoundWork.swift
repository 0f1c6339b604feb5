package import Store

/// Work that follows each round once it is stored.
package struct StoredRoundWork: Sendable {
    /// Writes the figures of a store, as part of storing a round.
    package typealias Metrics = @Sendable (Store) throws -> Void

    /// Before the next program takes its turn at the store.
    package let judge: Judge
    /// Work for which other machines are reached.
    package let others: [any RoundTarget]
    package let metrics: Metrics?

    package init(judge: Judge, others: [any RoundTarget], metrics: Metrics?) {
        (self.judge, self.others, self.metrics) = (judge, others, metrics)
    }

    /// All of it but the metrics after each round at `path`.
    func followers(
        _ path: String,
        _ durability: Store.Durability,
        warn: @escaping @Sendable (String) -> Void
    ) -> RoundFollowers {
        RoundFollowers([judge] + others, path, durability, warn: warn)
    }
}
