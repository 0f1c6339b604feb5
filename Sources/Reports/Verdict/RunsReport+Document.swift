import Samples
import Statistics

extension RunsReport {
    var document: HistoryDocument {
        HistoryDocument(
            words: rows.isEmpty ? ["There are no samples to compare."] : rows.map(sentence),
            columns: columns,
            notes: notes,
            provenance: provenance.text(toolVersion: context.toolVersion),
            csv: csv,
            json: json
        )
    }

    private var notes: [HistoryNote] {
        Verification(of: rows.flatMap { [$0.before, $0.now] }.compactMap(\.self)).notes
    }

    private var provenance: Provenance {
        Provenance(firstSample: firstSample, firstSum: nil, clock: context.clock)
    }

    private func sentence(_ row: Row) -> String {
        guard let now = row.now else { return "\(row.name) was measured before only." }
        guard let before = row.before, let comparison = row.comparison else {
            return "\(row.name) was not measured before."
        }
        let format = format
        let medians =
            "median \(now.quantile(now.latency.median, in: format)) after "
            + before.quantile(before.latency.median, in: format)
        let rounds = comparison.rounds.of("round", "rounds")
        return "\(row.name) \(finding(comparison)): \(medians), \(rounds)."
    }

    /// What the comparison says, as the rest of a sentence about a resolver.
    private func finding(_ comparison: Comparison) -> String {
        let margin = LatencyFormat.plain(rules.margin)
        let by = rules.margin > 0 ? " by more than \(margin)" : ""
        switch (comparison.verdict, comparison.reason) {
        case (.switch, _): return "is faster than before\(by)"
        case (.keep, .reliability): return "loses more queries than before"
        case (.keep, .slower): return "is slower than before\(by)"
        case (.keep, _): return "is about as fast as before"
        case (.tooClose, _): return "is too close to \(margin) from what it was to say more"
        case (.undecided, .reliability): return "is faster than before, but lost more queries"
        case (.undecided, .tail): return "is faster than before in most, and slower on average"
        case (.undecided, _): return "cannot be told from what it was in so few rounds"
        }
    }

    /// One for all, so that the columns line up.
    private var format: LatencyFormat {
        LatencyFormat(
            fitting: rows.flatMap { [$0.before, $0.now] }.compactMap { $0?.latency.median }
        )
    }

    private var columns: [HistoryDocument.Column] {
        guard !rows.isEmpty else { return [] }
        let format = format
        func right(
            _ header: String,
            drop: Int = 0,
            _ cell: (Row) -> String
        ) -> HistoryDocument.Column {
            .init(
                header: header,
                cells: rows.map(cell),
                alignment: .right,
                dispensability: drop
            )
        }
        func median(_ figures: ResolverRow?) -> String {
            figures.map { $0.quantile($0.latency.median, in: format) } ?? "–"
        }
        func lost(_ figures: ResolverRow?) -> String {
            figures?.counts.failureRate.description ?? "–"
        }
        return [
            HistoryDocument.Column(header: "resolver", cells: rows.map(\.name)),
            right("before") { median($0.before) },
            right("now") { median($0.now) },
            right("sooner by") {
                $0.comparison?.medianDifference.map { signed($0, format) } ?? "–"
            },
            right("lost before", drop: 2) { lost($0.before) },
            right("lost now", drop: 1) { lost($0.now) },
        ]
    }

    private func signed(_ value: Double, _ format: LatencyFormat) -> String {
        let number = format.cell(abs(value))
        return value < 0 && number != format.cell(0) ? "-" + number : number
    }

    // MARK: - For programs

    private var csv: [[CSVCell]] {
        let header = [
            "name", "endpoint", "transport", "series", "rounds", "pairs", "before_median_ms",
            "now_median_ms", "median_difference_ms", "ci_low_ms", "ci_high_ms", "verdict", "reason",
        ]
        func digits(_ value: Double?) -> String { value?.fixed(least: 3, most: 6) ?? "" }
        let unverified = UnverifiedColumns(rows.map { [$0.before, $0.now] })
        return [(header + unverified.header).map(CSVCell.figure)]
            + zip(rows, unverified.cells).map { row, unverified in
                let comparison = row.comparison
                let texts = [row.target.label, row.target.endpoint, row.target.transport]
                let figures = [
                    row.target.series.description,
                    comparison.map { String($0.rounds) } ?? "",
                    comparison.map { String($0.pairs) } ?? "",
                    digits(row.before?.latency.median), digits(row.now?.latency.median),
                    digits(comparison?.medianDifference), digits(comparison?.interval.lower),
                    digits(comparison?.interval.upper), comparison?.verdict.rawValue ?? "",
                    comparison?.reason.rawValue ?? "",
                ]
                return texts.map(CSVCell.text) + (figures + unverified).map(CSVCell.figure)
            }
    }

    private var json: JSONValue {
        HistoryHead(
            kind: "against",
            context: context,
            provenance: provenance,
            log: log,
            notes: notes
        )
        .document([.init(name: "rows", value: .array(rows.map(json)))])
    }

    private func json(_ row: Row) -> JSONValue {
        func figures(_ row: ResolverRow?) -> JSONValue {
            row.map { .object(JSONReport.members(of: $0)) } ?? .null
        }
        guard let comparison = row.comparison else {
            return [
                "name": .string(row.target.label), "before": figures(row.before),
                "now": figures(row.now),
            ]
        }
        let ends = [comparison.interval.lower, comparison.interval.upper]
        return [
            "name": .string(row.target.label),
            "rounds": .integer(comparison.rounds),
            "pairs": .integer(comparison.pairs),
            "median_difference_ms": .milliseconds(comparison.medianDifference),
            "ci_ms": .array(ends.map { .milliseconds($0) }),
            "margin_ms": .milliseconds(comparison.margin),
            "verdict": .string(comparison.verdict.rawValue),
            "reason": .string(comparison.reason.rawValue),
            "before": figures(row.before),
            "now": figures(row.now),
        ]
    }
}
