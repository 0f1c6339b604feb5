public import Catalogue
public import DNSWire

/// Asks addresses that nobody has: who answers from there sits on the way, and answers in the
/// place of every resolver.
public enum InterceptionCheck {
    /// Asks the addresses that nobody has, once each.
    public static func finding(_ questions: CheckQuestions, send: CheckSend) async -> CheckFinding {
        var evidence: [Evidence] = []
        guard let query = try? Query(questions.signed) else { return judge([]) }
        for endpoint in questions.nobody.prefix(3) {
            let reply = await send(endpoint, query)
            let question = "\(questions.signed.name) \(questions.signed.type)"
            evidence.append(Evidence(asked: "\(endpoint) for \(question)", reply: reply))
        }
        return judge(evidence)
    }

    /// Intercepted where anything at all came back; inconclusive where nothing could be sent.
    public static func judge(_ evidence: [Evidence]) -> CheckFinding {
        let hasAnswer = evidence.contains { evidence in
            switch evidence.reply.outcome {
            case .response, .malformed: true
            case .silence, .unreachable, .noRoute, .blocked, .cancelled: false
            }
        }
        if hasAnswer {
            return CheckFinding(
                .interception,
                .fail,
                "an address that nobody has answers: port 53 is intercepted on the way, and every "
                    + "resolver asked from here may be one and the same",
                evidence
            )
        }
        let wasAsked = evidence.contains { evidence in
            switch evidence.reply.outcome {
            case .silence, .unreachable: true
            case .response, .malformed, .noRoute, .blocked, .cancelled: false
            }
        }
        guard wasAsked else {
            return CheckFinding(
                .interception,
                .inconclusive,
                "no address that nobody has could be asked",
                evidence
            )
        }
        return CheckFinding(
            .interception,
            .pass,
            "nobody answers from addresses that nobody has",
            evidence
        )
    }
}
