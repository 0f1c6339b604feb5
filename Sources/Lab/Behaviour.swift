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

    /// The median time to the answer of a cached name, counting a query that gets none, or SERVFAIL,
    /// as slower than any; `nil` where that is half of them or more.
    ///
    /// An answer that is truncated takes two delays, one over UDP and one over TCP.
    package var expectedMedian: Duration? { DelayDistribution(self).quantile(0.5) }

    /// Throws what is wrong with the first field that cannot be simulated.
    func validate() throws(LabError) {
        guard (1...63).contains(name.utf8.count) else {
            throw LabError("the resolver name '\(name)' is not 1 to 63 octets long; choose another")
        }
        for (field, value) in probabilities where !(0...1).contains(value) {
            throw LabError("\(field) of '\(name)' is \(value); give a number from 0 to 1")
        }
        for (field, value) in delays where value < .zero || value > .seconds(3600) {
            throw LabError("\(field) of '\(name)' is \(value); give a duration from 0 to 1 hour")
        }
        for (field, low, high) in [
            ("the miss delay", missDelayLow, missDelayHigh),
            ("the recursion", recursionLow, recursionHigh),
        ] where low > high {
            throw LabError(
                "\(field) of '\(name)' runs from \(low) to \(high); give the smaller one first"
            )
        }
        guard (0...5).contains(sigma) else {
            throw LabError("sigma of '\(name)' is \(sigma); give a number from 0 to 5")
        }
        for (field, value, range) in [("answers", answers, 0...200), ("strata", strata, 1...1000)]
        where !range.contains(value) {
            throw LabError(
                "\(field) of '\(name)' is \(value);"
                    + " give a number from \(range.lowerBound) to \(range.upperBound)"
            )
        }
    }

    private var probabilities: [(String, Double)] {
        [
            ("the miss probability", missProbability), ("the loss probability", lossProbability),
            ("the late probability", lateProbability),
            ("the duplicate probability", duplicateProbability),
            ("the wrong ID probability", wrongIDProbability),
            ("the truncate probability", truncateProbability),
            ("the SERVFAIL probability", servfailProbability),
        ]
    }

    private var delays: [(String, Duration)] {
        [
            ("the base delay", baseDelay), ("the jitter", jitter), ("the late delay", lateDelay),
            ("the miss delay", missDelayLow), ("the miss delay", missDelayHigh),
            ("the recursion", recursionLow), ("the recursion", recursionHigh),
        ]
    }
}
