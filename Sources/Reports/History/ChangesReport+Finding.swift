import Measurement
import Statistics

extension ChangesReport.Finding {
    /// Such as `meadow is 5.0 ms slower since 2026-05-12 14:00, 25.2 after 20.1 ms (…).`
    func sentence(clock: LocalClock) -> String {
        let since = clock.text(Timestamp(hoursSinceEpoch: change.hour))
        let interval = change.interval.map { _ in " (95 % interval \(intervalText))" } ?? ""
        let levels = "\(levelText(change.after)) after \(levelText(change.before))"
        return change.kind.isOfSpeed
            ? "Since \(since) \(name) is \(magnitude) \(change.kind.words)\(interval): \(levels) "
                + "at the median."
            : "Since \(since) \(name) is \(change.kind.words): it loses \(levels)."
    }

    /// With its sign, such as `+5.0 ms` or `-1.2 points`.
    var sizeText: String {
        (change.size < 0 ? "-" : "+") + magnitude
    }

    private var magnitude: String {
        change.kind.isOfSpeed
            ? format.cell(abs(change.size))
            : (abs(change.size) * 100).fixed(1) + " points"
    }

    /// Such as `4.6 to 5.5 ms`; empty without one.
    var intervalText: String {
        guard let interval = change.interval else { return "" }
        let ends = [interval.lowerBound, interval.upperBound]
        let shown = change.kind == .faster ? ends.reversed().map { -$0 } : ends
        return "\(format.number(shown[0])) to \(format.cell(shown[1]))"
    }

    func levelText(_ level: Double) -> String {
        change.kind.isOfSpeed ? format.cell(level) : (level * 100).fixed(1) + " %"
    }

    /// One for the change and its levels, so that they can be compared.
    private var format: LatencyFormat {
        LatencyFormat(fitting: [change.before, change.after])
    }

    var json: JSONValue {
        let isOfSpeed = change.kind.isOfSpeed
        func level(_ value: Double) -> JSONValue {
            isOfSpeed ? .milliseconds(value) : .number(value, least: 1, most: 9)
        }
        let unit = isOfSpeed ? "ms" : "rate"
        let ends = change.interval.map { [$0.lowerBound, $0.upperBound] }
        let members: [(String, JSONValue)] = [
            ("vantage", .string(vantage)), ("name", .string(target.label)),
            ("endpoint", .string(target.endpoint)), ("transport", .string(target.transport)),
            ("series", .string(target.series.description)), ("change", .string(change.kind.code)),
            ("since", .string(Timestamp(hoursSinceEpoch: change.hour).description)),
            (
                "established",
                .string(Timestamp(hoursSinceEpoch: change.establishedHour).description)
            ),
            ("before_\(unit)", level(change.before)), ("after_\(unit)", level(change.after)),
            ("change_\(unit)", level(change.size)),
            ("ci_\(unit)", ends.map { .array($0.map(level)) } ?? .null),
        ]
        return .object(members.map { JSONValue.Member(name: $0.0, value: $0.1) })
    }
}

extension LevelChange.Kind {
    var words: String {
        switch self {
        case .slower: "slower"
        case .faster: "faster"
        case .lessReliable: "less reliable"
        case .moreReliable: "more reliable"
        }
    }

    /// What programs know it by; never changes.
    var code: String {
        switch self {
        case .slower: "slower"
        case .faster: "faster"
        case .lessReliable: "less-reliable"
        case .moreReliable: "more-reliable"
        }
    }
}
