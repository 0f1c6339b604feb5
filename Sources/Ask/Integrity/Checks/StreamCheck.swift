import Catalogue
import DNSWire

/// TCP, and an answer that is too large for a datagram.
struct StreamCheck {
    var plain: Evidence
    var large: Evidence
}

extension StreamCheck: ResolverCheck {
    static let subject = Check.tcp

    init(_ asker: Asker, _ questions: CheckQuestions) async {
        plain = await asker.ask(questions.signed, over: .tcp)
        large = await asker.ask(questions.large, over: .udp) { options in
            options.bufferSize = 512
            options.dnssecOK = true
        }
    }

    var evidence: [Evidence] { [plain, large] }

    var conclusion: Conclusion {
        guard plain.reply.wasAsked else { return .unasked }
        guard plain.reply.response != nil else { return .fail("it does not answer over TCP") }
        guard large.reply.wasAsked else { return .unasked }
        switch (large.reply.wasTruncated, large.reply.response) {
        case (true, nil):
            return .fail("answers too large for UDP cannot be fetched over TCP")
        case (false, nil):
            return .inconclusive("it answers over TCP, but not when a large answer is asked for")
        case (true, _?):
            return .pass("it answers over TCP, with answers too large for UDP complete")
        case (false, _?):
            return .pass("it answers over TCP; no answer was too large for UDP")
        }
    }
}
