/// The rounds and samples that a store holds of one resolver, vantage or origin.
package struct StoreHolding: Hashable, Sendable {
    /// Rounds with a sample of a resolver; of a vantage and an origin all.
    package var rounds = 0
    /// Kept, not pruned.
    package var samples = 0
    /// Start of the first such round and end of the last; `nil` without any.
    package var span: ClosedRange<Timestamp>?

    package init() {}

    /// Adds a round with so many samples.
    package mutating func add(samples: Int, _ round: ClosedRange<Timestamp>) {
        rounds += 1
        self.samples += samples
        span = span?.union(round) ?? round
    }
}

/// The holdings of a store, for each resolver, vantage and origin.
package struct StoreHoldings: Hashable, Sendable {
    package struct Resolver: Hashable, Sendable {
        package let label: String
        package let transport: Recording.Transport
        package let endpoint: String

        package init(_ target: Recording.Target) {
            (label, transport) = (target.label, target.transport)
            endpoint = target.endpoint
        }
    }

    package var resolvers: [Resolver: StoreHolding] = [:]
    package var vantages: [String: StoreHolding] = [:]
    package var origins: [Run.Origin: StoreHolding] = [:]

    package init() {}
}
