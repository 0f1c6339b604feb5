import Catalogue
import Samples
import Statistics

/// The two resolvers to configure, the settings, and other differences. They are printed, never applied.
struct Advice {
    /// The primary resolver, and a fallback with another operator and cache.
    let first: ResolverSummary
    let second: ResolverSummary?
    /// The addresses to configure, the primary resolver first.
    let addresses: [String]
    /// The mechanism that sets the nameservers of this machine; `nil` if it is unknown.
    let mechanism: ResolverSetup.Mechanism?
    /// Whether the advice is a change.
    let isSwitch: Bool
    /// `nil` for cached and uncached names together.
    let series: Series?
    /// The wait of a look-up if the primary is silent, with the printed lines.
    let failover: StubFailover
    let differences: [String]

    /// `nil` without a verdict, or if the primary resolver cannot be configured.
    init?(of report: ComparisonReport) {
        guard let series = report.series.first, let sentences = report.answer,
            let subject = sentences.subject
        else { return nil }
        isSwitch = subject.comparison.verdict == .switch
        guard isSwitch || subject.comparison.verdict == .keep else { return nil }
        let first = isSwitch ? subject.row : sentences.baseline
        guard let primary = first.address(in: report.context) else { return nil }
        self.first = first
        self.series = sentences.isWhole ? nil : series
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

    /// Whether the printed lines contain the options of ``failover``.
    private var hasOptions: Bool { mechanism == .plainFile || mechanism == .resolvconf }

    /// The sentence on the wait if the primary falls silent.
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

    /// The phrase on the default behaviour, without the printed line.
    private func plainly(_ seconds: Int, instead: Int) -> String {
        seconds == instead ? "" : "; without the line 'options', \(seconds) s"
    }
}

extension ResolverSummary {
    /// The address for a system's configuration: it must serve plain DNS on port 53.
    var address: String? {
        guard ["udp", "tcp"].contains(target.transport), target.endpoint.hasSuffix(":53") else {
            return nil
        }
        // A file can contain any text, and users paste the address into a shell.
        return (try? Endpoint(parsing: target.endpoint))?.address.description
    }

    /// The same address. A stub of the measured machine would query itself, so it is replaced by one of its
    /// servers other than `other`; `nil` if none is known.
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
