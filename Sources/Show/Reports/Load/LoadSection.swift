import Analysis
import Catalogue
import Samples
import Statistics

/// The section of a report about the time that a query takes while the line is busy.
struct LoadSection {
    typealias Row = LoadEvidence.Row

    let evidence: LoadEvidence
    let report: ComparisonReport

    /// Returns `nil` if no query was sent on a loaded line.
    init?(of report: ComparisonReport) {
        guard let evidence = report.load else { return nil }
        (self.evidence, self.report) = (evidence, report)
    }

    var section: Document.Section {
        var section = Document.Section(headline, details: details, tables: [table])
        let rounds = evidence.rounds.of("round", "rounds")
        section.scope = "\(rounds) of blocks in random order, \(Series.cached.wording)."
        return section
    }

    // MARK: - Words

    /// The row that the sentences are about: the baseline's, otherwise the first.
    private var main: Row {
        let targets = report.recording.targets
        return evidence.rows.first { targets[$0.idle].label == report.context.baseline }
            ?? evidence.rows[0]
    }

    private func summary(_ target: Int) -> LatencySummary? { report.row(ofTarget: target)?.latency }

    private func median(_ target: Int) -> Double? { summary(target)?.median }

    /// The share of queries without an answer.
    private func failures(_ target: Int) -> Double? {
        summary(target).flatMap { summary in
            summary.count > 0
                ? Double(summary.count - summary.answered) / Double(summary.count) : nil
        }
    }

    func name(_ row: Row) -> String {
        EscapedText.terminal(report.row(ofTarget: row.idle)?.name ?? "")
    }

    private func prose(_ time: Double) -> String { LatencyFormat(fitting: [time]).prose(time) }

    private var headline: String {
        guard let loaded = median(main.loaded) else {
            return "While the line is busy, most queries to \(name(main)) are not answered."
        }
        guard main.added.verdict == .longer, let idle = median(main.idle) else {
            return main.added.interval.lower == nil && main.added.interval.upper == nil
                ? "Too few rounds to say what a busy line adds."
                : "A busy line adds no time to queries to \(name(main)), as far as this run shows."
        }
        return
            "While the line is busy, a query takes \(prose(loaded)), and \(prose(idle)) on the idle line."
    }

    private var details: [String] {
        [queue, marking, transports, failures, loadFacts, obstacle].compactMap(\.self)
    }

    /// The added time, and the part of it that every packet waits.
    private var queue: String? {
        guard main.added.verdict == .longer, let added = main.added.median else { return nil }
        let sentence = "The busy line adds \(prose(added))\(interval(main.added))"
        guard let load = report.context.load, let idle = load.idleRoundTrip,
            let loaded = load.loadedRoundTrip, loaded > idle
        else { return sentence + "." }
        let share = (loaded - idle) / added
        let part = share > 0.9 ? "Nearly all" : prose(loaded - idle)
        return
            "\(sentence). \(part) of it is the queue in front of your line: a packet to a resolver and "
            + "back takes \(prose(loaded)), and \(prose(idle)) on the idle line."
    }

    private var marking: String? {
        guard let saved = main.saved else { return nil }
        let mark = report.context.mark.map { " with DSCP \($0)" } ?? ""
        if saved.interval.lower == nil, saved.interval.upper == nil {
            return "Too few rounds to say whether marking\(mark) helps."
        }
        guard let time = saved.median, saved.verdict == .longer else {
            return saved.verdict == .shorter
                ? "Marking\(mark) makes queries slower." : "Marking\(mark) shows no effect."
        }
        return "Marking\(mark) helps by \(prose(time))\(interval(saved))."
    }

    private func interval(_ delay: AddedDelay) -> String {
        guard let lower = delay.interval.lower, let upper = delay.interval.upper else { return "" }
        let format = LatencyFormat(fitting: [abs(lower), abs(upper)])
        return " (\(DifferencePhrases.percent(delay.confidence)) confidence interval: "
            + "\(format.number(lower)) to \(format.cell(upper)))"
    }

    /// The order of the transports of one resolver, if there are several.
    private var transports: String? {
        let targets = report.recording.targets
        let own = evidence.rows.filter { targets[$0.idle].label == targets[main.idle].label }
        let times = own.compactMap { row in row.added.median.map { (row, $0) } }
            .sorted { $0.1 < $1.1 }
        guard times.count > 1 else { return nil }
        let words = times.map { row, time in
            "\(targets[row.idle].transport) \(prose(max(0, time)))"
        }
        return "The busy line adds, by transport: \(words.joined(separator: ", "))."
    }

    private var failures: String? {
        guard let idle = failures(main.idle),
            let loaded = failures(main.loaded), loaded > idle
        else { return nil }
        return
            "Of the queries to \(name(main)), \(Self.percent(loaded)) failed on the busy line, and "
            + "\(Self.percent(idle)) on the idle line."
    }

    private var loadFacts: String? {
        guard let load = report.context.load else { return nil }
        let rates = [("down", load.download), ("up", load.upload)].compactMap { direction, rate in
            rate.map { "\(BitRate.text($0)) \(direction)" }
        }
        let streams = load.streams.of("stream", "streams")
        return
            "The load reached \(rates.joined(separator: " and ")), with \(streams) in each direction, "
            + "and transferred about \(ByteCount(load.bytes)) of at most \(ByteCount(load.limit))."
    }

