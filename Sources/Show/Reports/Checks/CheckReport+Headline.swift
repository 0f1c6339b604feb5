package import Analysis
import Catalogue
import Integrity
import Samples

extension CheckReport {
    /// The conclusion in one sentence of at most twelve words, the worst fact first.
    var headline: String {
        guard findings.contains(where: \.answers) else { return "No resolver answered." }
        return Self.sentence([interception, failed, silent, passed].compactMap(\.self))
    }

    /// Joins the leading clauses that fit into twelve words. The worst clause comes first.
    private static func sentence(_ clauses: [String]) -> String {
        clauses.reduce("") { text, clause in
            let longer = text.isEmpty ? clause : "\(text); \(clause)"
            return longer.split(separator: " ").count > 12 ? text : longer
        } + "."
    }

    private var interception: String? {
        findings.first?.finding(of: .interception)?.judgement == .fail
            ? "Port 53 is intercepted" : nil
    }

    /// A clause such as `quad9 failed 2 checks, 3 others up to 1`. A resolver that invents
    /// addresses comes first.
    private var failed: String? {
        let counts =
            findings
            .map { (label: $0.resolver.label, count: failures(of: $0).count, isLiar: $0.isLiar) }
            .filter { $0.count > 0 }
            .sorted { ($0.isLiar ? 1 : 0, $0.count) > ($1.isLiar ? 1 : 0, $1.count) }
        guard let worst = counts.first else { return nil }
        let checks = worst.count.of("check", "checks")
        let alone = "\(worst.label) failed \(checks)"
        let others = counts.dropFirst()
        guard let most = others.map(\.count).max() else { return alone }
        guard others.count > 1 else { return "\(alone), \(others[1].label) \(most)" }
        let isEven = others.allSatisfy { $0.count == worst.count }
        return isEven
            ? "\(counts.count) resolvers failed \(checks) each"
            : "\(alone), \(others.count) others up to \(most)"
    }

    private var silent: String? {
        let labels = findings.filter { !$0.answers }.map(\.resolver.label)
        guard let first = labels.first else { return nil }
        return labels.count == 1 ? "\(first) does not answer" : "\(labels.count) do not answer"
    }

    /// A clause with the number of resolvers that failed no check. An inconclusive check does not
    /// count as passed.
    private var passed: String? {
        let fine = findings.filter { $0.answers && failures(of: $0).isEmpty }
        guard !fine.isEmpty else { return nil }
        let isWhole = fine.count == findings.count
        let subject =
            switch (fine.count, isWhole) {
            case (1, _): fine[0].resolver.label
            case (2, true): "Both resolvers"
            case (let count, true): "All \(count) resolvers"
            case (let count, false): "\(count)"
            }
        guard fine.contains(where: { undecided(of: $0) > 0 }) else {
            return "\(subject) passed all checks"
        }
        guard isWhole else { return "\(subject) failed none" }
        return fine.count == 1 ? "\(subject) failed no check" : "No resolver failed a check"
    }

    /// The number of the resolver's inconclusive checks. Interception is excluded, because it
    /// concerns the path to the resolver.
    func undecided(of resolver: ResolverFindings) -> Int {
        resolver.findings.count { $0.judgement == .inconclusive && $0.check != .interception }
    }
}

extension ResolverFindings {
    fileprivate var isLiar: Bool { finding(of: .rewriting)?.judgement == .fail }
}

extension CheckReport: GatedReport {
    package var labels: [String] { findings.map(\.resolver.label) }

    /// The resolvers that meet the condition. A resolver that does not answer was not checked, and
    /// therefore meets every condition. Interception on the path counts as a failed check of each
    /// resolver.
    package func findings(of condition: FailCondition) -> [String] {
        findings.compactMap { resolver in
            let label = resolver.resolver.label
            guard condition.resolver == nil || condition.resolver == label else { return nil }
            let name = EscapedText.terminal(label)
            guard resolver.answers else { return "\(name) does not answer" }
            let count = resolver.findings.count { $0.judgement == .fail }
            guard condition.holds(count: count) else { return nil }
            return "\(name) has \(condition.metric.rawValue) \(count)"
        }
    }
}
