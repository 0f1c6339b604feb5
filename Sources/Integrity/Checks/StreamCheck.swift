import Catalogue
import DNSWire

/// Asks over TCP, and for an answer that does not fit into a datagram.
struct StreamCheck: Sendable {
    var plain: Evidence
    var large: Evidence

    init(plain: Evidence, large: Evidence) {
        self.plain = plain
        self.large = large
    }

    init(_ asker: Asker, _ questions: CheckQuestions) async {
        plain = await asker.ask(questions.signed, over: .tcp)
        large = await asker.ask(questions.large, over: .udp) { options in
            options.bufferSize = 512
            options.dnssecOK = true
        }
    }

    var finding: CheckFinding {
        let evidence = [plain, large]
        guard plain.reply.response != nil else {
            return CheckFinding(.tcp, .fail, "it does not answer over TCP", evidence)
        }
        if large.reply.wasTruncated, large.reply.response == nil {
            return CheckFinding(
                .tcp,
                .fail,
                "what does not fit into a datagram cannot be had over TCP",
                evidence
            )
        }
        guard large.reply.response != nil else {
            return CheckFinding(
                .tcp,
                .inconclusive,
                "it answers over TCP, but not when a large answer is asked for",
                evidence
            )
        }
        return CheckFinding(
            .tcp,
            .pass,
            large.reply.wasTruncated
                ? "it answers over TCP, and what does not fit into a datagram is had whole"
                : "it answers over TCP; no answer was too large for a datagram",
            evidence
        )
    }
}
