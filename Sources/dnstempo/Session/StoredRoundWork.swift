import Store

/// Work that follows each round once it is stored.
struct StoredRoundWork: Sendable {
    /// Before the next program takes its turn at the store.
    let judge: Judge
    /// Work for which other machines are reached.
    let others: [any RoundTarget]
    let metrics: MetricsFile?

    /// All of it but the metrics, which are part of storing, after each round at `path`.
    func followers(
        _ path: String,
        _ durability: Store.Durability,
        warn: @escaping @Sendable (String) -> Void
    ) -> RoundFollowers {
        RoundFollowers([judge] + others, path, durability, warn: warn)
    }
}
