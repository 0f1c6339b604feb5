import Analysis
import Samples
import Statistics

extension ChangeFinding {
    /// The change as a sentence, such as `meadow: 5.0 ms slower since 2026-05-12 14:00 (95 % confidence
    /// interval: 4.6 to 5.5 ms, median 25.2 vs 20.1 ms before).`
    func sentence(clock: LocalClock) -> String { told(clock: clock).sentence }

    func told(clock: LocalClock) -> ToldChange {
        ToldChange(
            name: name,
            claim: claim(clock: clock),
            support: support.joined(separator: ", "),
            cause: change.kind.isOfSpeed ? causeText : nil,
            path: change.measure == .cache ? nil : trace?.sentence,
            recency: recency
        )
    }

    /// The change with its times, such as `5.0 ms slower since 2026-05-12 14:00`.
    func claim(clock: LocalClock) -> String {
        let times = clock.text(since: since, until: end)
        if let rate = change.incident.rate {
            // A drift of a few hundredths per day adds up within weeks.
            let perDay = "\(rate < 0 ? "-" : "+")\(abs(rate).fixed(2)) ms per day"
            let last = change.end == nil ? ", still \(rate < 0 ? "falling" : "rising")" : ""
            return "drifted by \(sizeText) \(times), \(perDay)\(last)"
        }
        if change.measure == .loss {
            let failed = FailureNoun(of: [failing]).text
            return "\(failed) \(levelText(change.after)) \(times)"
        }
        return "\(markText) \(times)"
    }

    private var causeText: String? {
        guard !isTooYoungForCause else {
            return "Cause: not known yet; `report --changes` names it after "
                + "\(CauseEvidence.leastUnits) hours."
        }
        return cause?.sentence(in: format)
    }

    /// The facts that support the change.
    private var support: [String] {
        let (old, new) = (levelText(change.before), levelText(change.after))
        switch change.measure {
        case .loss: return ["\(old) before"]
        case .cache:
            return [
                "\(new) of the names found in its cache vs \(old) before, by the queries that warm it "
                    + "up"
            ]
        case .median, .p90:
            return [
                "95 % confidence interval: \(intervalText)",
                "\(change.kind.figure) \(format.number(change.after)) vs "
                    + "\(format.cell(change.before)) before",
                medianText,
                move.map { "answered by site \($0.to.site) instead of \($0.from.site)" },
            ].compactMap(\.self)
        }
    }

    /// The change of the median next to a change of the p90, such as `median unchanged` or `median 2.4 ms
    /// slower`.
    private var medianText: String? {
        change.medianMoved.map { moved in
            guard abs(moved) > DeadBand.least else { return "median unchanged" }
            return "median \(format.prose(abs(moved))) \(moved > 0 ? "slower" : "faster")"
        }
    }

    /// The change in a few words, such as `5.0 ms slower` or `1.2 points less reliable`.
    var markText: String { "\(magnitude) \(change.kind.words)" }

    /// The size with its sign, such as `+5.0 ms` or `-1.2 points`.
    var sizeText: String { (change.size < 0 ? "-" : "+") + magnitude }

    private var magnitude: String {
        change.kind.isOfSpeed
            ? format.prose(abs(change.size))
            : (abs(change.size) * 100).fixed(1) + " points"
    }

    /// The interval, such as `4.6 to 5.5 ms`, or `3.1 to 4.2 %` of a share.
    var intervalText: String {
        let interval = change.interval
        let (low, high) = (interval.lowerBound, interval.upperBound)
        let shown = change.kind.isForTheWorse ? (low, high) : (-high, -low)
        guard change.kind.isOfSpeed else {
            let size = abs(change.size)
            let margin = interval.upperBound - change.size
            let points = [max(0, size - margin), size + margin].map { ($0 * 100).fixed(1) }
            return "\(points[0]) to \(points[1]) points"
        }
        let ends = (format.number(shown.0), format.cell(shown.1))
        return ends.0 == format.number(shown.1) ? ends.1 : "\(ends.0) to \(ends.1)"
    }

    func levelText(_ level: Double) -> String {
        change.kind.isOfSpeed ? format.cell(level) : (level * 100).fixed(1) + " %"
    }

    /// The common format of the change and its levels, so that they can be compared.
    private var format: LatencyFormat { LatencyFormat(fitting: [change.before, change.after]) }

    static let identity: [Field<Self>] =
        [.text("vantage", "Name of the vantage point.") { $0.subject.vantage }]
        + Recording.Target.fields.of { $0.target } + [
            .word("change", "Kind of change.") { $0.change.kind },
            .moment("since", "Time since which the level holds.") { $0.since },
        ]

