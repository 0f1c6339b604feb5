package import Analysis
package import Samples
package import Statistics

/// Since when which resolver is slower, faster, less or more reliable, by how much, and which are
/// unchanged.
package struct ChangesReport: HistoryReport {
    static let kind = "changes"

    package struct Finding: Hashable, Sendable {
        package var subject: HistoryHours.Subject
        /// The label, with what tells it apart.
        package var name: String
        package var change: LevelChange
        /// Answers of the resolver that may be anybody's, since no certificate was verified.
        var unverified = 0

        package var target: Recording.Target { subject.target }

        var since: Timestamp { Timestamp(hoursSinceEpoch: change.hour) }

        fileprivate var established: Timestamp {
            Timestamp(hoursSinceEpoch: change.establishedHour)
        }
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
    private let hours: HistoryHours

    /// `hours` are those of the window and of the ``lead`` before it; changes are told that were
    /// established within the window.
    package init(of hours: HistoryHours, context: WindowContext) {
        self.context = context
        self.hours = hours
        let start = context.window.lowerBound.hoursSinceEpoch
        let judged = Concurrently.map(hours.courses) {
            course -> (course: HistoryHours.Course, history: ChangeHistory)? in
            let blocks = course.blocks()
            guard let last = blocks.last?.hour, last >= start else { return nil }
            var history = ChangeDetector.history(of: blocks)
            // Of earlier hours only the reference is wanted.
            history.changes.removeAll { $0.establishedHour < start }
            return (course, history)
        }
        .compactMap(\.self)
        findings = judged.flatMap { course, history in
            history.changes.map { change in
                Finding(
                    subject: course.subject,
                    name: course.name,
                    change: change,
                    unverified: course.unverified
                )
            }
        }
        .sorted { $0.change.hour < $1.change.hour }
        unjudged = judged.filter { $0.history.judgedHours == 0 }.map(\.course.name)
        unchanged = judged.filter { $0.history.judgedHours > 0 && $0.history.changes.isEmpty }
            .map(\.course.name)
    }

    package var document: Document {
        document(words, columns, figures: { fields.table(of: findings) })
    }

    var provenance: Provenance { hours.provenance }

    var verification: Verification { hours.verification }

    private var words: [String] {
        var sentences = findings.map { $0.sentence(clock: context.clock) }
        let band =
            "\(LatencyFormat.plain(ChangeDetector.leastBand)) or "
            + DifferencePhrases.percent(ChangeDetector.relativeBand)
        if !unchanged.isEmpty {
            sentences.append(
                findings.isEmpty
                    ? "No resolver became slower or faster (by more than \(band)), or less or more "
                        + "reliable."
                    : "Unchanged within \(band): \(unchanged.joined(separator: ", "))."
            )
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

    private var columns: [Table.Column] {
        guard !findings.isEmpty else { return [] }
        return [
            .init("since", findings.map { context.clock.text($0.since) }),
            .init("resolver", findings.map(\.name), .heading),
            .init("change", findings.map(\.change.kind.words)),
            .init("by", findings.map(\.sizeText), .figures),
            .init("95 % interval", findings.map(\.intervalText), .figures, drop: 3),
            .init("before", findings.map { $0.levelText($0.change.before) }, .figures, drop: 2),
            .init("after", findings.map { $0.levelText($0.change.after) }, .figures, drop: 1),
        ]
    }

    /// For spreadsheets, which have one unit a row.
    private var fields: [Field<Finding>] {
        let hasUnverified = findings.contains { $0.unverified > 0 }
        return Finding.identity + [
            Field("established") { .moment($0.established) },
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
        let since = clock.text(since)
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
    var sizeText: String { (change.size < 0 ? "-" : "+") + magnitude }

    private var magnitude: String {
        change.kind.isOfSpeed
            ? format.cell(abs(change.size))
            : (abs(change.size) * 100).fixed(1) + " points"
    }

    /// Such as `4.6 to 5.5 ms`; empty without one.
    var intervalText: String {
        guard let interval = change.interval else { return "" }
        let (low, high) = (interval.lowerBound, interval.upperBound)
        let shown = change.kind == .faster ? (-high, -low) : (low, high)
        return "\(format.number(shown.0)) to \(format.cell(shown.1))"
    }

    func levelText(_ level: Double) -> String {
        change.kind.isOfSpeed ? format.cell(level) : (level * 100).fixed(1) + " %"
    }

    /// One for the change and its levels, so that they can be compared.
    private var format: LatencyFormat { LatencyFormat(fitting: [change.before, change.after]) }

    fileprivate static let identity: [Field<Self>] =
        [.text("vantage") { $0.subject.vantage }] + Recording.Target.fields.of { $0.target } + [
            .text("change") { $0.change.kind.rawValue },
            Field("since") { .moment($0.since) },
        ]

    var json: JSONValue { Self.identity.members(of: self) + figures }

    var figures: JSONValue {
        let isOfSpeed = change.kind.isOfSpeed
        func level(_ value: Double) -> JSONValue {
            isOfSpeed ? .milliseconds(value) : .number(value, least: 1, most: 9)
        }
        let unit = isOfSpeed ? "ms" : "rate"
        let ends = change.interval.map { [$0.lowerBound, $0.upperBound] }
        return [
            "established": .moment(established),
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
