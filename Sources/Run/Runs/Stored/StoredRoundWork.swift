package import Store

/// Work that follows each stored round.
package struct StoredRoundWork: Sendable {
    /// Writes the metrics of a store, as part of storing a round.
    package typealias Metrics = @Sendable (Store) throws -> Void

    /// Runs before the next program takes its turn at the store.
    package let judge: Judge
    /// Work that connects to other machines.
    package let others: [any RoundTarget]
    package let metrics: Metrics?

    package init(judge: Judge, others: [any RoundTarget], metrics: Metrics?) {
        (self.judge, self.others, self.metrics) = (judge, others, metrics)
    }

    var targets: [any RoundTarget] { [judge] + others }
}
