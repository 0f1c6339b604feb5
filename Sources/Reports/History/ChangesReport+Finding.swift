import Samples
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

    /// Short, such as `5.0 ms slower` or `1.2 points less reliable`.
    var markText: String { "\(magnitude) \(change.kind.words)" }

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
        let members: [JSONValue.Member] = [
            .init(name: "vantage", value: .string(vantage)),
            .init(name: "name", value: .string(target.label)),
            .init(name: "endpoint", value: .string(target.endpoint)),
            .init(name: "transport", value: .string(target.transport)),
            .init(name: "series", value: .string(target.series.description)),
            .init(name: "change", value: .string(change.kind.code)),
            .init(
                name: "since",
                value: .string(Timestamp(hoursSinceEpoch: change.hour).description)
            ),
        ]
        return .object(members + measured)
    }

    /// What was measured of the change.
    var figures: JSONValue { .object(measured) }

    private var measured: [JSONValue.Member] {
        let isOfSpeed = change.kind.isOfSpeed
        func level(_ value: Double) -> JSONValue {
            isOfSpeed ? .milliseconds(value) : .number(value, least: 1, most: 9)
        }
        let unit = isOfSpeed ? "ms" : "rate"
        let ends = change.interval.map { [$0.lowerBound, $0.upperBound] }
        let established = Timestamp(hoursSinceEpoch: change.establishedHour).description
        return [
            .init(name: "established", value: .string(established)),
            .init(name: "before_\(unit)", value: level(change.before)),
            .init(name: "after_\(unit)", value: level(change.after)),
            .init(name: "change_\(unit)", value: level(change.size)),
            .init(name: "ci_\(unit)", value: ends.map { .array($0.map(level)) } ?? .null),
        ] + (unverified > 0 ? [.init(name: "unverified", value: .integer(unverified))] : [])
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
