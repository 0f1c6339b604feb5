/// The rounds and samples that a store contains for one resolver, vantage or origin.
package struct StoreHolding: Hashable, Sendable {
    /// The number of rounds: for a resolver, those with a sample of it; for a vantage or an origin, all.
    package var rounds = 0
    /// The number of samples that are not pruned.
    package var samples = 0
    /// The time from the start of the first round to the end of the last; `nil` without any.
    package var span: ClosedRange<Timestamp>?

    package init() {}

    /// Adds a round with this number of samples.
    package mutating func add(samples: Int, _ round: ClosedRange<Timestamp>) {
        rounds += 1
        self.samples += samples
        span = span?.union(round) ?? round
    }
}

/// The content of a store, for each resolver, vantage and origin.
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
