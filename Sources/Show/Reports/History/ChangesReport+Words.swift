import Analysis
import Samples
import Statistics

extension ChangeFinding {
    /// The change as a sentence, such as `meadow: 5.0 ms slower since 2026-05-12 14:00 (same hours paired, 95
    /// % confidence interval: 4.6 to 5.5 ms, median 25.2 vs 20.1 ms before).`
    func sentence(clock: LocalClock) -> String { told(clock: clock).sentence }

    func told(clock: LocalClock) -> ToldChange {
        let since = clock.text(since)
        let (old, new) = (levelText(change.before), levelText(change.after))
        switch change.kind.measure {
        case .median, .p90: break
        case .losses:
            return ToldChange(
                name: name,
                claim: "\(FailureNoun(of: [failing]).text) \(new) since \(since)",
                support: "\(old) before",
                path: trace?.sentence,
                recency: recency
            )
        case .cache:
            return ToldChange(
                name: name,
                claim: "\(markText) since \(since)",
                support: "\(new) of the names found in its cache vs \(old) before, by the queries "
                    + "that warm it up",
                recency: recency
            )
        }
        let support = [
            "same hours paired",
            change.interval.map { _ in "95 % confidence interval: \(intervalText)" },
            "\(change.kind.figure) \(format.number(change.after)) vs "
                + "\(format.cell(change.before)) before",
            medianText,
            move.map { "answered by site \($0.to.site) instead of \($0.from.site)" },
        ]
        return ToldChange(
            name: name,
            claim: "\(markText) since \(since)",
            support: support.compactMap(\.self).joined(separator: ", "),
            cause: cause?.sentence(in: format),
            path: trace?.sentence,
            recency: recency
        )
    }

    /// The change of the median next to a change of the p90, such as `median unchanged` or `median 2.4 ms
    /// slower`.
    private var medianText: String? {
        change.medianMoved.map { moved in
            guard abs(moved) > ChangeDetector.leastBand else { return "median unchanged" }
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

    /// The interval, such as `4.6 to 5.5 ms`; empty without an interval.
    var intervalText: String {
        guard let interval = change.interval else { return "" }
        let (low, high) = (interval.lowerBound, interval.upperBound)
        let shown = change.kind.isForTheWorse ? (low, high) : (-high, -low)
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
        [.moment("established", "Time at which the change was certain.") { $0.established }]
        + [
            level("before", "Level before the change.") { $0.before },
            level("after", "Level after the change.") { $0.after },
            level("change", "After − before.") { $0.size },
        ].flatMap(\.self) + [
            interval("ci_ms", .milliseconds, isOfSpeed) { $0 },
            interval("ci_rate", .share, isOfShare) { !$0 },
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
            null: "the hours are too few",
            "95 % interval of the change."
        ) { finding in
            let isOfSpeed = finding.change.kind.isOfSpeed
            guard isShown(isOfSpeed) else { return nil }
            let ends = finding.change.interval.map { [$0.lowerBound, $0.upperBound] }
            return ends.map { .array($0.map { isOfSpeed ? .milliseconds($0) : rate($0) }) } ?? .null
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

extension [ChangeFinding] {
    /// Sentences on the newest three changes. Within one hour the largest comes first.
    func sentences(clock: LocalClock) -> [String] { told(clock: clock).prefix(3).map(\.sentence) }

    /// The newest first. All changes of a resolver that alternates between two levels are one entry.
    func told(clock: LocalClock) -> [ToldChange] {
        LevelChange.Kind.Measure.allCases
            .flatMap { measure in
                filter { $0.change.kind.measure == measure }.toldAlike(clock: clock)
            }
            .sorted { $0.recency > $1.recency }
    }

    /// The changes of one measure.
    private func toldAlike(clock: LocalClock) -> [ToldChange] {
        let alternating = Dictionary(grouping: self, by: \.subject)
            .filter { $0.value.isAlternating }
        return filter { alternating[$0.subject] == nil }.map { $0.told(clock: clock) }
            + alternating.values.map { $0.alternation(clock: clock) }
    }

    /// Whether each of at least four changes reverses the change before: alternately slower and faster, to
    /// levels close to the earlier ones.
    private var isAlternating: Bool {
        guard count >= 4, self[0].change.kind.isOfSpeed else { return false }
        return indices.dropFirst(2).allSatisfy { index in
            let (change, earlier) = (self[index].change, self[index - 2].change)
            let band = Swift.max(
                ChangeDetector.leastBand,
                2 * ChangeDetector.relativeBand * earlier.after
            )
            return change.kind == earlier.kind && abs(change.after - earlier.after) <= band
        } && self[0].change.kind != self[1].change.kind
    }

    /// The alternation, such as `alternates between 11.0 and 36.0 ms (sites ams and fra)`.
    private func alternation(clock: LocalClock) -> ToldChange {
        let lastTwo = suffix(2).sorted { $0.change.after < $1.change.after }
        let levels = lastTwo.map(\.change.after)
        let names = lastTwo.compactMap(\.move?.to.site)
        let sites =
            names.count == 2 && names[0] != names[1] ? " (sites \(names[0]) and \(names[1]))" : ""
        let format = LatencyFormat(fitting: levels)
        return ToldChange(
            name: self[0].name,
            claim: (self[0].change.kind.measure == .p90 ? "p90 " : "")
                + "alternates between \(format.number(levels[0])) and "
                + "\(format.cell(levels[1]))\(sites)",
            support: "\(count) times since \(clock.text(self[0].since))",
            recency: self[count - 1].recency
        )
    }
}

extension String {
    /// The name of a site as a word of a sentence. The server chose the name.
    fileprivate var site: String { EscapedText.terminal(self).truncated(to: 40) }
}

extension ChangeFinding {
    fileprivate var recency: (hour: Int, size: Double) { (change.hour, abs(change.size)) }
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
