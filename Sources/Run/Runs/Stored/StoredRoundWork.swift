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

    var targets: [any RoundTarget] { [judge] + others }
}
