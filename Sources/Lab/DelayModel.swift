/// The delays and faults that one simulated resolver draws, in the order of its queries.
///
/// Delays are stratified: of every ``Behaviour/strata`` draws, each equal part of the distribution
/// of hits and misses together gets one, in random order. So the median of 100 queries lies close
/// to the configured one, while every single delay has the right distribution and none can be told
/// from those before it but the last few of a block. Losses and other faults are independent, since
/// how their number scatters is what a failure rate's interval is about. Every draw takes the same
/// count of random numbers, so that changing one fault leaves all delays as they were.
package struct DelayModel: Sendable {
    /// What one query meets.
    package struct Draw: Hashable, Sendable {
        /// Base and jitter.
        package var hitDelay: Duration
        /// What a miss adds; drawn for hits too, since a cold cache misses on its own account.
        package var missDelay: Duration
        /// What the way to a zone's name servers adds, for a name that no cache can know.
        package var recursionDelay: Duration
        package var isMiss = false
        package var isLost = false
        package var isLate = false
        package var isDuplicated = false
        package var isForged = false
        package var isTruncated = false
        package var isServerFailure = false
    }

    private let behaviour: Behaviour
    private var generator: SplitMix64
    private var delays: StratifiedUniform

    /// The sequence of the resolver with this index in a ``Laboratory`` of this seed.
    package init(_ behaviour: Behaviour, seed: UInt64, resolver: Int) {
        self.behaviour = behaviour
        generator = SplitMix64(seed: seed, stream: UInt64(truncatingIfNeeded: resolver))
        delays = StratifiedUniform(strata: behaviour.strata)
    }

    /// What the next query meets.
    package mutating func next() -> Draw {
        let u = delays.next(using: &generator)
        let hits = 1 - behaviour.missProbability
        let isMiss = u >= hits
        let within = isMiss ? (u - hits) / behaviour.missProbability : u / hits
        let jitter = LogNormal(median: behaviour.jitter.milliseconds, sigma: behaviour.sigma)
        let extra = jitter.quantile(min(max(within, 1e-12), 1 - 1e-12))
        let place = generator.uniform()
        return Draw(
            hitDelay: behaviour.baseDelay + Duration(boundedMilliseconds: extra),
            missDelay: Self.delay(
                from: behaviour.missDelayLow,
                to: behaviour.missDelayHigh,
                at: place
            ),
            recursionDelay: Self.delay(
                from: behaviour.recursionLow,
                to: behaviour.recursionHigh,
                at: place
            ),
            isMiss: isMiss,
            isLost: strikes(behaviour.lossProbability),
            isLate: strikes(behaviour.lateProbability),
            isDuplicated: strikes(behaviour.duplicateProbability),
            isForged: strikes(behaviour.wrongIDProbability),
            isTruncated: strikes(behaviour.truncateProbability),
            isServerFailure: strikes(behaviour.servfailProbability)
        )
    }

    /// What lies at `place`, from 0 to 1, of the way between two delays.
    private static func delay(from low: Duration, to high: Duration, at place: Double) -> Duration {
        let width = high.milliseconds - low.milliseconds
        return Duration(boundedMilliseconds: low.milliseconds + width * place)
    }

    private mutating func strikes(_ probability: Double) -> Bool {
        generator.uniform() < probability
    }
}
