import Analysis
import Samples
import Statistics

/// The section of a report about the times that asking several resolvers would have taken.
struct StrategySection {
    typealias Row = StrategyEvidence.Row

    let evidence: StrategyEvidence
    /// The members' names, as tables show them.
    private let names: [String]
    /// The timeout in milliseconds.
    private let timeout: Double
    /// The number of resolvers of the series, with or without strategies.
    private let resolvers: Int
    private let leftOut: [String]

    /// Returns `nil` if the samples allow no conclusion.
    init?(of report: ComparisonReport) {
        guard let evidence = report.strategies else { return nil }
        self.evidence = evidence
        names = evidence.members.map { report.row(ofTarget: $0)?.name ?? "" }
        timeout = report.context.plan.timeout.milliseconds
        resolvers = report.rows(of: .cached).count
        leftOut = Self.leftOut(of: report)
    }

    /// The section of a report whose strategies were requested. Without strategies, it is one
    /// sentence.
    static func section(of report: ComparisonReport) -> Document.Section {
        StrategySection(of: report)?.section
            ?? Document.Section(
                "No strategies: they take the same cached names of two resolvers.",
                details: leftOut(of: report)
                    + ["Query two resolvers or more for cached names, with a baseline."]
            )
    }

    /// A sentence about the resolvers that no strategy includes, because a check of their answers
    /// failed.
    private static func leftOut(of report: ComparisonReport) -> [String] {
        let names = report.rows(of: .cached).filter {
            report.context.tampering[$0.target.label] != nil && !$0.isBaseline
        }
        .map { EscapedText.terminal($0.name) }
        return names.isEmpty
            ? [] : ["Left out after a failed check of answers: \(names.joined(separator: ", "))."]
    }

    private var section: Document.Section {
        var section = Document.Section(headline, details: details, tables: [table])
        let moment = evidence.isAtOnce ? ", each sent to all at one moment" : ""
        section.scope =
            "\(evidence.lookups.of("look-up", "look-ups")) in "
            + "\(evidence.rounds.of("round", "rounds"))\(moment), \(Series.cached.wording)."
        return section
    }

    // MARK: - Words

    /// A name such as `race with far`. The baseline is always a member.
    func name(of strategy: Strategy) -> String {
        let members = strategy.members.map { EscapedText.terminal(names[$0]) }
        let last = members[members.count - 1]
        return switch strategy {
        case .alone: "\(members[0]) alone"
        case .race: members.count == 2 ? "race with \(last)" : "race of all \(members.count)"
        case .fallback(_, _, _, let listens): "\(listens ? "hedge" : "failover") to \(last)"
        case .shares:
            "equal shares of \(members.count == 2 ? "both" : "all \(members.count)")"
        case .winners: "winner of a race"
        }
    }

    private static let slow = LatencyFormat.plain(StrategyFigures.slow)

    private var baseline: Row { evidence.rows[0] }

    private var others: ArraySlice<Row> { evidence.rows.dropFirst() }

    /// The strategies that save enough, the one with the fewest slow look-ups first.
    private var better: [Row] {
        others.filter { $0.slow?.verdict == .better }.sorted {
            ($0.figures.slowShare, $0.figures.queries) < ($1.figures.slowShare, $1.figures.queries)
        }
    }

    private var headline: String {
        guard evidence.isAtOnce else {
            return "Strategies without a verdict: no name was sent to all at one moment."
        }
        let alone = name(of: baseline.strategy)
        if let best = better.first {
            return "\(name(of: best.strategy).sentenceStart): fewer slow look-ups than \(alone)."
        }
        let share = baseline.figures.slowShare
        if share < StrategyComparison.Measure.slow.margin {
            return "Little to save: \(Self.percent(share)) of look-ups of \(alone) are slow."
        }
        let isSure = others.allSatisfy { $0.slow == nil || $0.slow?.verdict == .notBetter }
        return isSure
            ? "No strategy saves 1 slow look-up in 100."
            : "No strategy is known to save slow look-ups."
    }

    private var details: [String] {
        var details = better.prefix(1).map { saving(of: $0, .slow) }
        let further = better.dropFirst().map { name(of: $0.strategy) }
        if !further.isEmpty { details.append("Fewer too: \(further.joined(separator: ", ")).") }
        let kept = others.filter { $0.failed?.verdict == .better }
            .min {
                ($0.figures.failedShare, $0.figures.queries)
                    < ($1.figures.failedShare, $1.figures.queries)
            }
        if let kept { details.append(saving(of: kept, .failed)) }
        details += [openQuestion, bracketed].compactMap(\.self)
        if evidence.rows.contains(where: { $0.strategy.isRace }) {
            details.append(
                "A race is as truthful and as private as its worst member: each name goes to all of "
                    + "them."
            )
        }
        details.append(
            "Slow: longer than \(Self.slow), or failed. Hedge: the second resolver after "
                + "\(LatencyFormat.plain(StrategyEvidence.hedge)), the first answer counts. Failover: "
                + "after \(LatencyFormat.plain(StrategyEvidence.failover)), as glibc with timeout:1. "
                + "Equal shares: one resolver per look-up. Winner of a race: one per look-up, each as "
                + "often as it wins, as dnsmasq by default."
        )
        if resolvers > names.count {
            details.append("Over \(names.count) of \(resolvers) resolvers, the baseline first.")
        }
        return details + leftOut
    }

