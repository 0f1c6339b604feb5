import Catalogue
import Samples
import Statistics

/// Which two resolvers to configure, how, and what else would change: printed, never applied.
struct Advice {
    /// The one to ask first, and one of another operator for when it is silent.
    let first: ResolverRow
    let second: ResolverRow?
    /// Whether that is a change.
    let isSwitch: Bool
    let series: Series
    /// What a look-up waits where the first is silent, with the lines that are printed.
    let failover: StubFailover
    let differences: [String]

    /// `nil` where nothing was decided, and where the one to ask first cannot be configured.
    init?(in series: Series, of report: ComparisonReport) {
        guard let speech = VerdictSpeech(in: series, of: report, name: EscapedText.terminal),
            let subject = speech.subject
        else { return nil }
        isSwitch = subject.comparison.verdict == .switch
        guard isSwitch || subject.comparison.verdict == .keep else { return nil }
        let first = isSwitch ? subject.row : speech.baseline
        guard first.address != nil else { return nil }
        self.first = first
        self.series = series
        let refused = speech.subjects.filter { Self.isRefused($0.comparison) }.map(\.row)
        second = report.rows(of: series).first { row in
            row.rank != nil && row.address != nil && row.address != first.address
                && !refused.contains(row)
                && Self.areApart(first, row, report.context.facts)
        }
        let pair = [first, second].compactMap(\.?.target.label)
        let slowest = report.rows.filter { pair.contains($0.target.label) }
            .compactMap(\.latency.maximum).max()
        failover = StubFailover(
            servers: second == nil ? 1 : 2,
            slowest: slowest ?? .infinity
        )
        differences = Self.differences(
            of: subject.row,
            from: speech.baseline,
            facts: report.context.facts,
            isSwitch: isSwitch
        )
    }

    private static func isRefused(_ comparison: Comparison) -> Bool {
        [.reliability, .tampering, .tail].contains(comparison.reason)
    }

    /// Whether two are known to be of different operators, or nothing tells that they are of one.
    private static func areApart(
        _ left: ResolverRow,
        _ right: ResolverRow,
        _ facts: [String: ResolverFacts]
    ) -> Bool {
        guard let left = facts[left.target.label]?.provider,
            let right = facts[right.target.label]?.provider
        else { return true }
        return left != right
    }

    private static func differences(
        of advised: ResolverRow,
        from baseline: ResolverRow,
        facts: [String: ResolverFacts],
        isSwitch: Bool
    ) -> [String] {
        guard isSwitch, let mine = facts[advised.target.label],
            let theirs = facts[baseline.target.label]
        else { return [] }
        return mine.differences(
            from: theirs,
            name: EscapedText.terminal(advised.name),
            otherName: EscapedText.terminal(baseline.name)
        )
    }
}

extension ResolverRow {
    /// What a system's configuration can name: an address that is asked on port 53 in the clear.
    var address: String? {
        guard ["udp", "tcp"].contains(target.transport), target.endpoint.hasSuffix(":53") else {
            return nil
        }
        let host = target.endpoint.dropLast(":53".count)
        return host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : String(host)
    }
}
