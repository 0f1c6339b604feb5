package import Catalogue
import Failures

extension Behaviour {
    /// The median time to the answer for a cached name. A query without an answer, or with
    /// SERVFAIL, counts as slower than all others. `nil` if at least half of the queries fail.
    ///
    /// A truncated answer takes two delays, one over UDP and one over TCP.
    package var expectedMedian: Duration? { DelayDistribution(self).quantile(0.5) }

    /// Throws an error about the first field that cannot be simulated.
    func validate() throws(Failure) {
        guard (1...63).contains(name.utf8.count) else {
            throw .usage("the resolver name '\(name)' is not 1 to 63 bytes long; choose another")
        }
        for (field, value, range) in bounds where !range.contains(value) {
            throw .usage(
                "\(field) of '\(name)' is \(value);"
                    + " give a number from \(range.lowerBound) to \(range.upperBound)"
            )
        }
        guard missDelayLow <= missDelayHigh, recursionLow <= recursionHigh else {
            throw .usage(
                "the miss delay or the recursion of '\(name)' is a descending range; give the "
                    + "smaller value first"
            )
        }
    }

    /// The valid ranges. Times are in milliseconds, up to an hour.
    private var bounds: [(field: String, value: Double, range: ClosedRange<Double>)] {
        let probabilities = [
            ("the miss probability", missProbability), ("the loss probability", lossProbability),
            ("the late probability", lateProbability),
            ("the duplicate probability", duplicateProbability),
            ("the wrong ID probability", wrongIDProbability),
            ("the truncate probability", truncateProbability),
            ("the SERVFAIL probability", servfailProbability),
            ("the share found in the cache", found ?? 0),
        ]
        let delays = [
            ("the base delay", baseDelay), ("the jitter", jitter), ("the late delay", lateDelay),
            ("the miss delay", missDelayLow), ("the miss delay", missDelayHigh),
            ("the recursion", recursionLow), ("the recursion", recursionHigh),
        ]
        return probabilities.map { ($0, $1, 0...1) }
            + delays.map { ($0, $1.milliseconds, 0...3_600_000) }
            + [
                ("sigma", sigma, 0...5), ("answers", Double(answers), 0...200),
                ("strata", Double(strata), 1...1000),
            ]
    }
}
