package import Catalogue
import DNSWire

/// Addresses that nobody has: who answers from there sits on the way, and answers in the place of
/// every resolver.
package enum InterceptionCheck {
    /// Whether queries to `endpoint` may be answered by somebody on the way: in the clear, on the
    /// port of DNS, and not within one's own network.
    package static func concerns(_ endpoint: Endpoint) -> Bool {
        endpoint.port == 53 && !endpoint.transport.isEncrypted && !endpoint.address.isPrivate
    }

    /// Asks the addresses that nobody has, once each, all at the same time.
    package static func finding(
        _ questions: CheckQuestions,
        send: @escaping CheckSend
    ) async -> CheckFinding {
        guard let query = try? Query(questions.signed) else { return judge([]) }
        let question = "\(questions.signed.name) \(questions.signed.type)"
        let evidence = await questions.nobody.prefix(3).concurrentMap { endpoint in
            Evidence(asked: "\(endpoint) for \(question)", reply: await send(endpoint, query))
        }
        return judge(evidence)
    }

    /// Intercepted where anything at all came back; inconclusive where nothing could be sent.
    package static func judge(_ evidence: [Evidence]) -> CheckFinding {
        var conclusion = Conclusion.inconclusive("no unassigned address could be queried")
        for reply in evidence.map(\.reply) where reply.wasAsked && conclusion.judgement != .fail {
            switch reply.outcome {
            case .response, .malformed:
                conclusion = .fail(
                    "an unassigned address answers: port 53 is intercepted on the way, and every "
                        + "resolver queried from here may be the same one"
                )
            default: conclusion = .pass("no unassigned address answers")
            }
        }
        return CheckFinding(.interception, conclusion, evidence)
    }
}
