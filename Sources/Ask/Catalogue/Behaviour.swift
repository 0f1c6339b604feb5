/// How one simulated resolver answers: its delays and its faults.
///
/// The resolver answers a query `baseDelay` + jitter·exp(σ·z) after the kernel received it. Here z
/// is standard normal. A cache miss adds a uniform delay. Each fault occurs independently for each
/// query.
package struct Behaviour: Hashable, Sendable {
    /// The label of the resolver, also sent in NSID, `id.server` and TXT answers.
    package var name: String
    /// The minimum delay of every answer.
    package var baseDelay: Duration
    /// The median of the additional log-normal delay; zero for no such delay.
    package var jitter = Duration.zero
    /// The standard deviation of the logarithm of the additional delay.
    package var sigma = 0.5
    /// The probability that a cached name has to be fetched again.
    package var missProbability = 0.0
    /// The minimum and the maximum extra delay of a cache miss.
    package var missDelayLow = Duration.zero
    package var missDelayHigh = Duration.zero
    /// Whether a name's first query, and its first query after the TTL expired, is a cache miss.
    package var coldCache = false
    /// The share of names that are in the cache, at any age, when they are first asked for. The
    /// other names are fetched, as random labels are. `nil` if every name is answered as if it were
    /// cached.
    package var found: Double?
    /// The minimum and the maximum extra delay of the first query for a random label. It simulates
    /// the path to the name servers, which no cache avoids.
    package var recursionLow = Duration.zero
    package var recursionHigh = Duration.zero
    /// The probability that no answer is sent.
    package var lossProbability = 0.0
    /// The probability that the answer is sent `lateDelay` later.
    package var lateProbability = 0.0
    package var lateDelay = Duration.zero
    /// The probability that a UDP answer is sent twice.
    package var duplicateProbability = 0.0
    /// The probability that a forged answer with another ID precedes a UDP answer, at half its
    /// delay.
    package var wrongIDProbability = 0.0
    /// The probability that a UDP answer is empty with TC set, so that the client has to retry over
    /// TCP.
    package var truncateProbability = 0.0
    /// The probability that the answer is SERVFAIL.
    package var servfailProbability = 0.0
    /// Whether the answer to every query is REFUSED.
    package var refuse = false
    /// Whether a name that does not exist gets an answer with an address.
    package var nxdomainRewrite = false
    /// Whether the resolver never answers.
    package var silent = false
    /// The TTL of a fresh answer, in seconds. It counts down while the name is cached.
    package var ttl: UInt32 = 300
    /// The number of addresses in an answer.
    package var answers = 1
    /// The size of the blocks in which delays are drawn. A block has one delay from each equal part
    /// of the distribution, in random order: see ``DelayModel``. With 1 the delays are independent.
    package var strata = 20

    package init(name: String, baseDelay: Duration) {
        self.name = name
        self.baseDelay = baseDelay
    }
}
