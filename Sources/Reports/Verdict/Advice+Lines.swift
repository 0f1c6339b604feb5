import Statistics

extension Advice {
    /// The addresses to write, the one to ask first before the other.
    var addresses: [String] { [first, second].compactMap { $0?.address } }

    /// What resolv.conf(5) is to hold.
    var resolvConf: [String] { addresses.map { "nameserver \($0)" } + [failover.option] }

    /// What else changes, the lines to write where, and what the second is good for.
    func lines(width: Int) -> [String] {
        differences.flatMap { $0.wrapped(to: width) } + opening.wrapped(to: width) + table
            + silence.wrapped(to: width)
    }

    /// What to do with the lines of ``places``.
    var opening: String {
        let pair =
            second.map { " and, for when it is silent, \(EscapedText.terminal($0.name))" } ?? ""
        return "To ask \(EscapedText.terminal(first.name))\(pair), write one of these:"
    }

    /// Where resolvers are configured, and the lines to write there.
    var places: [(name: String, lines: [String])] {
        let all = addresses.joined(separator: " ")
        let version = first.address?.contains(":") == true ? "ipv6" : "ipv4"
        return [
            ("resolv.conf", resolvConf),
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

    /// What is waited for where the first falls silent.
    var silence: String {
        let name = EscapedText.terminal(first.name)
        let standard = StubFailover.standard(servers: failover.servers)
        guard let second else {
            return "There is no second one to advise: should \(name) fall silent, every look-up "
                + "fails after \(failover.surrender) s"
                + plainly("after", standard.surrender, instead: failover.surrender) + "."
        }
        let format = LatencyFormat(fitting: [second.latency.median].compactMap(\.self))
        let then = second.latency.median.map { ", which answers in \(format.prose($0))" } ?? ""
        return "Should \(name) fall silent, every look-up through resolv.conf waits "
            + "\(failover.wait) s before it asks \(EscapedText.terminal(second.name))\(then)"
            + plainly("it waits", standard.wait, instead: failover.wait) + "."
    }

    /// What holds without the line that is printed.
    private func plainly(_ words: String, _ seconds: Int, instead: Int) -> String {
        seconds == instead ? "" : "; without the line 'options' \(words) \(seconds) s"
    }
}
