import DNSWire

/// The server of the service that answers.
struct IdentityCheck: Sendable {
    /// An ordinary query with NSID (RFC 5001).
    var nsid: Evidence
    /// `id.server` and `hostname.bind` (RFC 4892), then `version.bind`, class CHAOS.
    var chaos: [Evidence]
}

extension IdentityCheck {
    private static let names = ["id.server", "hostname.bind", "version.bind"]

    init(nsid: Evidence, _ asker: Asker) async {
        self.init(nsid: nsid, chaos: [])
        for name in Self.names {
            guard let name = try? DomainName(name) else { continue }
            let question = Question(name: name, type: .txt, recordClass: .chaos)
            chaos.append(await asker.ask(question))
        }
    }

    /// The first name that the server returns for itself, escaped.
    var site: String? {
        if let bytes = nsid.reply.response?.nsid, !bytes.isEmpty {
            return PresentationText.escaped(bytes)
        }
        return chaos.prefix(2).compactMap(Self.text).first
    }

    var finding: CheckFinding { CheckFinding(.identity, conclusion, [nsid] + chaos) }

    private var conclusion: Conclusion {
        if let site { return .pass("it calls itself \"\(site.prefix(80))\"") }
        guard ([nsid] + chaos).contains(where: { $0.reply.response != nil }) else {
            return .inconclusive("it did not answer")
        }
        guard chaos.allSatisfy(\.reply.wasAsked) else { return .unasked }
        if nsid.reply.outcome == .timeout {
            return .fail("it drops queries with NSID: measure it with --no-nsid")
        }
        let software = chaos.dropFirst(2).compactMap(Self.text).first
        let known = software.map { " (its software: \"\($0.prefix(80))\")" } ?? ""
        return .fail(
            "it does not say which of its servers answers\(known), so a change goes unseen"
        )
    }

    private static func text(_ evidence: Evidence) -> String? {
        let text = evidence.reply.response?.texts.first?.joined(separator: " ")
        return text?.isEmpty == true ? nil : text
    }
}
