import Analysis
import Catalogue
import Charts
import Samples
import Statistics

extension ComparisonReport: Report {
    package var document: Document {
        var document = Document(
            series.isEmpty
                ? [Document.Section("No resolver was measured.")]
                : [LoadSection(of: self)?.section].compactMap(\.self) + findings.map(section)
                    + (context.wantsStrategies ? [StrategySection.section(of: self)] : []),
            provenance: provenance,
            json: { json }
        )
        document.encryption = EncryptionCost.all(of: self).map(\.words)
        document.advice = Advice(of: self)
        document.beside = contextSentences
        document.instruments = [
            floorTerms, ("The instrument", InstrumentLines(of: self).parts),
        ]
        document.warnings = shownWarnings
        document.method = method
        let timeout = LatencyFormat.plain(context.plan.timeout.milliseconds)
        document.details = [
            "Mean counts a failed query as the timeout, \(timeout); min, max, sd and jitter "
                + "are of answers only.",
            provenance,
        ]
        if !series.contains(.uncached), !series.contains(.asFound) {
            let names = "Not tested: \(Series.uncached.wording)"
            // Names from a browser have no other series.
            let advice = "; query them too, with \(context.option("--series cached,uncached"))"
            document.untested = (names, series == [.browser] ? "" : advice)
        }
        document.closing =
            context.chartCommand.map { ["See the charts: \(EscapedText.terminal($0))"] } ?? []
        document.command = context.repetition
        document.charts = { charts().map { Sheet(charts: [$0]) } }
        document.sheet = { sheet(only: $0) }
        document.figures = { table }
        document.spreadsheet = { spreadsheet }
        return document
    }

    /// The warnings without the untested difference, which the finding already states.
    private var shownWarnings: [Warning] { warnings.filter { $0 != .untestedDifference } }

    private func section(_ series: Series?, _ finding: Finding) -> Document.Section {
        var section = Document.Section(finding.headline, details: finding.details)
        section.scope = finding.scope
        guard let series else { return section }
        let rows = groups(of: series).rows
        section.tables = [
            table(of: series), ResolverColumns(rows: rows).caches,
            ResolverColumns(rows: rows).openings,
            ResolverColumns(rows: rows).statistics,
        ]
        return section
    }

    /// The columns of CSV. A column of `further` is present only if at least one row has a value.
    static let columns =
        (ResolverSummary.figures + ResolverSummary.certainty + further).map(\.declaration)
        + [caveats]
    private static let caveats = Declaration(
        "caveats",
        .text,
        in: .csvOnly,
        when: "the report has notes",
        null: "this is not the first row",
        "Notes as `code: text`, separated by ` | `."
    )
    private static let further =
        ResolverSummary.contextFields + ResolverSummary.connectionFields
        + ResolverSummary.cacheFields + ResolverSummary.expectationFields

    private var table: FigureTable {
        (ResolverSummary.figures + ResolverSummary.certainty + Self.further.columns(filledBy: rows))
            .table(of: rows)
    }

    /// The warnings concern the whole report. They are shown once, in the first row.
    private var spreadsheet: FigureTable {
        let caveats = warnings.map { "\($0.code): \($0.text)" }.joined(separator: " | ")
        let table = table
        if caveats.isEmpty { return table }
        return FigureTable(header: table.header + [.string(Self.caveats.key)], count: table.count) {
            index in
            table.row(index) + [.string(index == 0 ? caveats : "")]
        }
    }

    /// A picture of all kinds of charts, or of `only` one kind. Its title is the finding.
    private func sheet(only: ChartKind?) -> Sheet {
        let load = LoadSection(of: self).map { [Finding($0.section)] } ?? []
        let findings = load + findings.map(\.finding)
        let warnings = shownWarnings.filter { !$0.isDetail }.map(\.text)
        // The subtitle contains the facts that the title omits.
        var sentences = findings.dropFirst().map(\.headline)
        for detail in findings.flatMap(\.details) where !sentences.contains(detail) {
            sentences.append(detail)
        }
        return Sheet(
            title: findings.first?.headline ?? "No resolver was measured.",
            subtitle: (sentences + findings.map(\.scope)).filter { !$0.isEmpty }
                .joined(separator: " "),
            charts: charts(only: only),
            footer: (warnings + [provenance]).joined(separator: " ")
        )
    }
}

extension ResolverColumns where Row == ResolverSummary {
    /// The parts of the times of first queries, shown below their ranking.
    var openings: Table {
        let opened = ResolverColumns(rows: rows.filter { $0.parts != nil })
        let parts = opened.parts()
        let uses = Table.Column(
            "connections",
            opened.rows.map { row in
                (row.connections?.sortedUses ?? []).map { "\($0.value) \($0.key)" }
                    .joined(separator: ", ")
            },
            drop: 1
        )
        let name = Table.Column("medians of", opened.rows.map { Table.Cell($0.name) }, .heading)
        return Table(parts.isEmpty ? [] : ([name] + parts + [uses])).inTextAlone
    }

