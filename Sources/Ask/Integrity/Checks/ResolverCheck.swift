/// A check that needs the answers of one resolver only.
protocol ResolverCheck: Sendable {
    static var subject: Check { get }
    var evidence: [Evidence] { get }
    var conclusion: Conclusion { get }

    /// Sends the queries one after the other.
    init(_ asker: Asker, _ questions: CheckQuestions) async
}

/// A judgement and its clause without a final dot.
struct Conclusion {
    let judgement: Judgement
    let text: String

    static func pass(_ text: String) -> Self { .init(judgement: .pass, text: text) }
    static func fail(_ text: String) -> Self { .init(judgement: .fail, text: text) }
    static func inconclusive(_ text: String) -> Self { .init(judgement: .inconclusive, text: text) }

    /// A check that was stopped, or could not send its queries, shows nothing through absent
    /// answers.
    static let unasked = Self.inconclusive("not all questions were asked")
}

extension ResolverCheck {
    var finding: CheckFinding { CheckFinding(Self.subject, conclusion, evidence) }
}

extension CheckFinding {
    init(_ check: Check, _ conclusion: Conclusion, _ evidence: [Evidence]) {
        self.init(check, conclusion.judgement, conclusion.text, evidence)
    }
}
