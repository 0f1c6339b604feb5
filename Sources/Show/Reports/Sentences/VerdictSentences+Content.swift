import Statistics

/// Sentences on the time to content: whether slower connects cancel the gain of the queries.
extension VerdictSentences {
    /// The headline on a candidate that is faster only at look-ups, or possibly.
    func edge(_ subject: Subject) -> String {
        let name = subject.row.said
        guard isKnown(subject) else {
            return "Not yet: \(name) is faster, but its addresses may be farther away."
        }
        return isFarther(subject)
            ? "No clear gain: \(name) is faster, but its addresses are farther away."
            : "No clear gain: \(name) is faster at queries, not at time to content."
    }

    /// The rest of a sentence on another candidate that is faster only at look-ups, or possibly.
    func slowness(_ subject: Subject) -> String {
        guard isKnown(subject) else { return "its addresses may be farther away" }
        return isFarther(subject)
            ? "its addresses are farther away" : "no faster at time to content"
    }

    private func isFarther(_ subject: Subject) -> Bool { (subject.content?.connection ?? 0) < 0 }

    private func isKnown(_ subject: Subject) -> Bool {
        subject.content?.comparison.verdict == .keep
    }

    /// Facts on look-up and connection together; empty without connects.
    func content(of subject: Subject) -> [String] {
        guard let content = subject.content, let difference = content.comparison.medianDifference
        else { return [] }
        let phrases = words(content.comparison)
        let interval = phrases.confidence(content.comparison.interval, of: content.comparison)
        let whole =
            "Time to content (query and TCP connect): \(phrases.difference(difference)), "
            + "\(period(content.comparison)) (\(interval))."
        guard content.connection != 0 || content.candidateUnconnected > 0 else {
            return [whole, "TCP connect: no difference, both lead to the same addresses."]
        }
        let late =
            content.candidateUnconnected > 0
            ? ", \(content.candidateUnconnected) of \(content.connections) not within "
                + LatencyFormat.plain(ContentRound.longestConnection) : ""
        let connection =
            "TCP connect to its addresses: \(phrases.difference(content.connection)) on "
            + "average\(late)"
        guard let estimate = content.firstByte else { return [whole, "\(connection)."] }
        return [
            whole,
            "\(connection); estimate for the first byte over HTTPS (not measured): "
                + "\(phrases.difference(estimate)).",
        ]
    }
}
