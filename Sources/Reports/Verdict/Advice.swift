import Catalogue
import Samples
import Statistics

/// Which two resolvers to configure, how, and what else would change: printed, never applied.
struct Advice {
    /// The one to ask first, and one of another operator and cache for when it is silent.
    let first: ResolverSummary
    let second: ResolverSummary?
    /// Whether that is a change.
    let isSwitch: Bool
    /// `nil` where it is of cached and uncached names together.
    let series: Series?
    /// Wait of a look-up where the first is silent, with the lines that are printed.
    let failover: StubFailover
    let differences: [String]

    /// `nil` where nothing was decided, and where the one to ask first cannot be configured.
    init?(of report: ComparisonReport) {
        let whole = VerdictSentences(in: nil, of: report)
        guard let series = report.series.first,
            let sentences = whole ?? VerdictSentences(in: series, of: report),
            let subject = sentences.subject
        else { return nil }
        isSwitch = subject.comparison.verdict == .switch
        guard isSwitch || subject.comparison.verdict == .keep else { return nil }
        let first = isSwitch ? subject.row : sentences.baseline
        guard first.address != nil else { return nil }
        self.first = first
        self.series = whole == nil ? series : nil
        let facts = report.context.facts
        let refused = sentences.subjects.filter { subject in
            [.reliability, .tampering, .tail, .edge].contains(subject.comparison.reason)
        }
        .map(\.row)
        let twins = report.sharedCaches
            .map { $0.map { report.recording.targets[$0].endpoint } }
            .filter { $0.contains(first.target.endpoint) }
            .joined()
        second = report.rows(of: series).first { row in
            let provider = facts[row.target.label]?.provider
            return row.rank != nil && row.address != nil && row.address != first.address
                && !refused.contains(row) && !twins.contains(row.target.endpoint)
                && provider.map { $0 != facts[first.target.label]?.provider } ?? true
        }
        let pair = [first, second].compactMap(\.?.target.label)
        let slowest = report.rows.filter { pair.contains($0.target.label) }
            .compactMap(\.latency.maximum).max()
        failover = StubFailover(servers: pair.count, slowest: slowest ?? .infinity)
        let baseline = sentences.baseline
        guard isSwitch, let mine = facts[first.target.label],
            let theirs = facts[baseline.target.label]
        else {
            differences = []
            return
        }
        differences = mine.differences(from: theirs, name: first.said, otherName: baseline.said)
    }

    /// The addresses to write, the one to ask first before the other.
    var addresses: [String] { [first, second].compactMap { $0?.address } }

    var resolvConf: [String] { addresses.map { "nameserver \($0)" } + [failover.option] }

    /// Changes beside speed, the lines to write where, and what the second is good for.
    func lines(width: Int) -> [String] {
        differences.flatMap { $0.wrapped(to: width) } + opening.wrapped(to: width) + table
            + silence.wrapped(to: width)
    }

    var opening: String {
        let pair = second.map { " as primary and \($0.said) as fallback" } ?? ""
        return "To use \(first.said)\(pair), write one of these:"
    }

    var places: [(name: String, lines: [String])] {
        let all = addresses.joined(separator: " ")
        let settings = [("ipv4", false), ("ipv6", true)].compactMap { version, isIPv6 -> String? in
            let own = addresses.filter { $0.contains(":") == isIPv6 }.joined(separator: " ")
            return own.isEmpty
                ? nil : "  \(version).dns \"\(own)\" \(version).ignore-auto-dns yes"
        }
        return [
            ("resolv.conf", resolvConf),
            ("systemd-resolved", ["[Resolve]", "DNS=\(all)", "Domains=~."]),
            (
                "NetworkManager",
                ["nmcli connection modify NAME \\"] + settings.dropLast().map { $0 + " \\" }
                    + settings.suffix(1)
            ),
            ("macOS", ["networksetup -setdnsservers Wi-Fi \(all)"]),
        ]
    }

    private var table: [String] {
        let places = places
        let column = (places.map(\.name.count).max() ?? 0) + 2
        return places.flatMap { place in
            place.lines.enumerated().map { index, text in
                "  " + (index == 0 ? place.name : "").padded(to: column) + text
            }
        }
    }

    /// Sentence on the wait where the first falls silent.
    var silence: String {
        let name = first.said
        let standard = failover.standard
        guard let second else {
            return "No fallback to recommend: if \(name) does not answer, look-ups fail after "
                + "\(failover.surrender) s"
                + plainly(standard.surrender, instead: failover.surrender) + "."
        }
        let format = LatencyFormat(fitting: [second.latency.median].compactMap(\.self))
        let then = second.latency.median.map { " (median \(format.prose($0)))" } ?? ""
        return "If \(name) does not answer, each look-up through resolv.conf waits "
            + "\(failover.timeout) s before it tries \(second.said)\(then)"
            + plainly(standard.timeout, instead: failover.timeout) + "."
    }

    /// Phrase on what holds without the line that is printed.
    private func plainly(_ seconds: Int, instead: Int) -> String {
        seconds == instead ? "" : "; without the line 'options', \(seconds) s"
    }
}

extension ResolverSummary {
    /// Address that a system's configuration can name: one that is asked on port 53 in the clear.
    var address: String? {
        guard ["udp", "tcp"].contains(target.transport), target.endpoint.hasSuffix(":53") else {
            return nil
        }
        // A file may say anything, and this is pasted into a shell.
        return (try? Endpoint(parsing: target.endpoint))?.address.description
    }
}
