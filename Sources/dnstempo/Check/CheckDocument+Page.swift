import Catalogue
import Integrity
import Reports

extension CheckDocument {
    /// The checks as a page: who tells the truth, a table, each finding with what it rests on.
    func page(command: String) -> HTMLPage {
        var page = ReportPage(
            title: headline,
            answer: [
                PageFragments.answer(headline), PageFragments.list(findings.map(summary)),
                table.html,
            ],
            provenance: "Looked at from \(started) to \(finished), dnstempo \(Version.text)."
        )
        page.findings = findings.map(section) + way
        page.method = [HTML(.p, HTML(text: Self.method))]
        page.methodHeading = "How it was looked at"
        page.command = command
        page.commandHeading = "Look again"
        return page.page
    }

    // MARK: - Words

    private static let method =
        "Each resolver was asked for names of which the right answer is known. A check is passed or "
        + "failed by what came back, and inconclusive where that allows no judgement. What was asked "
        + "and what came back stands below each finding."

    private func fails(_ check: Check) -> [ResolverFindings] {
        findings.filter { $0.finding(of: check)?.judgement == .fail }
    }

    private var headline: String {
        guard findings.contains(where: \.answers) else { return "No resolver answered." }
        let liars = fails(.rewriting).map(\.resolver.label)
        if !liars.isEmpty {
            let verb = liars.count == 1 ? "does" : "do"
            return "\(Self.list(liars)) \(verb) not tell the truth."
        }
        if !fails(.interception).isEmpty {
            return "Somebody on the way answers in the place of resolvers."
        }
        let failing = findings.filter { !failures(of: $0).isEmpty }.map(\.resolver.label)
        return failing.isEmpty
            ? "No resolver failed a check."
            : "No resolver was seen to lie; \(Self.list(failing)) failed other checks."
    }

    /// What is to be said of a resolver, in a sentence.
    private func summary(_ resolver: ResolverFindings) -> String {
        let label = resolver.resolver.label
        guard resolver.answers else { return "\(label) does not answer." }
        let failed = failures(of: resolver).map(\.check.rawValue)
        let open = resolver.findings.count { $0.judgement == .inconclusive }
        let rest = open > 0 ? "; \(open) could not be decided" : ""
        return failed.isEmpty
            ? "\(label) failed none\(rest)." : "\(label) failed \(Self.list(failed))\(rest)."
    }

    private func failures(of resolver: ResolverFindings) -> [CheckFinding] {
        resolver.findings.filter { $0.judgement == .fail && $0.check != .interception }
    }

    private static func list(_ words: [String]) -> String {
        guard let last = words.last, words.count > 1 else { return words.first ?? "" }
        return words.dropLast().joined(separator: ", ") + " and " + last
    }

    // MARK: - Table

    private var table: HTMLTable {
        let checks = Check.allCases.filter { check in
            findings.contains { $0.finding(of: check) != nil }
        }
        return HTMLTable(
            caption: "What each check came to.",
            columns: [HTMLTable.Column("check", isHeading: true)]
                + findings.map { HTMLTable.Column($0.resolver.label) },
            rows: checks.map { check in
                [HTMLTable.Cell(check.rawValue)]
                    + findings.map { resolver in
                        let judgement = resolver.finding(of: check)?.judgement
                        return HTMLTable.Cell(judgement?.word ?? "", style: judgement?.style)
                    }
            },
            isSortable: true
        )
    }

    // MARK: - One by one

    private func section(_ resolver: ResolverFindings) -> HTML {
        let place = resolver.resolver
        let own = resolver.findings.filter { $0.check != .interception }
        let heading = "\(place.label) (\(place.endpoint))"
        guard resolver.answers else {
            let asked = own.first.map { ": \($0.evidenceText)" } ?? ""
            let silence = "It does not answer\(asked). Nothing else was asked."
            return PageFragments.folded(heading, [HTML(.p, HTML(text: silence))])
        }
        return PageFragments.folded(heading, [HTML(.ul, [], own.map(item))])
    }

    /// What concerns the way and not the resolver is said once.
    private var way: [HTML] {
        guard let finding = findings.first?.finding(of: .interception) else { return [] }
        return [PageFragments.folded("the way to them", [HTML(.ul, item(finding))])]
    }

    private func item(_ finding: CheckFinding) -> HTML {
        let judgement = HTML(
            .span,
            [.class(finding.judgement.style)],
            HTML(text: finding.judgement.word)
        )
        let evidence =
            finding.evidence.isEmpty
            ? [] : [HTML(.br), HTML(.small, HTML(text: finding.evidenceText.sentence))]
        return HTML(
            .li,
            [],
            [
                HTML(.strong, HTML(text: finding.check.rawValue)), ", ", judgement,
                HTML(text: ": \(finding.conclusion)."),
            ] + evidence
        )
    }
}

extension Judgement {
    /// The class of its word.
    fileprivate var style: String {
        switch self {
        case .pass: "good"
        case .fail: "warning"
        case .inconclusive: "quiet"
        }
    }
}
