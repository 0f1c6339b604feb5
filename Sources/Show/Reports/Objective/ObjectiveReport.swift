package import Analysis
import Samples
package import Statistics

/// Whether resolvers kept a service objective over a window, how much of the error budget is left,
/// and in which hours it was spent.
///
/// See ``ServiceObjective`` for the queries that count, and ``HourlyShare`` for the interval.
package struct ObjectiveReport: HistoryReport {
    static let kind = "objective"

    struct Row: Sendable {
        var subject: HistoryHours.Subject
        var figures: ResolverSummary
        var finding: ObjectiveFinding

        var result: ObjectiveResult { finding.result }

        fileprivate var place: (String, UInt8, String, Int, String) {
            let target = subject.target
            return (
                subject.vantage, target.series.order, target.label, target.transportOrder,
                figures.name
            )
        }
    }

    package let context: WindowContext
    package let objective: ServiceObjective
    /// The rows, sorted by place and then by label.
    let rows: [Row]
    let provenance: Provenance
    let verification: Verification

    package init(of objective: ServiceObjective, hours: HistoryHours, context: WindowContext) {
        self.context = context
        self.objective = objective
        provenance = hours.provenance
        verification = hours.verification
        rows = Concurrently.map(hours.timelines) { timeline in
            Row(
                subject: timeline.subject,
                figures: timeline.row(of: timeline.total()),
                finding: timeline.finding(of: objective)
            )
        }
        .filter { $0.result.count.queries > 0 }
        .sorted { $0.place < $1.place }
    }

    var resolverAvailabilities: [ResolverAvailability] {
        rows.compactMap { row in
            row.figures.availability.map {
                ResolverAvailability(name: title(row), subject: row.subject, rounds: $0)
            }
        }
    }

    private func title(_ row: Row) -> String {
        row.subject.target.series.naming(
            row.figures.name,
            among: Set(rows.map(\.subject.target.series))
        )
    }

    package var document: Document {
        var document = document(
            rows.isEmpty ? [nothing] : [headline, budget] + availabilitySentences + [scope],
            columns,
            figures: { Self.columns.table(of: rows) }
        )
        if !worstHours.isEmpty { document.sections[0].tables.append(worstTable) }
        document.method.insert(.paragraph(Self.method), at: 0)
        return document
    }

    private static let method = """
        An objective is a share of the queries that is answered within a time; p95 below a time and \
        95 % within it are the same. From 20 hours on the interval takes hours that follow each \
        other as one, in 20 to 39 batches; with fewer hours, each query by itself.
        """

    /// A sentence such as `p95 < 50 ms: kept by meadow; missed by harbour; too close to tell for brook.`
    var headline: String {
        func list(_ state: ObjectiveResult.State, _ words: String) -> String? {
            let names = rows.filter { $0.result.state == state }.map(title)
            return names.isEmpty ? nil : "\(words) \(names.listed)"
        }
        let parts = [
            list(.kept, "kept by"), list(.missed, "missed by"),
            list(.open, "too close to tell for"),
        ]
        return "\(objective): \(parts.compactMap(\.self).joined(separator: "; "))."
    }

    /// A sentence such as `p95 < 50 ms: kept by system, 96.1 % within 50 ms (95.4 to 96.7 %).`; `nil` if the
    /// resolver was not measured.
    func sentence(on label: String) -> String? {
        let found = rows.filter { $0.subject.target.label == label }.map { row in
            let result = row.result
            return "\(result.stateText) \(result.state == .open ? "for" : "by") \(title(row)), "
                + "\(result.text(result.count)) within \(objective.limitText) "
                + "(\(result.intervalText))"
        }
        return found.isEmpty ? nil : "\(objective): \(found.joined(separator: "; "))."
    }

    private var budget: String {
        "Error budget: \(objective.allowanceText) of the queries may fail or take longer than "
            + "\(objective.limitText)."
    }

    private var scope: String {
        let rounds = provenance.log.count
        let measured = rounds > 0 ? "\(rounds.of("round", "rounds")), " : ""
        return "\(measured)\(context.span)\(context.zoneNote)."
    }

    var notes: [Warning] {
        var notes = Warning.all(provenance, verification, context)
        let isShort = rows.contains { !$0.result.isByHours }
        notes.add(.fewHours, if: isShort) {
            "A resolver has fewer than \(HourlyShare.leastHours) hours."
        } _: {
            "Choose a longer window."
        }
        return notes
    }

    private var columns: [Table.Column] {
        guard !rows.isEmpty else { return [] }
        let results = rows.map(\.result)
        let within = results.map {
            Table.Cell($0.text($0.count), key: $0.count.share, note: $0.intervalText)
        }
        let intervals = results.map(\.intervalText)
        let states = results.map {
            Table.Cell($0.stateText, style: $0.state == .missed ? .warning : .plain)
        }
        let budgets = results.map { Table.Cell($0.budgetText, key: $0.budgetLeft) }
        let names = Table.Column.naming(
            rows.map(\.subject),
            rows.map(\.figures.name),
            isByTransport: rows.map(\.subject.target).haveSeveralTransports
        )
        return names + [
            .init("within \(objective.limitText)", within, .figures),
            .init("95 % interval", intervals, .figures, drop: 2).shown(in: [.text, .markdown]),
            .init("result", states), .init("budget left", budgets, .figures, drop: 1),
            .init("queries", results.map { "\($0.count.queries)" }, .figures, drop: 3),
        ]
    }

    private var worstHours: [(row: Row, hour: ObjectiveFinding.Hour)] {
        rows.flatMap { row in row.finding.worst.map { (row, $0) } }
    }

    private var worstTable: Table {
        let worst = worstHours
        var names = Table.Column("resolver", worst.map { title($0.row) }, .heading)
        names.isGrouping = true
        var table = Table(
            [
                names, .init("worst hours", worst.map { context.clock.text($0.hour.start) }),
                .init(
                    "within \(objective.limitText)",
                    worst.map { $0.row.result.text($0.hour.count) },
                    .figures
                ),
                .init(
                    "late or failed",
                    worst.map { "\($0.hour.count.failures) of \($0.hour.count.queries)" },
                    .figures
                ),
            ],
            caption: "By resolver, the hours below the target that used up most of the error "
                + "budget, the worst first."
        )
        table.isSortable = false
        return table
    }

    static let columns: [Field<Row>] =
        [.text("vantage", "Name of the vantage point.") { $0.subject.vantage }]
        + Recording.Target.fields.of { $0.subject.target }
        + ObjectiveResult.fields.of { $0.result } + [
            .list(
                "worst_hours",
                ObjectiveFinding.Hour.shape,
                in: .jsonOnly,
                "Hours below the target that used up most of the budget, the worst first."
            ) { $0.finding.worst }
        ] + ResolverSummary.availabilityFields.of { $0.figures }

    static let fields: [Field<ObjectiveReport>] = [
        .text("objective", "The objective, as it was given.") { $0.objective.description },
        .time("limit_ms", "Time within which a query must be answered.") { $0.objective.limit },
        .share("target", "Share of the queries that must be answered in time.") {
            $0.objective.target
        },
        .list("rows", Shape("objective", columns), "One entry per place and resolver.") { $0.rows },
    ]
}

