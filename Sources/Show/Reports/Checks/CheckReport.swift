import Catalogue
package import Integrity
import Samples

/// The findings of the checks of resolvers.
package struct CheckReport: TruthReport {
    static let schema = "check"
    static let isRedactable = true

    let findings: [ResolverFindings]
    let context: CheckContext

    package init(findings: [ResolverFindings], context: CheckContext) {
        self.findings = findings
        self.context = context
    }

    /// The findings of each resolver, or the reason why it has none. The findings about the path
    /// come last, because they are no property of a resolver.
    private var examinations: [Document.Examination] {
        let own = findings.map { found in
            let place = found.resolver
            let findings = found.findings.filter { $0.check != .interception }
            let asked = findings.first.map { ": \($0.evidenceText)" } ?? ""
            return Document.Examination(
                subject: "\(place.label) (\(found.endpoint))",
                findings: findings.map(\.shown),
                silence: found.answers ? nil : "It does not answer\(asked). Nothing else was asked."
            )
        }
        let way = findings.first?.finding(of: .interception)
        return own
            + (way.map { [.init(subject: "the network path to them", findings: [$0.shown])] } ?? [])
    }

    var resolvers: [ResolverFindings] { findings }

    static let resolver = Shape<ResolverFindings>(
        "resolver",
        [
            .text("resolver", "Label of the resolver.") { $0.resolver.label },
            .text("name", "The same text as `resolver`.") { $0.resolver.label },
            .text("endpoint", "Endpoint of the resolver.") { $0.endpoint },
            .word("transport", "Transport.") { $0.resolver.endpoint.transport },
            .flag("answers", "Whether the resolver answers.") { $0.answers },
            .text("site", null: "no answer names it", "Site that answered, by NSID.") { $0.site },
            .list("checks", finding, "One entry per check.") { $0.findings },
        ]
    )

    private static let finding = Shape<CheckFinding>(
        "check",
        [
            .word("check", "Name of the check.") { $0.check },
            .word("judgement", "Result.") { $0.judgement },
            .text("conclusion", "Conclusion, for a reader.") { $0.conclusion },
            .list("evidence", evidence, "Queries and answers that it rests on.") { $0.evidence },
        ]
    )

    private static let evidence = Shape<Evidence>(
        "evidence",
        [
            .text("asked", "Query.") { $0.asked },
            .text("answer", "Answer.") { $0.answer },
        ]
    )

    private var checks: [Check] {
        Check.allCases.filter { check in findings.contains { $0.finding(of: check) != nil } }
    }

    package var document: Document {
        var section = Document.Section(headline, tables: findings.isEmpty ? [] : [table])
        section.details = findings.map(summary)
        var document = document(section)
        document.examinations = examinations
        document.method = [.paragraph(Self.method)]
        document.methodHeading = "How it was checked"
        return document
    }

    private static let method =
        "Each resolver was asked for names of which the right answer is known. A check is passed or "
        + "failed by what came back, and inconclusive where that allows no judgement. What was asked "
        + "and what came back stands below each finding."

    private func summary(_ resolver: ResolverFindings) -> String {
        let label = resolver.resolver.label
        guard resolver.answers else { return "\(label) does not answer." }
        let failed = failures(of: resolver).map(\.check.rawValue)
        let open = undecided(of: resolver)
        let rest = open > 0 ? "; \(open) could not be decided" : ""
        return failed.isEmpty
            ? "\(label) failed none\(rest)." : "\(label) failed \(failed.listed)\(rest)."
    }

    func failures(of resolver: ResolverFindings) -> [CheckFinding] {
        resolver.findings.filter { $0.judgement == .fail && $0.check != .interception }
    }

    private var table: Table {
        let columns = findings.map { resolver in
            var column = Table.Column(
                resolver.resolver.label,
                checks.map { resolver.finding(of: $0)?.judgement.shown ?? "" }
            )
            column.usual = Judgement.allCases.map(\.shown.text.count).max() ?? 0
            return column
        }
        var names = Table.Column("check", checks.map(\.rawValue), .heading)
        names.usual = Check.allCases.map(\.rawValue.count).max() ?? 0
        var table = Table([names] + columns, caption: "Result of each check.")
        (table.isStacked, table.standsAlone) = (true, true)
        return table
    }
}

extension CheckFinding {
    fileprivate var shown: Document.Examination.Finding {
        Document.Examination.Finding(
            question: check.rawValue,
            judgement: judgement.shown,
            conclusion: conclusion,
            evidence: evidence.isEmpty ? "" : evidenceText.sentenceStart + "."
        )
    }
}

extension Judgement {
    /// A failed check is also visible without colour.
    fileprivate var shown: Table.Cell {
        switch self {
        case .pass: .init(rawValue, style: .good)
        case .fail: .init("FAIL", style: .warning)
        case .inconclusive: .init(rawValue, style: .faint)
        }
    }
}
