import Catalogue
package import Samples

extension ResolverFindings {
    /// The resolver as measurements name it.
    private var target: Recording.Target {
        Recording.Target(
            label: resolver.label,
            endpoint: resolver.identity,
            transport: Recording.Transport(resolver.endpoint.transport.rawValue),
            series: .cached
        )
    }

    /// Notes the resolver and the names of its queries.
    package func note(in redaction: inout Redaction) {
        redaction.note(target)
        for evidence in findings.flatMap(\.evidence) {
            guard let name = evidence.asked.split(separator: " ").first, name.contains(".") else {
                continue
            }
            if IPAddress(Endpoint.split(name).host) == nil { redaction.note(name: String(name)) }
        }
    }

    /// The findings with placeholders, whose values must have been noted.
    package func redacted(by redaction: Redaction) -> ResolverFindings {
        var redacted = self
        let shown = redaction.applied(to: target)
        let isOfUser = shown.endpoint != target.endpoint
        redacted.resolver.label = shown.label
        if isOfUser { (redacted.otherEndpoint, redacted.site) = (shown.endpoint, nil) }
        let scrubber = redaction.scrubber
        for index in redacted.findings.indices {
            redacted.findings[index] = findings[index].redacted(by: scrubber)
            // The server of a private resolver may give the name of its machine.
            if isOfUser, findings[index].check == .identity, site != nil {
                redacted.findings[index].conclusion = "it gives a name for itself (removed)"
                redacted.findings[index].evidence = []
            }
        }
        return redacted
    }
}

extension CheckFinding {
    fileprivate func redacted(by scrubber: TextScrubber) -> CheckFinding {
        var redacted = self
        redacted.conclusion = scrubber.text(conclusion)
        redacted.evidence = evidence.map { evidence in
            Evidence(
                asked: scrubber.text(evidence.asked),
                reply: evidence.reply,
                otherWords: scrubber.text(evidence.answer)
            )
        }
        return redacted
    }
}