    fileprivate var statistics: Table {
        var table = Table([
            Table.Column("resolver", rows.map { Table.Cell($0.name) }, .heading),
            Table.Column("endpoint", rows.map(\.target.endpoint)), over,
            count("sent", \.sent), count("answered", \.answered), count("failed", \.failed),
            time("min", \.latency.minimum), time("mean", \.latency.restrictedMean),
            median, quantile("p90", \.latency.p90),
            p95, p99,
            time("max", \.latency.maximum), time("sd", \.latency.standardDeviation),
            time("jitter", \.latency.jitter),
        ]).inTextAlone
        (table.isDetail, table.isStacked) = (true, true)
        return table
    }
}

extension Table {
    fileprivate var inTextAlone: Table {
        var table = self
        for index in columns.indices { table.columns[index].media = [.text] }
        return table
    }
}

extension ReportContext {
    /// The given command, with the seed that the run chose.
    var repetition: String? {
        guard let command else { return nil }
        guard let seed = plan.seed, !command.contains(" --seed") else { return command }
        let words = command.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
        guard words.count > 1 else { return command }
        return (words[..<2] + ["--seed \(seed)"] + words[2...]).joined(separator: " ")
    }
}

extension ComparisonReport {
    fileprivate var method: [Document.Passage] {
        let paragraph = [asked, timed, held].compactMap(\.self).joined(separator: " ")
        return [.paragraph(paragraph), .terms(terms), .list(contextSentences)]
    }

    private var asked: String {
        let seed = context.plan.seed.map { " that seed \($0) fixed before the first query left" }
        if series == [.asFound] {
            return "Every name was queried once at every resolver, ten in a round, in a shuffled "
                + "order\(seed ?? ""). A slow or silent resolver delays no query to another."
        }
        let gaps =
            context.plan.sampling == .poisson
            ? " The gaps between the queries to a resolver are exponential (Poisson sampling)." : ""
        let length = rounds.of("round", "rounds")
        let whole = rounds * max(1, context.plan.names.count)
        let isWhole = rows.allSatisfy {
            $0.departure == nil && ($0.target.series != .cached || $0.counts.sent >= whole)
        }
        let queries =
            isWhole
            ? "Every name was queried at every resolver in each of \(length)"
            : "In each of \(length) the same names were queried at every resolver that was still "
                + "measured"
        return "\(queries), in a shuffled order\(seed ?? "").\(gaps) A slow or silent resolver "
            + "delays no query to another."
    }

    private var timed: String {
        let timeout = LatencyFormat.plain(context.plan.timeout.milliseconds)
        return
            "Query times are from the kernel's time stamp of the query to that of its answer. A query "
            + "without an answer within \(timeout), or with a failure such as SERVFAIL, has failed: it "
            + "counts as slower than all others in the median and p95, and as \(timeout) in the mean; "
            + "min, max, stddev and jitter are of answers only. p95: 95 of 100 queries were answered "
            + "within this time."
    }

    private var held: String? {
        guard let evidence = evidence.first(where: \.isTested),
            let baseline = evidence.baseline.flatMap(row)
        else { return nil }
        let rules = context.rules
        let margin =
            rules.margin > 0
            ? "more than \(LatencyFormat.plain(rules.margin))" : "any difference at all"
        let pairs =
            rules.unit == .round
            ? "name by name within the same round" : "by the medians of the same hours"
        return "Each was compared with \(baseline.name) \(pairs), so that what affects all of them "
            + "cancels out. A verdict is about \(margin); at most "
            + "\(DifferencePhrases.percent(rules.alpha)) of such runs give a wrong one"
            + (evidence.series == .asFound
                ? ", looked at once, at the end."
                : ", however often the results are looked at. A rank is a range where the difference "
                    + "from another resolver is not significant.")
    }

    private var terms: [(name: String, text: String)] {
        let plan = context.plan
        let interval = plan.interval.map {
            $0 > .zero ? LatencyFormat.plain($0.milliseconds) : "none"
        }
        let pairs: [(name: String, text: String)] = [
            ("Names", plan.names.joined(separator: ", ")),
            ("Zones of uncached names", plan.zones.joined(separator: ", ")),
            ("Types", plan.types.joined(separator: ", ")),
            ("Asked from", context.vantage),
            ("Begun", context.started.second),
            ("Ended", context.finished.second),
            ("Interval of rounds", interval ?? ""),
        ]
        return pairs.filter { !$0.text.isEmpty }
    }
}