    static let shape = Shape("change", identity + figures)

    private static let isOfSpeed = "`change` is of latency"
    private static let isOfShare = "`change` is of a share"

    /// The figures of a change, which a notice also has.
    static let figures: [Field<ChangeFinding>] =
        [
            .moment("established", "Time at which the change was certain.") { $0.established },
            .word("form", "Form of the change.") { $0.change.incident.kind },
            .moment(
                "end",
                null: "the change lasts",
                "Time since which the earlier level is back; of a drift, its end."
            ) { $0.end },
        ]
        + [
            level("before", "Level before the change.") { $0.before },
            level("after", "Level after the change.") { $0.after },
            level("change", "After − before.") { $0.size },
        ].flatMap(\.self) + [
            interval("ci_ms", .milliseconds, isOfSpeed) { $0 },
            interval("ci_rate", .share, isOfShare) { !$0 },
            .time("per_day_ms", when: "the change is a drift", "Change per day.") {
                $0.change.incident.rate
            },
            .time(
                "median_change_ms",
                when: "the change is of the slow answers",
                "Change of the median."
            ) { $0.change.medianMoved },
            .object(
                "cause",
                CauseFinding.shape,
                when: "a cause was looked for",
                "Cause of the change."
            ) { $0.cause },
            .object("trace", KeptTrace.shape, when: "the path was traced", "Path to the resolver.")
            {
                $0.trace
            },
            .count(
                "unverified",
                when: "there are any",
                "Answers over connections whose certificate was not verified."
            ) { $0.unverified > 0 ? $0.unverified : nil },
        ]

    /// A level in milliseconds, or as a share. The key contains the unit.
    private static func level(
        _ key: String,
        _ meaning: String,
        _ value: @escaping @Sendable (LevelChange) -> Double
    ) -> [Field<ChangeFinding>] {
        [
            Field("\(key)_ms", .number, unit: .milliseconds, when: isOfSpeed, meaning) { finding in
                finding.change.kind.isOfSpeed ? .milliseconds(value(finding.change)) : nil
            },
            Field("\(key)_rate", .number, unit: .share, when: isOfShare, meaning) { finding in
                finding.change.kind.isOfSpeed ? nil : rate(value(finding.change))
            },
        ]
    }

    private static func interval(
        _ key: String,
        _ unit: Unit,
        _ presence: String,
        _ isShown: @escaping @Sendable (Bool) -> Bool
    ) -> Field<ChangeFinding> {
        Field(
            key,
            .range(.number),
            unit: unit,
            when: presence,
            "95 % interval of the change."
        ) { finding in
            let isOfSpeed = finding.change.kind.isOfSpeed
            guard isShown(isOfSpeed) else { return nil }
            let ends = [finding.change.interval.lowerBound, finding.change.interval.upperBound]
            return .array(ends.map { isOfSpeed ? .milliseconds($0) : rate($0) })
        }
    }

    private static func rate(_ value: Double) -> JSONValue { .number(value, least: 1, most: 9) }
}

/// A change, or a series of changes, in words.
struct ToldChange {
    /// The name of the resolver.
    var name: String
    /// The change and its beginning, such as `5.0 ms slower since 2026-05-12 14:00`.
    var claim: String
    /// The facts that support it, such as `same hours paired, median 25.2 vs 20.1 ms before`.
    var support: String
    /// The sentence on the cause; `nil` if no cause was looked for.
    var cause: String?
    /// The sentence on the path to the resolver; `nil` if the path was not traced.
    var path: String?
    /// The sort key: the greatest is the newest.
    var recency: (hour: Int, size: Double)

    var sentence: String {
        (["\(name): \(claim) (\(support))."] + [cause, path].compactMap(\.self))
            .joined(separator: " ")
    }
}

extension String {
    /// The name of a site as a word of a sentence. The server chose the name.
    var site: String { EscapedText.terminal(self).truncated(to: 40) }
}

extension ChangeFinding {
    var recency: (hour: Int, size: Double) { (change.hour, abs(change.size)) }
}

extension LevelChange.Kind {
    var words: String {
        switch self {
        case .slower: "slower"
        case .faster: "faster"
        case .slowerTail: "slower at p90"
        case .fasterTail: "faster at p90"
        case .lessReliable: "less reliable"
        case .moreReliable: "more reliable"
        case .lessCached: "fewer names in its cache"
        case .moreCached: "more names in its cache"
        }
    }

    /// The predicate of a resolver, such as `is slower`.
    var predicate: String { (measure == .cache ? "has " : "is ") + words }

    /// The statistic of a change of speed.
    fileprivate var figure: String { measure == .p90 ? "p90" : "median" }
}
