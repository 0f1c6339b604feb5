import Store

extension Intake {
    /// Such as `12 rounds, 480 samples`: what is new.
    var counts: String { "\(rounds.counted("round")), \(samples.counted("sample"))" }

    /// Such as `3 rounds were there already`.
    var knownText: String {
        "\(knownRounds.counted("round")) \(knownRounds == 1 ? "was" : "were") there already"
    }
}

extension Int {
    /// Such as `1 round` or `2 rounds`.
    func counted(_ noun: String) -> String { "\(self) \(noun)\(self == 1 ? "" : "s")" }
}
