/// A check that the answers of one resolver alone decide.
protocol ResolverCheck: Sendable {
    static var subject: Check { get }
    var evidence: [Evidence] { get }
    var conclusion: Conclusion { get }

    /// Asks, one query after the other.
    init(_ asker: Asker, _ questions: CheckQuestions) async
}

/// A judgement and its clause without a final dot.
typealias Conclusion = (judgement: Judgement, text: String)

extension ResolverCheck {
    var finding: CheckFinding {
        CheckFinding(Self.subject, conclusion.judgement, conclusion.text, evidence)
    }
}
