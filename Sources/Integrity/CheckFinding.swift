/// What a check came to.
package enum Judgement: String, Hashable, Sendable, CaseIterable {
    case pass, fail, inconclusive
}

/// A check's judgement on one resolver, and what it rests on.
package struct CheckFinding: Hashable, Sendable {
    package var check: Check
    package var judgement: Judgement
    /// A clause without a final dot, such as `names that do not exist are sent to 192.0.2.66`.
    package var conclusion: String
    package var evidence: [Evidence]

    package init(
        _ check: Check,
        _ judgement: Judgement,
        _ conclusion: String,
        _ evidence: [Evidence] = []
    ) {
        self.check = check
        self.judgement = judgement
        self.conclusion = conclusion
        self.evidence = evidence
    }

    /// What was asked and what came back, in one sentence; empty where nothing was asked.
    package var evidenceText: String {
        guard !evidence.isEmpty else { return "" }
        return "asked \(evidence.map(\.description).joined(separator: "; "))"
    }
}

/// One query and what came back.
package struct Evidence: Hashable, Sendable, CustomStringConvertible {
    /// Such as `example.com A, with CD`.
    package var asked: String
    package var reply: Reply

    package init(asked: String, reply: Reply) {
        self.asked = asked
        self.reply = reply
    }

    package var description: String { "\(asked): \(reply)" }
}
