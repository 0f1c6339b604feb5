extension Behaviour {
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
        guard missDelayLow <= missDelayHigh else {
            throw LabError(
                "the miss delay of '\(name)' runs from \(missDelayLow) to \(missDelayHigh);"
                    + " give the smaller one first"
            )
        }
        guard recursionLow <= recursionHigh else {
            throw LabError(
                "the recursion of '\(name)' runs from \(recursionLow) to \(recursionHigh);"
                    + " give the smaller one first"
            )
        }
        guard (0...5).contains(sigma) else {
            throw LabError("sigma of '\(name)' is \(sigma); give a number from 0 to 5")
        }
        guard (0...200).contains(answers) else {
            throw LabError("answers of '\(name)' is \(answers); give a number from 0 to 200")
        }
        guard (1...1000).contains(strata) else {
            throw LabError("strata of '\(name)' is \(strata); give a number from 1 to 1000")
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
