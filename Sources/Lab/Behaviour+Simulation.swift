package import Catalogue

extension Behaviour {
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
