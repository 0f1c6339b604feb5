/// What the TTLs of one resolver's answers to one question tell of its caches.
///
/// An answer that was in a cache counts down to the moment at which it expires; one that was just
/// fetched expires later than those before. Several caches behind one address have as many moments.
struct ExpiryHistory {
    /// What one answer is to those before it.
    enum Finding: Hashable {
        /// There was none before that lives on in a cache.
        case first
        /// It expires with an earlier one.
        case hit
        /// It expires later than all before.
        case miss
        /// It has the TTL of an earlier one that is not over yet: nothing here counts down, or a
        /// cache that does was not met again.
        case unchanging
        /// It expires before the latest one, with none of them: another cache has had it longer.
        case unknown
    }

    private struct Expiry {
        var moment: Int64
        /// The first answer that had it.
        var received: Int64
        var ttl: UInt32
    }

    /// By the order of coming in.
    private var expiries: [Expiry] = []
    /// Whether a TTL was seen to count down, or to stay as it was.
    private var ages = false
    private var stays = false

    /// How far apart the moments of one cache entry may seem, since TTLs are whole seconds.
    private static let second: Int64 = 1_000_000_000
    /// More caches than this behind one address are not told apart.
    private static let mostCaches = 32

    /// Takes in an answer with this TTL in seconds, received at `received`.
    mutating func note(ttl: UInt32, received: Timestamp) -> Finding {
        let received = received.nanoseconds
        let answer = Expiry(
            moment: received + Int64(ttl) * Self.second,
            received: received,
            ttl: ttl
        )
        let latest = expiries.max { $0.moment < $1.moment }
        if let latest, ttl == latest.ttl, received < latest.moment,
            received - latest.received > Self.second
        {
            stays = true
        }
        if let same = expiries.first(where: { abs($0.moment - answer.moment) <= Self.second }) {
            if ttl < same.ttl { ages = true }
            return stays && !ages ? .unchanging : .hit
        }
        // What may not be kept can be no later answer's source.
        guard ttl > 0 else { return .unchanging }
        expiries.removeAll { $0.moment + Self.second < received }
        if expiries.count >= Self.mostCaches { expiries.removeFirst() }
        expiries.append(answer)
        guard let latest else { return .first }
        if answer.moment < latest.moment { return .unknown }
        return stays && !ages ? .unchanging : .miss
    }
}