    /// What ended the run early, or kept the line from becoming idle.
    private var obstacle: String? {
        guard let load = report.context.load else { return nil }
        if let failure = load.failure {
            return "The load ended the run: \(EscapedText.terminal(failure))."
        }
        if load.isLimitReached, evidence.rounds < report.context.plan.rounds {
            return
                "The limit of bytes ended the run after \(evidence.rounds.of("round", "rounds")): "
                + "raise --load-limit for a narrower interval."
        }
        guard load.undrained > 0 else { return nil }
        return
            "The queue did not drain within 10 s before \(load.undrained.of("block", "blocks")): other "
            + "traffic uses the line."
    }

    private static func percent(_ share: Double) -> String { "\((share * 100).fixed(1)) %" }
}

// MARK: - Table

extension LoadSection {
    private var table: Table {
        let rows = evidence.rows
        func time(_ header: String, drop: Int = 0, _ target: (Row) -> Int?) -> Table.Column {
            let targets = rows.map(target)
            let format = LatencyFormat(fitting: targets.compactMap { $0.flatMap(median) })
            let cells = targets.map { target -> Table.Cell in
                guard let target else { return "–" }
                let time = median(target)
                return Table.Cell(time.map(format.cell) ?? beyond, key: time ?? .infinity)
            }
            return Table.Column(header, cells, .figures, drop: drop)
        }
        let hasMarks = rows.contains { $0.marked != nil }
        let verdict = Table.Column(
            "verdict",
            rows.map { Table.Cell($0.added.verdict.words) },
            drop: 5
        )
        var table = Table(
            [
                Table.Column("resolver", rows.map { Table.Cell(name($0)) }, .heading),
                time("idle") { $0.idle }, time("loaded") { $0.loaded },
            ] + delay("added") { $0.added } + [verdict]
                + (hasMarks
                    ? [time("marked", drop: 2) { $0.marked }]
                        + delay("marking saves", drop: 1) { $0.saved } : [])
                + [
                    failed("failed, idle", drop: 4) { $0.idle },
                    failed("failed, loaded", drop: 3) { $0.loaded },
                ]
        )
        table.current = rows.indices.map { rows[$0] == main }
        table.isStacked = true
        table.caption = "Medians. Intervals hold together, to 95 %."
        return table
    }

    private var beyond: String { LatencyFormat.beyond(report.context.plan.timeout.milliseconds) }

    /// A difference and its interval, such as `390.1 ms (380.2 to 402.0)`. A page has room for the interval
    /// below the difference only.
    private func delay(
        _ header: String,
        drop: Int = 0,
        _ delay: (Row) -> AddedDelay?
    ) -> [Table.Column] {
        let delays = evidence.rows.map(delay)
        let values = delays.flatMap { [$0?.median, $0?.interval.lower, $0?.interval.upper] }
        let format = LatencyFormat(fitting: values.compactMap { $0.map(abs) })
        let cells = delays.map { delay -> Table.Cell in
            guard let delay, let median = delay.median else { return "–" }
            return Table.Cell(
                format.cell(median),
                key: median,
                note: Self.span(delay.interval, in: format)
            )
        }
        let joined = cells.map { cell -> Table.Cell in
            Table.Cell(cell.text + (cell.note.map { " (\($0))" } ?? ""), key: cell.key)
        }
        return [
            Table.Column(header, joined, .figures, drop: drop).shown(in: [.text, .markdown]),
            Table.Column(header, cells, .figures, drop: drop).shown(in: [.page]),
        ]
    }

    private static func span(_ interval: DifferenceInterval, in format: LatencyFormat) -> String? {
        switch (interval.lower, interval.upper) {
        case (let lower?, let upper?): "\(format.number(lower)) to \(format.number(upper))"
        case (let lower?, nil): "\(format.number(lower)) or more"
        case (nil, let upper?): "\(format.number(upper)) or less"
        case (nil, nil): nil
        }
    }

    private func failed(
        _ header: String,
        drop: Int = 0,
        _ target: (Row) -> Int
    ) -> Table.Column {
        let cells = evidence.rows.map { row -> Table.Cell in
            guard let rate = failures(target(row)) else { return "–" }
            return Table.Cell(Self.percent(rate), key: rate)
        }
        return Table.Column(header, cells, .figures, drop: drop)
    }
}

/// A number of bits per second in words.
enum BitRate {
    /// The rate to three digits, such as `9.58 Mbit/s`.
    static func text(_ rate: Double) -> String {
        let units: [(String, Double)] = [("Gbit/s", 1e9), ("Mbit/s", 1e6), ("kbit/s", 1e3)]
        guard let (unit, size) = units.first(where: { rate >= $0.1 }) else {
            return "\(rate.fixed(0)) bit/s"
        }
        let value = rate / size
        return "\(value.fixed(LatencyFormat.decimals(ofThreeDigits: value))) \(unit)"
    }
}

extension AddedDelay.Verdict {
    fileprivate var words: String {
        switch self {
        case .longer: "slower"
        case .shorter: "faster"
        case .unknown: "not shown"
        }
    }
}
