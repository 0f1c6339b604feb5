package import Analysis
package import Samples
package import Statistics

/// Since when which resolver is slower, faster, less or more reliable, by how much, and which are
/// unchanged.
package struct ChangesReport: PagedReport {
    /// One change of one resolver.
    package struct Finding: Hashable, Sendable {
        package var vantage: String
        package var target: Recording.Target
        /// The label, with what tells it apart.
        package var name: String
        package var change: LevelChange
        /// Of the resolver's answers those that may be anybody's, since no certificate was verified.
        var unverified = 0
    }

    /// What to read before a window, so that its first hours can be judged: the reference of the
    /// detector, and as long again and more, for the reference to be judged too.
    package static let lead = Duration.seconds(42 * 86_400)

    package let context: WindowContext
    /// In the order of their hours.
    package let findings: [Finding]
    /// Resolvers that were judged, and did not change.
    package let unchanged: [String]
    /// Resolvers with too few hours to judge any.
    package let unjudged: [String]
    package let notes: [HistoryNote]
    private let hours: HistoryHours
    private let detector: ChangeDetector

    /// `hours` are those of the window and of the ``lead`` before it; changes are told that were
    /// established within the window.
    package init(
        of hours: HistoryHours,
        context: WindowContext,
        detector: ChangeDetector = ChangeDetector()
    ) {
        self.context = context
        self.hours = hours
        self.detector = detector
        var findings: [Finding] = []
        var unchanged: [String] = []
        var unjudged: [String] = []
        let start = context.window.lowerBound.hoursSinceEpoch
        let courses = hours.courses
        let unverified = hours.unverified
        let histories = Concurrently.map(courses) { course -> ChangeHistory? in
            let blocks = course.blocks()
            guard let last = blocks.last?.hour, last >= start else { return nil }
            return detector.history(of: blocks)
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
        notes = HistoryNote.all(
            log: hours.log,
            context: context,
            hasSums: hours.provenance.hasSums,
            verification: hours.verification
        )
    }

    package func render(as format: OutputFormat, width: Int, colour: Bool) -> String? {
        document.render(as: format, width: width, colour: colour)
    }

    package func page(_ extras: PageExtras) -> HTMLPage { document.page(extras) }

    var document: HistoryDocument {
        HistoryDocument(
            words: words,
            columns: columns,
            notes: notes,
            provenance: hours.provenance.text(toolVersion: context.toolVersion),
            csv: csv,
            json: json
        )
    }

    // MARK: - Words

    private var words: [String] {
        var sentences = findings.map { $0.sentence(clock: context.clock) }
        let band =
            "\(LatencyFormat.plain(detector.leastBand)) or "
            + "\((detector.relativeBand * 100).fixed(least: 0, most: 1)) %"
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
                "Not judged, for want of hours that \(detector.leastDays) earlier days have too: "
                    + "\(unjudged.joined(separator: ", "))."
            )
        }
        guard !sentences.isEmpty else { return [context.nothing] }
        let days = detector.referenceHours / 24
        return sentences + [
            "\(context.span) (\(context.zone)), each hour held against the \(days) days before it."
        ]
    }

    // MARK: - Tables

    private var columns: [HistoryDocument.Column] {
        guard !findings.isEmpty else { return [] }
        func column(
            _ header: String,
            _ alignment: TextColumn.Alignment = .left,
            drop: Int = 0,
            _ cell: (Finding) -> String
        ) -> HistoryDocument.Column {
            .init(
                header: header,
                cells: findings.map(cell),
                alignment: alignment,
                dispensability: drop
            )
        }
        let clock = context.clock
        return [
            column("since") { clock.text(Timestamp(hoursSinceEpoch: $0.change.hour)) },
            column("resolver") { $0.name }, column("change") { $0.change.kind.words },
            column("by", .right) { $0.sizeText },
            column("95 % interval", .right, drop: 3) { $0.intervalText },
            column("before", .right, drop: 2) { $0.levelText($0.change.before) },
            column("after", .right, drop: 1) { $0.levelText($0.change.after) },
        ]
    }

    private var csv: [[CSVCell]] {
        let header = [
            "vantage", "name", "endpoint", "transport", "series", "change", "since",
            "established", "before", "after", "size", "ci_low", "ci_high", "unit",
        ]
        let hasUnverified = findings.contains { $0.unverified > 0 }
        return [(header + (hasUnverified ? ["unverified"] : [])).map(CSVCell.figure)]
            + findings.map { finding in
                let change = finding.change
                let digits = { (value: Double) in value.fixed(least: 3, most: 6) }
                let target = finding.target
                let texts = [finding.vantage, target.label, target.endpoint, "\(target.transport)"]
                let figures = [
                    target.series.description, change.kind.rawValue,
                    Timestamp(hoursSinceEpoch: change.hour).description,
                    Timestamp(hoursSinceEpoch: change.establishedHour).description,
                    digits(change.before), digits(change.after), digits(change.size),
                    change.interval.map { digits($0.lowerBound) } ?? "",
                    change.interval.map { digits($0.upperBound) } ?? "",
                    change.kind.isOfSpeed ? "ms" : "rate",
                ]
                return texts.map(CSVCell.text) + figures.map(CSVCell.figure)
                    + (hasUnverified ? [.figure("\(finding.unverified)")] : [])
            }
    }

    private var json: JSONValue {
        HistoryHead(
            kind: "changes",
            context: context,
            provenance: hours.provenance,
            log: hours.log,
            notes: notes
        )
        .document([
            .init(name: "dead_band_ms", value: .milliseconds(detector.leastBand)),
            .init(
                name: "dead_band_share",
                value: .number(detector.relativeBand, least: 1, most: 6)
            ),
            .init(name: "changes", value: .array(findings.map(\.json))),
            .init(name: "unchanged", value: .array(unchanged.map(JSONValue.string))),
            .init(name: "not_judged", value: .array(unjudged.map(JSONValue.string))),
        ])
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

    var json: JSONValue {
        let members: [JSONValue.Member] = [
            .init(name: "vantage", value: .string(vantage)),
            .init(name: "name", value: .string(target.label)),
            .init(name: "endpoint", value: .string(target.endpoint)),
            .init(name: "transport", value: .string(target.transport.description)),
            .init(name: "series", value: .string(target.series.description)),
            .init(name: "change", value: .string(change.kind.rawValue)),
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
    var words: String { rawValue.replacing("-", with: " ") }
}
