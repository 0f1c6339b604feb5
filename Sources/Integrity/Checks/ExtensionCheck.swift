import DNSWire

/// Asks with EDNS, a buffer of 1232 octets and the DO bit, which a signed name then shows.
struct ExtensionCheck: Sendable {
    var evidence: Evidence

    init(evidence: Evidence) { self.evidence = evidence }

    init(_ asker: Asker, _ questions: CheckQuestions) async {
        evidence = await asker.ask(questions.signed) { $0.dnssecOK = true }
    }

    var finding: CheckFinding {
        guard let response = evidence.reply.response else {
            return CheckFinding(.edns, .inconclusive, "it did not answer", [evidence])
        }
        if [.formErr, .notImp, .badVersion].contains(response.code) {
            return CheckFinding(.edns, .fail, "it does not understand EDNS", [evidence])
        }
        guard response.code == .noError else {
            return CheckFinding(.edns, .inconclusive, "the test name does not resolve", [evidence])
        }
        guard response.hasEDNS else {
            return CheckFinding(.edns, .fail, "it answers without EDNS", [evidence])
        }
        guard response.dnssecOK, response.hasSignatures else {
            return CheckFinding(
                .edns,
                .fail,
                "it answers with EDNS, but leaves out the signatures that were asked for",
                [evidence]
            )
        }
        return CheckFinding(
            .edns,
            .pass,
            "it answers with EDNS and the signatures that were asked for",
            [evidence]
        )
    }
}
