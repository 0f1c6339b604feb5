import DNSWire

/// Asks which server of the service answers.
struct IdentityCheck: Sendable {
    /// An ordinary query with NSID (RFC 5001).
    var nsid: Evidence
    /// `id.server` and `hostname.bind` (RFC 4892), then `version.bind`, class CHAOS.
    var chaos: [Evidence]

    private static let names = ["id.server", "hostname.bind", "version.bind"]

    init(nsid: Evidence, chaos: [Evidence]) {
        self.nsid = nsid
        self.chaos = chaos
    }

    init(nsid: Evidence, _ asker: Asker) async {
        self.nsid = nsid
        chaos = []
        for name in Self.names {
            guard let name = try? DomainName(name) else { continue }
            let question = Question(name: name, type: .txt, recordClass: .chaos)
            chaos.append(await asker.ask(question))
        }
    }

    /// As the server calls itself, escaped; the first that it says.
    var site: String? {
        if let octets = nsid.reply.response?.nsid, !octets.isEmpty {
            return PresentationText.escaped(octets)
        }
        return chaos.prefix(2).compactMap(Self.text).first
    }

    var finding: CheckFinding {
        let evidence = [nsid] + chaos
        if let site {
            return CheckFinding(
                .identity,
                .pass,
                "it calls itself \"\(site.prefix(80))\"",
                evidence
            )
        }
        guard evidence.contains(where: { $0.reply.response != nil }) else {
            return CheckFinding(.identity, .inconclusive, "it did not answer", evidence)
        }
        let software = chaos.dropFirst(2).compactMap(Self.text).first
        let known = software.map { " (its software: \"\($0.prefix(80))\")" } ?? ""
        return CheckFinding(
            .identity,
            .fail,
            "it does not say which of its servers answers\(known), so a change goes unseen",
            evidence
        )
    }

    private static func text(_ evidence: Evidence) -> String? {
        let text = evidence.reply.response?.texts.first?.joined(separator: " ")
        return text?.isEmpty == true ? nil : text
    }
}
