import DNSWire

/// EDNS: a query with a buffer of 1232 bytes and the DO bit, for a signed name whose answer shows
/// it.
struct ExtensionCheck {
    var evidence: [Evidence]
}

extension ExtensionCheck: ResolverCheck {
    static let subject = Check.edns

    init(_ asker: Asker, _ questions: CheckQuestions) async {
        evidence = [await asker.ask(questions.signed) { $0.dnssecOK = true }]
    }

    var conclusion: Conclusion {
        guard let response = evidence.first?.reply.response else {
            return .inconclusive("it did not answer")
        }
        if [.formErr, .notImp, .badVersion].contains(response.code) {
            return .fail("it does not understand EDNS")
        }
        guard response.code == .noError else {
            return .inconclusive("the test name does not resolve")
        }
        guard response.hasEDNS else { return .fail("it answers without EDNS") }
        guard response.dnssecOK, response.hasSignatures else {
            return .fail("it answers with EDNS, but leaves out the signatures that were asked for")
        }
        return .pass("it answers with EDNS and the signatures that were asked for")
    }
}
