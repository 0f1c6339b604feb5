import Catalogue
import Samples
import Statistics

/// The two resolvers to configure, the settings, and other differences. They are printed, never applied.
struct Advice {
    /// The one to ask first, and one of another operator and cache for when it is silent.
    let first: ResolverSummary
    let second: ResolverSummary?
    /// The addresses to write, the one to ask first before the other.
    let addresses: [String]
    /// How this machine sets its nameservers; `nil` where it is not known.
    let mechanism: ResolverSetup.Mechanism?
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
        guard let primary = first.address(in: report.context) else { return nil }
        self.first = first
        self.series = whole == nil ? series : nil
        let facts = report.context.facts
        let refused = sentences.subjects.filter { subject in
            [.reliability, .lossUnknown, .tampering, .tail, .edge]
                .contains(subject.comparison.reason)
        }
        .map(\.row)
        let twins = report.sharedCaches
            .map { $0.map { report.recording.targets[$0].endpoint } }
            .filter { $0.contains(first.target.endpoint) }
            .joined()
        second = report.rows(of: series).first { row in
            let provider = facts[row.target.label]?.provider
            let address = row.address(in: report.context, but: primary)
            return row.rank != nil && address != nil && address != primary
                && !refused.contains(row) && !twins.contains(row.target.endpoint)
                && provider.map { $0 != facts[first.target.label]?.provider } ?? true
        }
        let fallback = second?.address(in: report.context, but: primary)
        addresses = [primary, fallback].compactMap(\.self)
        mechanism = report.context.resolverSetup?.mechanism
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

    var resolvConf: [String] { addresses.map { "nameserver \($0)" } + [failover.option] }

    var opening: String {
        let pair = second.map { " as primary and \($0.said) as fallback" } ?? ""
        return "To use \(first.said)\(pair), change one of these settings:"
    }

    /// The settings of the router and of devices, then the mechanism of this machine.
    var places: [(name: String, lines: [String])] {
        let numbered = addresses.enumerated().map { "DNS \($0 + 1): \($1)" }
        let windows = zip(["Preferred DNS", "Alternate DNS"], addresses).map { "\($0): \($1)" }
        let devices = [
            ("Router", addresses.enumerated().map { "DNS server \($0 + 1): \($1)" }),
            (
                "Windows",
                ["Settings > Network & internet > DNS server assignment > Manual"] + windows
            ),
            ("Android", ["Settings > Wi-Fi > your network > IP settings > Static"] + numbered),
            (
                "iOS",
                ["Settings > Wi-Fi > your network > Configure DNS > Manual"]
                    + addresses.map { "Add Server: \($0)" }
            ),
        ]
        return devices + [machinePlace].compactMap(\.self)
    }

    private var machinePlace: (name: String, lines: [String])? {
        let all = addresses.joined(separator: " ")
        switch mechanism {
        case .plainFile: return ("/etc/resolv.conf", resolvConf)
        case .resolvconf:
            return ("resolvconf", ["/etc/resolvconf/resolv.conf.d/head:"] + resolvConf)
        case .openresolv:
            return ("resolvconf", ["/etc/resolvconf.conf:", "name_servers=\"\(all)\""])
        case .systemdResolved:
            let lines = ["/etc/systemd/resolved.conf:", "[Resolve]", "DNS=\(all)", "Domains=~."]
            return ("systemd-resolved", lines)
        case .networkManager:
            let settings = [("ipv4", false), ("ipv6", true)]
                .compactMap { version, isIPv6 -> String? in
                    let own = addresses.filter { $0.contains(":") == isIPv6 }
                        .joined(separator: " ")
                    return own.isEmpty
                        ? nil : "  \(version).dns \"\(own)\" \(version).ignore-auto-dns yes"
                }
            return (
                "NetworkManager",
                ["nmcli connection modify NAME \\"] + settings.dropLast().map { $0 + " \\" }
                    + settings.suffix(1)
            )
        case .macOS: return ("macOS", ["networksetup -setdnsservers Wi-Fi \(all)"])
        case nil: return nil
        }
    }

    /// Whether the lines that are printed have the options of ``failover``.
    private var hasOptions: Bool { mechanism == .plainFile || mechanism == .resolvconf }

    /// Sentence on the wait where the first falls silent.
    var silence: String {
        let name = first.said
        let standard = failover.standard
        guard let second else {
            let surrender = hasOptions ? failover.surrender : standard.surrender
            return "No fallback to recommend: if \(name) does not answer, look-ups fail after "
                + "\(surrender) s" + plainly(standard.surrender, instead: surrender) + "."
        }
        let format = LatencyFormat(fitting: [second.latency.median].compactMap(\.self))
        let then = second.latency.median.map { " (median \(format.prose($0)))" } ?? ""
        guard mechanism != .systemdResolved else {
            return "If \(name) does not answer, systemd-resolved changes to \(second.said)\(then)."
        }
        let timeout = hasOptions ? failover.timeout : standard.timeout
        return "If \(name) does not answer, each look-up through resolv.conf waits \(timeout) s "
            + "before it tries \(second.said)\(then)"
            + plainly(standard.timeout, instead: timeout) + "."
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

    /// The same. A stub of the machine that was measured, which would ask itself, is replaced by a
    /// server that it asks, other than `other`; `nil` where none is known.
    fileprivate func address(in context: ReportContext, but other: String? = nil) -> String? {
        guard let own = address, let parsed = IPAddress(own) else { return nil }
        let isOfMachine =
            ResolverNotation.isOfMachine(target.label) || isBaseline && context.isBaselineInUse
        guard parsed.isResolvedStub || parsed.isLoopback && isOfMachine else { return own }
        guard let setup = context.resolverSetup, setup.vantage == context.vantage else {
            return nil
        }
        return setup.upstreams.first { $0 != other }
    }
}
