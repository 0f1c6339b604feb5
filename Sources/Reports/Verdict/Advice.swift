import Catalogue
import Measurement
import Statistics

/// Which two resolvers to configure, how, and what else would change: printed, never applied.
struct Advice {
    /// The one to ask first, and one of another operator for when it is silent.
    let first: ResolverRow
    let second: ResolverRow?
    /// Whether that is a change.
    let isSwitch: Bool
    private let differences: [String]

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
        let refused = speech.subjects.filter { Self.isRefused($0.comparison) }.map(\.row)
        second = report.rows(of: series).first { row in
            row.rank != nil && row.address != nil && row.address != first.address
                && !refused.contains(row)
                && Self.areApart(first, row, report.context.facts)
        }
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

    /// What else changes, then the lines to write where.
    func lines(width: Int) -> [String] {
        let addresses = [first, second].compactMap { $0?.address }
        let all = addresses.joined(separator: " ")
        let version = first.address?.contains(":") == true ? "ipv6" : "ipv4"
        let pair =
            second.map { " and, for when it is silent, \(EscapedText.terminal($0.name))" } ?? ""
        let opening = "To ask \(EscapedText.terminal(first.name))\(pair), write one of these:"
        let places = [
            ("resolv.conf", addresses.map { "nameserver \($0)" }),
            ("systemd-resolved", ["[Resolve]", "DNS=\(all)", "Domains=~."]),
            (
                "NetworkManager",
                [
                    "nmcli connection modify NAME \\",
                    "  \(version).dns \"\(all)\" \(version).ignore-auto-dns yes",
                ]
            ),
            ("macOS", ["networksetup -setdnsservers Wi-Fi \(all)"]),
        ]
        let column = (places.map(\.0.count).max() ?? 0) + 2
        let table = places.flatMap { place, texts in
            texts.enumerated().map { index, text in
                "  " + (index == 0 ? place : "").padded(to: column) + text
            }
        }
        return differences.flatMap { $0.wrapped(to: width) } + opening.wrapped(to: width) + table
    }
}

extension ResolverRow {
    /// What a system's configuration can name: an address that is asked on port 53 in the clear.
    fileprivate var address: String? {
        guard ["udp", "tcp"].contains(target.transport), target.endpoint.hasSuffix(":53") else {
            return nil
        }
        let host = target.endpoint.dropLast(":53".count)
        return host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : String(host)
    }
}
