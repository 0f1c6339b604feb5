/// How one simulated resolver answers: how late, and how wrong.
///
/// A query is answered `baseDelay` + jitter·exp(σ·z) after the kernel received it, z standard
/// normal; a cache miss adds a uniform delay; the faults strike each query independently.
public struct Behaviour: Hashable, Sendable {
    /// The label, which NSID, `id.server` and TXT answers carry too.
    public var name: String
    /// What every answer takes at least.
    public var baseDelay: Duration
    /// The median of the log-normal delay on top; zero for none.
    public var jitter = Duration.zero
    /// The standard deviation of that delay's logarithm.
    public var sigma = 0.5
    /// How often a name that was cached has to be fetched again.
    public var missProbability = 0.0
    /// What a cache miss adds, at least and at most.
    public var missDelayLow = Duration.zero
    public var missDelayHigh = Duration.zero
    /// Whether the first query of a name, and the first after its TTL ran out, is a miss.
    public var coldCache = false
    /// What the first query for a random label adds, at least and at most: the way to the zone's own
    /// name servers, which no cache saves.
    public var recursionLow = Duration.zero
    public var recursionHigh = Duration.zero
    /// How often no answer comes.
    public var lossProbability = 0.0
    /// How often the answer comes `lateDelay` later still.
    public var lateProbability = 0.0
    public var lateDelay = Duration.zero
    /// How often a UDP answer comes twice.
    public var duplicateProbability = 0.0
    /// How often a UDP answer is preceded, at half its delay, by a forged one with another ID.
    public var wrongIDProbability = 0.0
    /// How often a UDP answer is cut to nothing with TC set, so that TCP has to be asked.
    public var truncateProbability = 0.0
    /// How often the answer is SERVFAIL.
    public var servfailProbability = 0.0
    /// Whether every query is REFUSED.
    public var refuse = false
    /// Whether a name that does not exist is answered with an address.
    public var nxdomainRewrite = false
    /// Whether nothing is ever answered.
    public var silent = false
    /// The TTL of a fresh answer, in seconds; it counts down while the name is cached.
    public var ttl: UInt32 = 300
    /// Addresses in an answer.
    public var answers = 1
    /// Delays are drawn in blocks of this many, one from each equal part of the distribution, in
    /// random order: see ``DelayModel``. With 1 they are independent.
    public var strata = 20

    public init(name: String, baseDelay: Duration) {
        self.name = name
        self.baseDelay = baseDelay
    }

    /// The median time to the answer of a cached name, counting a query that gets none, or SERVFAIL,
    /// as slower than any; `nil` where that is half of them or more.
    ///
    /// An answer that is truncated takes two delays, one over UDP and one over TCP.
    public var expectedMedian: Duration? { DelayDistribution(self).quantile(0.5) }
}
