package import Analysis
package import Samples
package import Statistics

/// Since when which resolver is slower, faster, less or more reliable, by how much, and which are
/// unchanged.
package struct ChangesReport: HistoryReport {
    static let kind = "changes"

    /// One change of one resolver.
    package struct Finding: Hashable, Sendable {
        package var vantage: String
        package var target: Recording.Target
        /// The label, with what tells it apart.
        package var name: String
        package var change: LevelChange
        /// Answers of the resolver that may be anybody's, since no certificate was verified.
        var unverified = 0
    }

    /// Time to read before a window, so that its first hours can be judged: the reference of the
    /// detector, and as long again and more, for the reference to be judged too.
    package static let lead = Duration.seconds(42 * 86_400)

    package let context: WindowContext
    /// In the order of their hours.
    package let findings: [Finding]
    /// Resolvers that were judged, and did not change.
    package let unchanged: [String]
    /// Resolvers with too few hours to judge any.
    package let unjudged: [String]
    package let notes: [Warning]
    private let hours: HistoryHours

    /// `hours` are those of the window and of the ``lead`` before it; changes are told that were
    /// established within the window.
    package init(of hours: HistoryHours, context: WindowContext) {
        self.context = context
        self.hours = hours
        var findings: [Finding] = []
        var unchanged: [String] = []
        var unjudged: [String] = []
        let start = context.window.lowerBound.hoursSinceEpoch
        let courses = hours.courses
        let unverified = hours.unverified
        let histories = Concurrently.map(courses) { course -> ChangeHistory? in
            let blocks = course.blocks()
            guard let last = blocks.last?.hour, last >= start else { return nil }
            return ChangeDetector.history(of: blocks)
        }
        for (course, history) in zip(courses, histories) {
            guard var history else { continue }
            // Of earlier hours only the reference is wanted.
            history.changes.removeAll { $0.establishedHour < start }
            if history.judgedHours == 0 {
                unjudged.append(course.name)
            } else if history.changes.isEmpty {
                unchanged.append(course.name)
            }
            findings += history.changes.map { change in
                Finding(
                    vantage: course.subject.vantage,
                    target: course.subject.target,
                    name: course.name,
                    change: change,
                    unverified: unverified[course.subject, default: 0]
                )
            }
        }
        self.findings = findings.sorted { $0.change.hour < $1.change.hour }
        self.unchanged = unchanged
        self.unjudged = unjudged
        notes = Warning.all(
            log: hours.log,
            context: context,
            hasSums: hours.provenance.hasSums,
            verification: hours.verification
        )
    }

    package var document: Document {
        document(words, columns, figures: { fields.table(of: findings) })
    }

    var provenance: Provenance { hours.provenance }

    // MARK: - Words

    private var words: [String] {
        var sentences = findings.map { $0.sentence(clock: context.clock) }
        let band =
            "\(LatencyFormat.plain(ChangeDetector.leastBand)) or "
            + "\((ChangeDetector.relativeBand * 100).fixed(least: 0, most: 1)) %"
        if findings.isEmpty, !unchanged.isEmpty {
            sentences.append(
                "No resolver became slower or faster (by more than \(band)), or less or more "
                    + "reliable."
            )
        } else if !unchanged.isEmpty {
            sentences.append("Unchanged within \(band): \(unchanged.joined(separator: ", ")).")
        }
        if !unjudged.isEmpty {
            sentences.append(
                "Not judged, for want of hours that \(ChangeDetector.leastDays) earlier days have too: "
                    + "\(unjudged.joined(separator: ", "))."
            )
        }
        guard !sentences.isEmpty else { return [context.nothing] }
        let days = ChangeDetector.referenceHours / 24
        return sentences + [
            "\(context.span) (\(context.zone)), each hour held against the \(days) days before it."
        ]
    }

    // MARK: - Tables

    private var columns: [Table.Column] {
        guard !findings.isEmpty else { return [] }
        func figures(
            _ header: String,
            drop: Int = 0,
            _ cell: (Finding) -> String
        ) -> Table.Column {
            .init(header, findings.map(cell), .figures, drop: drop)
        }
        let clock = context.clock
        return [
            .init("since", findings.map { clock.text(Timestamp(hoursSinceEpoch: $0.change.hour)) }),
            .init("resolver", findings.map(\.name), .heading),
            .init("change", findings.map(\.change.kind.words)),
            figures("by") { $0.sizeText },
            figures("95 % interval", drop: 3) { $0.intervalText },
            figures("before", drop: 2) { $0.levelText($0.change.before) },
            figures("after", drop: 1) { $0.levelText($0.change.after) },
        ]
    }

    /// For spreadsheets, which have one unit a row.
    private var fields: [Field<Finding>] {
        let hasUnverified = findings.contains { $0.unverified > 0 }
        return Finding.identity + [
            Field("established") { .moment(Timestamp(hoursSinceEpoch: $0.change.establishedHour)) },
            .time("before") { $0.change.before }, .time("after") { $0.change.after },
            .time("size") { $0.change.size },
        ] + Field.interval("ci") { $0.change.interval.map(JSONValue.ends) } + [
            .text("unit") { $0.change.kind.isOfSpeed ? "ms" : "rate" }
        ] + (hasUnverified ? [.count("unverified") { $0.unverified }] : [])
    }

    var members: JSONValue {
        [
            "dead_band_ms": .milliseconds(ChangeDetector.leastBand),
            "dead_band_share": .number(ChangeDetector.relativeBand, least: 1, most: 6),
            "changes": .array(findings.map(\.json)),
            "unchanged": .array(unchanged.map(JSONValue.string)),
            "not_judged": .array(unjudged.map(JSONValue.string)),
        ]
    }
}

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

    /// Resolver whose change it is, and since when.
    fileprivate static let identity: [Field<Self>] = [
        .text("vantage") { $0.vantage },
        .text("name") { $0.target.label },
        .text("endpoint") { $0.target.endpoint },
        .text("transport") { $0.target.transport.description },
        .text("series") { $0.target.series.description },
        .text("change") { $0.change.kind.rawValue },
        Field("since") { .moment(Timestamp(hoursSinceEpoch: $0.change.hour)) },
    ]

    var json: JSONValue { Self.identity.members(of: self) + figures }

    /// Figures of the change.
    var figures: JSONValue {
        let isOfSpeed = change.kind.isOfSpeed
        func level(_ value: Double) -> JSONValue {
            isOfSpeed ? .milliseconds(value) : .number(value, least: 1, most: 9)
        }
        let unit = isOfSpeed ? "ms" : "rate"
        let ends = change.interval.map { [$0.lowerBound, $0.upperBound] }
        let established = Timestamp(hoursSinceEpoch: change.establishedHour).description
        return [
            "established": .string(established),
            "before_\(unit)": level(change.before),
            "after_\(unit)": level(change.after),
            "change_\(unit)": level(change.size),
            "ci_\(unit)": ends.map { .array($0.map(level)) } ?? .null,
        ] + (unverified > 0 ? ["unverified": .integer(unverified)] : [:])
    }
}

extension LevelChange.Kind {
    var words: String { rawValue.replacing("-", with: " ") }
}
