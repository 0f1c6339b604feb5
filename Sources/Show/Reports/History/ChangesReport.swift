package import Analysis
import Samples
import Statistics

/// The changes of each resolver: since when it is slower, faster, less or more reliable, or has fewer or more
/// names in its cache, and by how much. Also the resolvers without a change.
package struct ChangesReport: HistoryReport {
    static let kind = "changes"

    package let context: WindowContext
    package var changes: Changes
    let provenance: Provenance
    let verification: Verification
    /// The labels of all measured resolvers.
    private let labels: Set<String>

    /// `hours` are the hours of the window. They also contain the hours of ``Changes/lead`` before it, unless
    /// `lead` has them. The report has the changes that were established within the window.
    package init(
        of hours: HistoryHours,
        after lead: HistoryHours? = nil,
        context: WindowContext
    ) {
        self.context = context
        let timelines = hours.timelines(after: lead)
        changes = Changes(of: timelines, in: context.window)
        provenance = hours.provenance
        verification = Verification(of: timelines.lazy.flatMap { $0.hours.lazy.map(\.value) })
        labels = Set(timelines.map(\.subject.target.label))
    }

    package var findings: [ChangeFinding] { changes.findings }

    package var document: Document {
        document(words, columns, figures: { fields.table(of: findings) })
    }

    private var words: [String] {
        let judged = changes.unchanged.count + Set(findings.map(\.name)).count
        guard judged + changes.unjudged.count > 0 else { return [context.nothing] }
        let band =
            "\(LatencyFormat.plain(ChangeDetector.leastBand)) or "
            + DifferencePhrases.percent(ChangeDetector.relativeBand)
        let days = ChangeDetector.referenceHours / 24
        let told = findings.told(clock: context.clock)
        let support = told.first.map { "\($0.name): \($0.support)." }
        let fleet = fleetSentences
        // Places can have changed together, without a significant change at a single place.
        let answer = fleet.isEmpty || !told.isEmpty ? [headline(told.first)] : []
        return fleet + answer
            + [support, told.first?.cause, told.first?.path].compactMap(\.self)
            + told.prefix(3).dropFirst().map(\.sentence)
            + [
                changes.unchanged.isEmpty
                    ? nil
                    : "Latency unchanged within \(band): \(changes.unchanged.bounded).",
                failures,
                changes.unjudged.isEmpty
                    ? nil
                    : "Too few hours with answers to judge (\(ChangeDetector.leastDays) earlier days are needed): "
                        + "\(changes.unjudged.bounded).",
                next,
                "\(context.span) (\(context.zone)), each hour vs the same hour of the \(days) days "
                    + "before, weekly patterns removed.",
            ].compactMap(\.self)
    }

    /// Failure shares in the window and before it, of resolvers with a failed query.
    private var failures: String? {
        guard !changes.losses.isEmpty else { return nil }
        let noun = FailureNoun(of: changes.losses.flatMap { [$0.before, $0.now] })
        let shares = changes.losses.map { name, before, now in
            "\(name) \(now.failureRate.description)"
                + (before.measured > 0 ? " (before: \(before.failureRate.description))" : "")
        }
        return "\(noun.text.sentenceStart): \(shares.bounded)."
    }

    /// The next step after a change for the worse.
    private var next: String? {
        let last = findings.last { $0.change.kind.isForTheWorse }
        guard labels.count > 1, let label = last?.target.label else { return nil }
        return "If \(EscapedText.terminal(label)) is your resolver: "
            + "\(ReportMedium.comparison(with: label)) tells whether another one is better now."
    }

    private func headline(_ latest: ToldChange?) -> String {
        guard let latest else {
            return changes.unchanged.isEmpty
                ? "Too few hours to find changes." : "No change in latency was found."
        }
        let count = findings.count == 1 ? "One change" : "\(findings.count) changes; the latest"
        return "\(count): \(latest.name), \(latest.claim)."
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

    /// The columns for spreadsheets, with one unit per row.
    static let columns: [Field<ChangeFinding>] =
        ChangeFinding.identity + [
            .moment("established", "Time at which the change was certain.") { $0.established },
            .number("before", digits: 3...6, "Level before the change, in `unit`.") {
                $0.change.before
            },
            .number("after", digits: 3...6, "Level after the change, in `unit`.") {
                $0.change.after
            },
            .number("size", digits: 3...6, "After − before, in `unit`.") { $0.change.size },
        ]
        + Field.interval(
            "ci",
            null: "the hours are too few",
            "95 % interval of `size`, in `unit`."
        ) { $0.change.interval.map(JSONValue.ends) } + [
            Field("unit", .word(["ms", "rate"]), "Unit of the figures.") {
                .string($0.change.kind.isOfSpeed ? "ms" : "rate")
            },
            .time(
                "median_size",
                when: "a change is of the slow answers",
                "Change of the median."
            ) { $0.change.medianMoved },
            .word("cause", when: "a cause was looked for", "Cause of the change.") {
                $0.cause?.cause
            },
            .count(
                "unverified",
                when: "there are any",
                "Answers over connections whose certificate was not verified."
            ) { $0.unverified },
        ]

    private var fields: [Field<ChangeFinding>] {
        let isUnverified = findings.contains { $0.unverified > 0 }
        let filled = Set(Self.columns.columns(filledBy: findings).map(\.key))
        return Self.columns.filter { field in
            switch field.key {
            case "unverified": isUnverified
            case "median_size", "cause": filled.contains(field.key)
            default: true
            }
        }
    }

    static let fields: [Field<ChangesReport>] = [
        .time("dead_band_ms", "Smallest change of latency that is reported.") { _ in
            ChangeDetector.leastBand
        },
        .number("dead_band_share", .share, digits: 1...6, "The same as a share of the level.") {
            _ in
            ChangeDetector.relativeBand
        },
        .list("changes", ChangeFinding.shape, "Changes, the first one first.") { $0.findings },
        .texts("unchanged", "Resolvers without a change.") { $0.changes.unchanged },
        .texts("not_judged", "Resolvers with too few hours.") { $0.changes.unjudged },
        fleetField,
    ]
}

extension [String] {
    /// All names of few, the first names of many.
    fileprivate var bounded: String {
        let (most, shown) = (16, 8)
        return count <= most
            ? joined(separator: ", ")
            : prefix(shown).joined(separator: ", ") + " and \(count - shown) more"
    }
}
