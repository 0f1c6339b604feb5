import Catalogue
import Integrity
import Reports
import Samples

/// What the checks came to, as text and as JSON.
struct CheckDocument: TruthDocument {
    let findings: [ResolverFindings]
    let started: Timestamp
    let finished: Timestamp

    /// A table with a row for each check and a column for each resolver, then each finding in
    /// words; `width` in columns.
    func text(_ width: Int) -> String {
        let tables = blocks(width).map { table(of: $0) }
        let paragraphs = findings.map { words(about: $0, width) }
        let way = findings.first?.finding(of: .interception).map { finding in
            let lines = ["the way to them"] + sentences(on: finding, width)
            return lines.joined(separator: "\n") + "\n"
        }
        return (tables + paragraphs + [way].compactMap { $0 }).joined(separator: "\n")
    }

    /// `dnstempo.check/1`.
    var json: JSONValue {
        [
            "schema": .string("dnstempo.check/1"),
            "tool": ["name": .string("dnstempo"), "version": .string(Version.text)],
            "started": .string(started.description),
            "finished": .string(finished.description),
            "resolvers": .array(findings.map(Self.json)),
        ]
    }

    private static func json(_ resolver: ResolverFindings) -> JSONValue {
        [
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
            let column = 2 + max(resolver.resolver.label.count, "inconclusive".count)
            if blocks.isEmpty || used + column > width {
                blocks.append([])
                used = names
            }
            blocks[blocks.count - 1].append(resolver)
            used += column
        }
        return blocks
    }

    private func table(of resolvers: [ResolverFindings]) -> String {
        var table = PlainTable(["check"] + resolvers.map(\.resolver.label))
        for check in Check.allCases {
            let cells = resolvers.map { $0.finding(of: check)?.judgement.word ?? "" }
            if cells.contains(where: { !$0.isEmpty }) { table.add([check.rawValue] + cells) }
        }
        return table.text
    }

    /// What concerns the way and not the resolver is said once, after all of them.
    private func words(about resolver: ResolverFindings, _ width: Int) -> String {
        let place = resolver.resolver
        var lines = ["\(place.label) (\(place.endpoint))"]
        let own = resolver.findings.filter { $0.check != .interception }
        if resolver.answers {
            lines += own.flatMap { sentences(on: $0, width) }
        } else if let asked = own.first {
            let text = "It does not answer: \(asked.evidenceText). Nothing else was asked."
            lines += text.indented(to: width, by: 2, then: 4)
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private func sentences(on finding: CheckFinding, _ width: Int) -> [String] {
        let head = "\(finding.check.rawValue), \(finding.judgement.word): "
        var lines = "\(head)\(finding.conclusion).".indented(to: width, by: 2, then: 4)
        if !finding.evidence.isEmpty {
            lines += finding.evidenceText.sentence.indented(to: width, by: 4, then: 4)
        }
        return lines
    }
}

extension Judgement {
    /// As tables show it: what failed is seen without colour.
    var word: String { self == .fail ? "FAIL" : rawValue }
}

extension String {
    /// With a capital and a full stop.
    var sentence: String { prefix(1).uppercased() + dropFirst() + "." }

    /// Lines of at most `width` columns behind so many spaces.
    fileprivate func indented(to width: Int, by first: Int, then rest: Int) -> [String] {
        let (head, margin) = (
            String(repeating: " ", count: first), String(repeating: " ", count: rest - first)
        )
        return wrapped(to: Swift.max(40, Swift.min(width, 100)) - first, indent: margin)
            .map { head + $0 }
    }
}
