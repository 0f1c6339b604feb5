package import Statistics

/// A resolver's cache hits and misses in a round's warm-up. The warm-up's first query for a name meets the
/// cache in the same state as a user's query. This holds for any connection. The query itself is not
/// measured.
package struct WarmupTally: Hashable, Sendable {
    /// The number of names in the cache.
    package var hits: UInt32
    /// The number of names that the resolver had to fetch. A name without a clear result counts as neither.
    package var misses: UInt32
    /// The median round trip of the fetched names, in nanoseconds; `nil` without any.
    package var missTime: Int64?

    package init(hits: UInt32, misses: UInt32, missTime: Int64? = nil) {
        (self.hits, self.misses, self.missTime) = (hits, misses, missTime)
    }

    /// Creates the tally from a file or store; `nil` if both counts are missing.
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