extension ObjectiveResult {
    /// Figures for programs; shares are fractions.
    static let fields: [Field<ObjectiveResult>] =
        [
            .text("objective", in: .csvOnly, "The objective, as it was given.") {
                $0.objective.description
            },
            .count("queries", "Queries that count.") { $0.count.queries },
            .count("within", "Queries that were answered in time.") { $0.count.within },
            .share("share", null: "no query counts", "Share that was answered in time.") {
                $0.count.share
            },
        ]
        + Field.interval("share_ci", unit: .share, "95 % interval of `share`.") {
            JSONValue.rates($0.interval)
        } + [
            .share("target", in: .csvOnly, "Share that must be answered in time.") {
                $0.objective.target
            },
            .word("result", "State of the objective.") { $0.state },
            Field("budget_left", .number, null: "no query counts", "Rest of the error budget.") {
                .rate($0.budgetLeft)
            },
            .count("hours", "Hours with a query that counts.") { $0.hours },
            Field("unit", .word(["hour", "query"]), "Unit that the interval takes as one.") {
                .string($0.isByHours ? "hour" : "query")
            },
        ]
}

extension ObjectiveFinding.Hour {
    fileprivate static let shape = Shape<ObjectiveFinding.Hour>(
        "hour",
        [
            .moment("since", "Start of the hour.") { $0.start },
            .count("queries", "Queries that count.") { $0.count.queries },
            .count("within", "Queries that were answered in time.") { $0.count.within },
            .share("share", null: "no query counts", "Share that was answered in time.") {
                $0.count.share
            },
        ]
    )
}

extension ObjectiveReport: GatedReport {
    package var labels: [String] { rows.map(\.subject.target.label) }

    package var gatedRounds: GatedRounds? { GatedRounds(of: self) }

    package var namedLabels: [(label: String, name: String)] {
        rows.map { ($0.subject.target.label, $0.figures.name) }
    }

    package func findings(of condition: FailCondition) -> [String] {
        guard condition.metric == .objectiveMissed else {
            return condition.findings(in: rows.map(\.figures), at: onlyPlace) { _ in false }
        }
        return rows.filter { row in
            row.result.state == .missed
                && condition.concerns(
                    row.subject.target.label,
                    name: row.figures.name,
                    at: onlyPlace
                )
        }
        .map { "\($0.figures.said) missed \(objective)" }
    }
}