    /// A sentence such as `Race with far: 1.2 % slow vs 6.3 %, 5.1 points fewer (99 % confidence
    /// interval: 3.2 to 9.0), for 2.00 queries per look-up.`
    private func saving(of row: Row, _ measure: StrategyComparison.Measure) -> String {
        let isSlow = measure == .slow
        let shares = [row, baseline].map {
            Self.percent(isSlow ? $0.figures.slowShare : $0.figures.failedShare)
        }
        let start =
            "\(name(of: row.strategy).sentenceStart): \(shares[0]) \(isSlow ? "slow" : "failed") vs "
            + shares[1]
        guard let compared = isSlow ? row.slow : row.failed else { return start + "." }
        let ends = [compared.interval.lowerBound, compared.interval.upperBound].map(Self.points)
        return start
            + ", \(Self.points(compared.saved)) points fewer "
            + "(\(DifferencePhrases.percent(compared.confidence)) confidence interval: \(ends[0]) to "
            + "\(ends[1])), for \(row.figures.queries.fixed(2)) queries per look-up."
    }

    private var openQuestion: String? {
        let tested = others.compactMap(\.slow)
        let open = tested.count { $0.verdict == .undecided }
        guard open > 0 else { return nil }
        let margin = DifferencePhrases.percent(StrategyComparison.Measure.slow.margin)
        return "\(open) of \(tested.count) undecided: whether a strategy saves \(margin) of all "
            + "look-ups takes more rounds."
    }

    private var bracketed: String? {
        guard others.contains(where: { $0.bracket != nil }) else { return nil }
        return
            "A race is between what these rows say and the slowest race that they allow; new runs send "
            + "every second name to all at one moment."
    }

    /// Percentage points, without their unit.
    private static func points(_ share: Double) -> String { (share * 100).fixed(1) }

    private static func percent(_ share: Double) -> String {
        let text = points(share)
        return (share > 0 && text == "0.0" ? "< 0.1" : text) + " %"
    }
}

// MARK: - Table

extension StrategySection {
    private var table: Table {
        let heading = Table.Column(
            "strategy",
            evidence.rows.map { name(of: $0.strategy) },
            .heading
        )
        let shares = [
            share("slow") { $0.figures.slowShare }, share("failed") { $0.figures.failedShare },
        ]
        // Columns that do not fit are shown below.
        var table = Table(
            [heading, quantile("median", \.median, \.median), quantile("p95", \.p95, \.p95)]
                + shares
                + [queries] + (evidence.isAtOnce ? [verdict] : []) + [interval, wins]
        )
        table.current = evidence.rows.indices.map { $0 == 0 }
        table.isStacked = true
        table.caption =
            "Strategies beside \(name(of: baseline.strategy)). Intervals, to 95 %, are of the time of "
            + "these rounds."
        return table
    }

    private func quantile(
        _ header: String,
        _ value: (StrategyFigures) -> ClusteredQuantile,
        _ range: (StrategyEvidence.Bracket) -> ClosedRange<Double>
    ) -> Table.Column {
        let format = LatencyFormat(
            fitting: evidence.rows.map { value($0.figures).value }.filter(\.isFinite)
        )
        let cells = evidence.rows.map { row in
            if let bracket = row.bracket.map(range) {
                let text = span(bracket.lowerBound, bracket.upperBound, in: format)
                return Table.Cell(text, key: bracket.lowerBound)
            }
            let time = value(row.figures).value
            return Table.Cell(text(time, in: format), key: time)
        }
        return Table.Column(header, cells, .figures)
    }

    private var interval: Table.Column {
        let format = LatencyFormat(
            fitting: evidence.rows.compactMap(\.figures.p95.lower).filter(\.isFinite)
        )
        let texts = evidence.rows.map { row -> String in
            let p95 = row.figures.p95
            if row.bracket != nil || (p95.lower == nil && p95.upper == nil) { return "–" }
            let low = p95.lower ?? 0
            return p95.upper.map { span(low, $0, in: format) } ?? text(low, in: format)
                + " or more"
        }
        return Table.Column("p95, 95 % interval", texts, .figures, drop: 3)
    }

    private func share(_ header: String, _ value: (Row) -> Double) -> Table.Column {
        let cells = evidence.rows.map { row in
            row.bracket == nil ? Table.Cell(Self.percent(value(row)), key: value(row)) : "–"
        }
        return Table.Column(header, cells, .figures)
    }

    private var queries: Table.Column {
        let cells = evidence.rows.map { Table.Cell($0.figures.queries.fixed(2)) }
        return Table.Column("queries", cells, .figures, drop: 1)
    }

    private var verdict: Table.Column {
        let cells = evidence.rows.map { row -> Table.Cell in
            guard let slow = row.slow else { return "" }
            let isKept = row.failed?.verdict == .better
            let words = [slow.verdict.words] + (isKept ? ["fewer failed"] : [])
            let isGood = isKept || slow.verdict == .better
            return Table.Cell(words.joined(separator: ", "), style: isGood ? .good : .plain)
        }
        return Table.Column("verdict", cells, drop: 2)
    }

    /// The resolvers whose answer came first, each with its share.
    private var wins: Table.Column {
        let cells = evidence.rows.map { row -> String in
            guard row.bracket == nil else { return "–" }
            return row.figures.wins.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
                .map { "\(EscapedText.terminal(names[$0.key])) \(Self.percent($0.value))" }
                .joined(separator: ", ")
        }
        return Table.Column("first answer", cells, drop: 4)
    }

    private func span(_ low: Double, _ high: Double, in format: LatencyFormat) -> String {
        "\(low.isFinite ? format.number(low) : text(low, in: format)) to \(text(high, in: format))"
    }

    private func text(_ value: Double, in format: LatencyFormat) -> String {
        value.isFinite ? format.cell(value) : LatencyFormat.beyond(timeout)
    }
}

extension StrategyComparison.Verdict {
    fileprivate var words: String {
        switch self {
        case .better: "fewer slow"
        case .notBetter: "not 1 % fewer slow"
        case .undecided: "undecided"
        }
    }
}
