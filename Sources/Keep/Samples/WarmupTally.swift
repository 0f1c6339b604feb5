package import Statistics

/// A resolver's cache hits and misses in a round's warm-up. The warm-up's first query for a name
/// meets the cache as a user's does, whichever connection it takes; it is not measured itself.
package struct WarmupTally: Hashable, Sendable {
    /// Names that were in the cache.
    package var hits: UInt32
    /// Names that the resolver had to fetch. Where it cannot be told, a name is neither.
    package var misses: UInt32
    /// The median round trip of those that were fetched, in nanoseconds; `nil` without any.
    package var missTime: Int64?

    package init(hits: UInt32, misses: UInt32, missTime: Int64? = nil) {
        (self.hits, self.misses, self.missTime) = (hits, misses, missTime)
    }

    /// As files and stores have it; `nil` where neither count is there.
    package init?(hits: UInt32?, misses: UInt32?, missTime: Int64?) {
        guard hits != nil || misses != nil else { return nil }
        self.init(hits: hits ?? 0, misses: misses ?? 0, missTime: missTime)
    }
}

extension HitShare {
    package mutating func add(_ tally: WarmupTally) {
        merge(HitShare(hits: Int(tally.hits), misses: Int(tally.misses)))
    }
}
