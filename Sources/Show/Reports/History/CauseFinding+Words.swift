import Samples
import Statistics

extension CauseFinding {
    /// The cause in words, such as `Cause: your own connection (7.9 of 8.1 ms, most of it in 11 of 12
    /// hours).`
    func sentence(in format: LatencyFormat) -> String {
        guard let name = cause.words else { return "Cause: \(reservation(in: format))." }
        let size = (total ?? 0) * (share ?? 0)
        return
            "Cause: \(name) (\(format.number(abs(size))) of \(format.cell(abs(total ?? 0))), most of "
            + "it in \(won) of \(units) hours)."
    }

    /// The reason why no cause is named.
    private func reservation(in format: LatencyFormat) -> String {
        guard cause == .mixed else {
            return units == 0
                ? "unknown (too few hours of it, or of a resolver in another network, have samples)"
                : "unknown"
        }
        let causes: [ChangeCause] = [.line, .path, .cache, .connection, .resolver]
        let known = causes.compactMap { cause -> String? in
            guard let part = parts[cause], Double(format.number(abs(part))) != 0 else { return nil }
            let name = cause == .resolver ? "the rest" : cause.words ?? ""
            return "\(name) \(part < 0 ? "-" : "+")\(format.cell(abs(part)))"
        }
        return known.isEmpty ? "unknown" : "no single one (\(known.joined(separator: ", ")))"
    }

    static let shape = Shape<CauseFinding>(
        "change-cause",
        [
            .word("word", "Part that explains most of the change.") { $0.cause },
            .number("share", .share, digits: 2...6, null: "no part does", "Part of `total_ms`.") {
                $0.share
            },
            .count("hours", "Hours that were compared.") { $0.units },
            .count("hours_won", "Hours in which the part is more than half.") { $0.won },
            .time("total_ms", null: "unknown", "Change of the median in these hours.") { $0.total },
            Field(
                "parts_ms",
                .map(.number),
                unit: .milliseconds,
                "Size of each part, by its word."
            ) { finding in
                .object(
                    finding.parts.sorted { $0.key.rawValue < $1.key.rawValue }.map {
                        JSONValue.Member(name: $0.key.rawValue, value: .milliseconds($0.value))
                    }
                )
            },
        ]
    )
}

extension ChangeCause {
    /// The name of the cause in a sentence; `nil` without a single cause.
    fileprivate var words: String? {
        switch self {
        case .line: "your own connection"
        case .path: "the network path to it"
        case .site: "another site of it"
        case .cache: "its cache"
        case .connection: "opening the connection"
        case .names: "some of the names"
        case .resolver: "the resolver, or a path that its handshakes do not take"
        case .way: "the network path to it, or the resolver"
        case .mixed, .unknown: nil
        }
    }
}
