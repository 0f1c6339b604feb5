import Catalogue
import Integrity
import Reports
import Samples

struct CheckReport: TruthReport {
    static let schema = "check"

    let findings: [ResolverFindings]
    let started: Timestamp
    let finished: Timestamp

    /// The headline, a table with a row for each check and a column for each resolver, then each
    /// finding in words; `width` in columns.
    func text(_ width: Int) -> String {
        let paragraphs = parts.map { part in
            let silence = part.silence?.indented(to: width, by: 2, then: 4)
            let lines = silence ?? part.findings.flatMap { sentences(on: $0, width) }
            return ([part.heading] + lines).map { $0 + "\n" }.joined()
        }
        let answer = headline.wrapped(to: width).map { $0 + "\n" }.joined()
        return ([answer] + blocks(width).map(table) + paragraphs).joined(separator: "\n")
    }

    /// Findings of each resolver, or why there are none, and then those of the way to them, which is
    /// no property of any.
    private var parts: [(heading: String, silence: String?, findings: [CheckFinding])] {
        let own = findings.map { found in
            let place = found.resolver
            let findings = found.findings.filter { $0.check != .interception }
            let asked = findings.first.map { ": \($0.evidenceText)" } ?? ""
            return (
                "\(place.label) (\(place.endpoint))",
                found.answers ? nil : "It does not answer\(asked). Nothing else was asked.",
                findings
            )
        }
        let way = findings.first?.finding(of: .interception)
        return own + (way.map { [("the network path to them", nil, [$0])] } ?? [])
    }

    var resolvers: [JSONValue] { findings.map(Self.json) }

    private static func json(_ resolver: ResolverFindings) -> JSONValue {
        [
            "resolver": .string(resolver.resolver.label),
            "name": .string(resolver.resolver.label),
            "endpoint": .string(resolver.resolver.endpoint.description),
            "transport": .string(resolver.resolver.endpoint.transport.rawValue),
            "answers": .bool(resolver.answers),
            "site": resolver.site.map(JSONValue.string) ?? .null,
            "checks": .array(resolver.findings.map(json)),
        ]
    }

    private static func json(_ finding: CheckFinding) -> JSONValue {
        [
            "check": .string(finding.check.rawValue),
            "judgement": .string(finding.judgement.rawValue),
            "conclusion": .string(finding.conclusion),
            "evidence": .array(
                finding.evidence.map { evidence in
                    [
                        "asked": .string(evidence.asked),
                        "answer": .string(evidence.reply.description),
                    ]
                }
            ),
        ]
    }

    /// As many resolvers side by side as fit into the width, at least one.
    private func blocks(_ width: Int) -> [[ResolverFindings]] {
        let names = Check.allCases.map(\.rawValue.count).max() ?? 0
        var blocks: [[ResolverFindings]] = []
        var used = 0
        for resolver in findings {
            let column = 2 + max(resolver.resolver.label.displayWidth, "inconclusive".count)
            if blocks.isEmpty || used + column > width {
                blocks.append([])
                used = names
            }
            blocks[blocks.count - 1].append(resolver)
            used += column
        }
        return blocks
    }

    private var checks: [Check] {
        Check.allCases.filter { check in findings.contains { $0.finding(of: check) != nil } }
    }

    private func table(of resolvers: [ResolverFindings]) -> String {
        let rows = checks.map { check in
            [check.rawValue] + resolvers.map { $0.finding(of: check)?.judgement.word ?? "" }
        }
        return PlainTable.text([["check"] + resolvers.map(\.resolver.label)] + rows)
    }

    private func sentences(on finding: CheckFinding, _ width: Int) -> [String] {
        let head = "\(finding.check.rawValue), \(finding.judgement.word): "
        var lines = "\(head)\(finding.conclusion).".indented(to: width, by: 2, then: 4)
        if !finding.evidence.isEmpty {
            lines += finding.evidenceText.sentence.indented(to: width, by: 4, then: 4)
        }
        return lines
    }

    var document: Document {
        var section = Document.Section(headline, tables: [table])
        section.details = findings.map(summary)
        var document = document(section)
        document.findings = parts.map { part in
            let silence = part.silence.map { HTML(.p, HTML(text: $0)) }
            let content = silence ?? HTML(.ul, [], part.findings.map(item))
            return PageFragments.folded(part.heading, [content])
        }
        document.method = [HTML(.p, HTML(text: Self.method))]
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
            Table.Column(
                resolver.resolver.label,
                checks.map { check in
                    let judgement = resolver.finding(of: check)?.judgement
                    return Table.Cell(judgement?.word ?? "", style: judgement?.style ?? .plain)
                }
            )
        }
        return Table(
            [.init("check", checks.map(\.rawValue), .heading)] + columns,
            caption: "Result of each check."
        )
    }

    private func item(_ finding: CheckFinding) -> HTML {
        let judgement = HTML(
            .span,
            [.class(finding.judgement.style.pageClass ?? "")],
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
    /// As tables show it: what failed is seen without colour.
    var word: String { self == .fail ? "FAIL" : rawValue }
}

extension String {
    var sentence: String { prefix(1).uppercased() + dropFirst() + "." }

    fileprivate func indented(to width: Int, by first: Int, then rest: Int) -> [String] {
        let head = String(repeating: " ", count: first)
        let margin = String(repeating: " ", count: rest - first)
        return wrapped(to: Swift.max(40, Swift.min(width, 100)) - first, indent: margin)
            .map { head + $0 }
    }
}

extension Judgement {
    fileprivate var style: StyledText.Style {
        switch self {
        case .pass: .good
        case .fail: .warning
        case .inconclusive: .faint
        }
    }
}
