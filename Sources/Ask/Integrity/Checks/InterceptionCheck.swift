package import Catalogue
import DNSWire

/// Queries to addresses that no host has. A device that answers from such an address is on the
/// path, and can answer instead of every resolver.
package enum InterceptionCheck {
    /// Whether a device on the path may answer queries to `endpoint`. It may if the queries are not
    /// encrypted, use the port of DNS, and leave the local network.
    package static func concerns(_ endpoint: Endpoint) -> Bool {
        endpoint.port == 53 && !endpoint.transport.isEncrypted && !endpoint.address.isPrivate
    }

    /// Queries the addresses that no host has, once each, all at the same time.
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

    /// The finding: intercepted if any message was received, inconclusive if no query could be
    /// sent.
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
