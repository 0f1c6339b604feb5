/// How one simulated resolver answers: how late, and how wrong.
///
/// A query is answered `baseDelay` + jitter·exp(σ·z) after the kernel received it, z standard
/// normal; a cache miss adds a uniform delay; the faults strike each query independently.
package struct Behaviour: Hashable, Sendable {
    /// The label, which NSID, `id.server` and TXT answers carry too.
    package var name: String
    /// The least delay of every answer.
    package var baseDelay: Duration
    /// The median of the log-normal delay on top; zero for none.
    package var jitter = Duration.zero
    /// The standard deviation of that delay's logarithm.
    package var sigma = 0.5
    /// How often a name that was cached has to be fetched again.
    package var missProbability = 0.0
    /// The extra delay of a cache miss, at least and at most.
    package var missDelayLow = Duration.zero
    package var missDelayHigh = Duration.zero
    /// Whether the first query of a name, and the first after its TTL ran out, is a miss.
    package var coldCache = false
    /// The share of names that are in its cache, of whatever age, when they are first asked for; `nil`
    /// where each is answered as if it were. The others are fetched, as random labels are.
    package var found: Double?
    /// The extra delay of the first query for a random label, at least and at most: the way to its
    /// name servers, which no cache saves.
    package var recursionLow = Duration.zero
    package var recursionHigh = Duration.zero
    /// How often no answer comes.
    package var lossProbability = 0.0
    /// How often the answer comes `lateDelay` later still.
    package var lateProbability = 0.0
    package var lateDelay = Duration.zero
    /// How often a UDP answer comes twice.
    package var duplicateProbability = 0.0
    /// How often a UDP answer is preceded, at half its delay, by a forged one with another ID.
    package var wrongIDProbability = 0.0
    /// How often a UDP answer is cut to nothing with TC set, so that TCP has to be asked.
    package var truncateProbability = 0.0
    /// How often the answer is SERVFAIL.
    package var servfailProbability = 0.0
    /// Whether every query is REFUSED.
    package var refuse = false
    /// Whether a name that does not exist is answered with an address.
    package var nxdomainRewrite = false
    /// Whether nothing is ever answered.
    package var silent = false
    /// The TTL of a fresh answer, in seconds; it counts down while the name is cached.
    package var ttl: UInt32 = 300
    /// Addresses in an answer.
    package var answers = 1
    /// Delays are drawn in blocks of this many, one from each equal part of the distribution, in
    /// random order: see ``DelayModel``. With 1 they are independent.
    package var strata = 20

    package init(name: String, baseDelay: Duration) {
        self.name = name
        self.baseDelay = baseDelay
    }
}
