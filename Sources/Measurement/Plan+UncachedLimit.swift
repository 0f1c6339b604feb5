extension Plan {
    /// What a resolver is asked at most of the uncached series in a run: random names look like an
    /// attack where they are many.
    package static let mostUncached = 250

    /// The plan with the uncached series ending once an address got so many of its queries; without
    /// a cached one the run ends there.
    package func limitingUncached(to most: Int = mostUncached) throws(PlanError) -> Plan {
        guard zoneCount > 0 else { return self }
        let perRound = zoneCount * max(1, largestUncachedGroup)
        guard perRound <= most else {
            throw PlanError(
                "\(zoneCount) zones are \(perRound) uncached queries to a resolver in each round: "
                    + "name fewer, so that they are \(most) at most"
            )
        }
        var plan = self
        plan.uncachedRounds = most / perRound
        if cachedCount == 0 { plan.rounds = min(rounds, plan.uncachedRounds) }
        return plan
    }

    /// How far apart rounds without an end may start, so that no address gets more than `most`
    /// uncached queries an hour.
    package func uncachedInterval(most: Int = mostUncached) -> Duration {
        .seconds(3600) * (zoneCount * max(1, largestUncachedGroup)) / max(1, most)
    }
}
