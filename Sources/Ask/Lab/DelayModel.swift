package import Catalogue

/// The delays and faults that one simulated resolver draws, in the order of its queries.
///
/// Delays are stratified. Among every ``Behaviour/strata`` draws, each equal part of the
/// distribution of hits and misses occurs once, in random order. The median of 100 queries is
/// therefore close to the configured median. Each delay has the correct distribution, and earlier
/// delays predict only the last few of a block.
///
/// Losses and other faults are independent, because the interval of a failure rate depends on the
/// scatter of their number. Every draw uses the same count of random numbers, so that a change of
/// one fault does not change the delays.
package struct DelayModel: Sendable {
    /// The delays and faults of one query.
    package struct Draw: Hashable, Sendable {
        package var hitDelay: Duration
        /// The extra delay of a cache miss. It is drawn for hits too, because a cold cache has
        /// additional misses.
        package var missDelay: Duration
        /// The extra delay of the path to a zone's name servers, for a name that no cache can
        /// contain.
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

    /// Creates the sequence of the resolver with this index in a ``Laboratory`` with this seed.
    package init(_ behaviour: Behaviour, seed: UInt64, resolver: Int) {
        self.behaviour = behaviour
        generator = SplitMix64(seed: seed, stream: UInt64(truncatingIfNeeded: resolver))
        delays = StratifiedUniform(strata: behaviour.strata)
    }

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
            missDelay: Self.delay(behaviour.missDelayLow, behaviour.missDelayHigh, at: place),
            recursionDelay: Self.delay(behaviour.recursionLow, behaviour.recursionHigh, at: place),
            isMiss: isMiss,
            isLost: strikes(behaviour.lossProbability),
            isLate: strikes(behaviour.lateProbability),
            isDuplicated: strikes(behaviour.duplicateProbability),
            isForged: strikes(behaviour.wrongIDProbability),
            isTruncated: strikes(behaviour.truncateProbability),
            isServerFailure: strikes(behaviour.servfailProbability)
        )
    }

    /// The delay at the fraction `place`, from 0 to 1, between two delays.
    private static func delay(_ low: Duration, _ high: Duration, at place: Double) -> Duration {
        let width = high.milliseconds - low.milliseconds
        return Duration(boundedMilliseconds: low.milliseconds + width * place)
    }

    private mutating func strikes(_ probability: Double) -> Bool {
        generator.uniform() < probability
    }
}

/// Uniform numbers in [0, 1). Each block has one number in every stratum, in random order.
///
/// Each single number is uniform, so that the quantile function of a distribution turns it into a
/// correct sample. A block's sample quantiles scatter less than those of independent numbers.
struct StratifiedUniform: Sendable {
    private var order: [Int]
    private var position = 0

    init(strata: Int) { order = Array(0..<max(strata, 1)) }

    mutating func next(using generator: inout SplitMix64) -> Double {
        if position == 0 { shuffle(using: &generator) }
        defer { position = (position + 1) % order.count }
        return (Double(order[position]) + generator.uniform()) / Double(order.count)
    }

    /// A Fisher–Yates shuffle. It is written here because the standard library may change its own.
    private mutating func shuffle(using generator: inout SplitMix64) {
        for last in stride(from: order.count - 1, to: 0, by: -1) {
            order.swapAt(last, generator.index(below: last + 1))
        }
    }
}

/// A small seeded generator with the same results on every system and in every version.
///
/// Source: Steele, Lea & Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014.
struct SplitMix64: Sendable {
    private var state: UInt64

    /// Creates a generator. Streams of one seed are unrelated.
    init(seed: UInt64, stream: UInt64) {
        state = seed
        state = next() ^ stream
        state = next()
    }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = state
        z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
        return z ^ (z >> 31)
    }

    /// A uniform number in [0, 1), with 53 random bits.
    mutating func uniform() -> Double { Double(next() >> 11) * 0x1p-53 }

    /// A uniform number in 0..<bound. The bias is below bound/2⁵³.
    mutating func index(below bound: Int) -> Int { Int(uniform() * Double(bound)) }
}
