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
    /// `hours` are the hours of the window. They also contain the hours of ``Changes/lead`` before it, unless
    /// `lead` has them. `silent` has the rounds around those without an answer. The report has the changes
    /// that were established within the window.
    package init(
        of hours: HistoryHours,
        after lead: HistoryHours? = nil,
        silent: SilentRounds = SilentRounds(),
        context: WindowContext
    ) {
        self.context = context
        let timelines = hours.timelines(after: lead)
        changes = Changes(of: timelines, hours.log, silent, in: context.window)
        provenance = hours.provenance
        verification = Verification(of: timelines.lazy.flatMap { $0.hours.lazy.map(\.value) })
    }

    package var findings: [ChangeFinding] { changes.findings }

    var resolverAvailabilities: [ResolverAvailability] {
        changes.availabilities.map { ResolverAvailability(name: $0, subject: $1, rounds: $2) }
    }

    package var document: Document {
        document(words, columns, figures: { fields.table(of: findings) })
    }

    private var words: [String] {
        let judged = changes.unchanged.count + Set(findings.map(\.name)).count
        let incidents = changes.incidents
        guard judged + changes.unjudged.count > 0 || !incidents.isEmpty else {
            return [context.nothing]
        }
        let told = incidents.told(clock: context.clock)
        return incidentWords(told)
            + [failures].compactMap(\.self) + availabilitySentences
            + [
                next,
                "\(context.span) (\(context.zone)), hours vs those before, usual patterns of the day and "
                    + "week removed.",
            ].compactMap(\.self)
    }

    /// The incidents in words, the latest one first, and the resolvers without any.
    func incidentWords(_ told: [ToldChange]) -> [String] {
        let support = told.first.map { "\($0.name): \($0.support)." }
        let fleet = fleetSentences
        // Places can have changed together, without a significant change at a single place.
        let answer = fleet.isEmpty || !told.isEmpty ? [headline(told)] : []
        return fleet + answer
            + [support, told.first?.cause, told.first?.path].compactMap(\.self)
            + told.prefix(3).dropFirst().map(\.sentence)
            + [
                unchanged, episodic, unjudged,
            ].compactMap(\.self)
    }

    private var unjudged: String? {
        let days = Incident.learningHours / 24
        return changes.unjudged.isEmpty
            ? nil
            : "Too few hours with answers to judge (\(days) earlier days are needed): "
                + "\(changes.unjudged.bounded)."
    }

    /// Resolvers without any incident of latency.
    private var unchanged: String? {
        let band =
            "\(LatencyFormat.plain(DeadBand.least)) or "
            + DifferencePhrases.percent(DeadBand.share)
        return changes.unchanged.isEmpty
            ? nil : "No incident beyond \(band): \(changes.unchanged.bounded)."
    }

    /// Resolvers whose latency always returned, with the number of episodes.
    private var episodic: String? {
        let ofSpeed = findings.filter(\.change.kind.isOfSpeed)
        let episodes = Dictionary(grouping: ofSpeed, by: \.name)
            .filter { $0.value.allSatisfy(\.change.isOver) }
        let names = episodes.sorted { $0.key < $1.key }.map { name, own in
            "\(name) (\(own.count.of("episode", "episodes")))"
        }
        return names.isEmpty ? nil : "No lasting change of latency: \(names.bounded)."
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

    private func headline(_ told: [ToldChange]) -> String {
        guard let latest = told.first else {
            return changes.unchanged.isEmpty
                ? "Too few hours to find incidents." : "No incident was found."
        }
        let count = told.count == 1 ? "One incident" : "\(told.count) incidents; the latest"
        return "\(count): \(latest.name), \(latest.claim)."
    }

    private var columns: [Table.Column] {
        let incidents = changes.incidents
        return incidents.isEmpty ? [] : incidents.columns(clock: context.clock)
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
        ] + interval + [
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
            .word("form", "Form of the change.") { $0.change.incident.kind },
            .moment("end", null: "the change lasts", "Time since which the earlier level is back.")
            {
                $0.end
            },
        ]

    private static let interval = Field<ChangeFinding>.interval(
        "ci",
        "95 % interval of `size`, in `unit`."
    ) { JSONValue.ends($0.change.interval) }

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
            DeadBand.least
        },
        .number("dead_band_share", .share, digits: 1...6, "The same as a share of the level.") {
            _ in
            DeadBand.share
        },
        Availability.field { $0.availability },
        .list(
            "resolver_availability",
            ResolverAvailability.shape,
            "Rounds of the window with an answer from each resolver, at each place."
        ) { $0.resolverAvailabilities },
        .list(
            "incidents",
            IncidentFinding.shape,
            "Outages and changes, the first one first. A change that several resolvers had together is "
                + "one incident."
        ) { $0.changes.incidents },
        .list("changes", ChangeFinding.shape, "Changes of each resolver, the first one first.") {
            $0.findings
        },
        .texts("unchanged", "Resolvers without a change.") { $0.changes.unchanged },
        .texts("not_judged", "Resolvers with too few hours.") { $0.changes.unjudged },
        fleetField,
    ]
}

extension [String] {
    /// All names of few, the first names of many.
    var bounded: String {
        let (most, shown) = (16, 8)
        return count <= most
            ? joined(separator: ", ")
            : prefix(shown).joined(separator: ", ") + " and \(count - shown) more"
    }
}
