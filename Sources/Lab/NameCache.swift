/// What a resolver remembers: until when a name of a type is fresh. Moments are nanoseconds.
struct NameCache {
    private struct Key: Hashable {
        let name: [UInt8]
        let type: UInt16
    }

    /// Beyond this many names it starts afresh, so that random ones cannot fill the memory.
    private static let capacity = 100_000

    private var expiry: [Key: Int64] = [:]

    /// Whether the question's answer is in the cache and fresh at `moment`.
    func holds(_ query: LabQuery, at moment: Int64) -> Bool {
        expiry[Key(name: query.name, type: query.type)].map { $0 > moment } ?? false
    }

    /// Remembers the answer from `moment` on for `ttl` seconds.
    mutating func remember(_ query: LabQuery, from moment: Int64, ttl: UInt32) {
        if expiry.count >= Self.capacity { expiry.removeAll(keepingCapacity: true) }
        expiry[Key(name: query.name, type: query.type)] = moment + Int64(ttl) * 1_000_000_000
    }

    /// Seconds left at `moment`, begun ones counted, at most `ttl`; zero where nothing is left.
    func remaining(_ query: LabQuery, at moment: Int64, ttl: UInt32) -> UInt32 {
        guard let end = expiry[Key(name: query.name, type: query.type)], end > moment else {
            return 0
        }
        return UInt32(min((end - moment + 999_999_999) / 1_000_000_000, Int64(ttl)))
    }
}
