/// What a check came to.
public enum Judgement: String, Hashable, Sendable, CaseIterable {
    case pass, fail, inconclusive
}

/// A check's judgement on one resolver, and what it rests on.
public struct CheckFinding: Hashable, Sendable {
    public var check: Check
    public var judgement: Judgement
    /// A clause without a final dot, such as `names that do not exist are sent to 192.0.2.66`.
    public var conclusion: String
    public var evidence: [Evidence]

    public init(
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
    public var evidenceText: String {
        guard !evidence.isEmpty else { return "" }
        return "asked \(evidence.map(\.description).joined(separator: "; "))"
    }
}

/// One query and what came back.
public struct Evidence: Hashable, Sendable, CustomStringConvertible {
    /// Such as `example.com A, with CD`.
    public var asked: String
    public var reply: Reply

    public init(asked: String, reply: Reply) {
        self.asked = asked
        self.reply = reply
    }

    public var description: String { "\(asked): \(reply)" }
}
