import Charts
import Statistics

/// The columns of the live view that fit its width.
struct LiveColumns {
    let resolvers: [LiveProgress.Resolver]
    let width: Int

    private static let narrowestBar = 12
    private static let widestBar = 60

    /// The columns that fit `width`. Columns are omitted in this order: answered, bars, interval.
    /// Then the evidence column becomes short, and the failures and the evidence are omitted.
    /// Finally the name is cut, and the median is omitted.
    var fitting: [TextColumn] {
        let columns = ResolverColumns(rows: resolvers)
        let core = [nameColumn, TextColumn(columns.median.atLeast(8))]
        let figures = core + [intervalColumn]
        let answered = TextColumn(.init("answered", resolvers.map { "\($0.answered)" }, .figures))
        let failed = TextColumn(columns.failed.atLeast(6))
        var (evidence, short): ([TextColumn], [TextColumn]) = ([], [])
        if resolvers.contains(where: { $0.evidence != nil }) {
            let words = resolvers.map { LiveEvidence(of: $0) }
            evidence = [TextColumn(Table.Column("evidence", words.map(\.cell)).atLeast(16))]
            short = [TextColumn(Table.Column("sure", words.map(\.shortCell)).atLeast(6))]
        }
        // The answered column is shown only if the bar keeps 24 cells. Up to this width, bars are
        // more useful than counts.
        let choices = [(24, [answered, failed]), (Self.narrowestBar, [failed])]
        for (least, counts) in choices {
            let room =
                width - TextColumn.width(of: figures + counts + evidence) - TextColumn.gap.count
            if room >= least { return figures + [barColumn(room)] + counts + evidence }
        }
        let narrow = [
            figures + [failed] + evidence, core + [failed] + evidence, core + [failed] + short,
            core + short, core,
        ]
        if let fits = narrow.first(where: { TextColumn.width(of: $0) <= width }) { return fits }
        let excess = TextColumn.width(of: core) - width
        let shorter = [core[0].limited(to: max(1, core[0].width - excess)), core[1]]
        return TextColumn.width(of: shorter) <= width
            ? shorter : [core[0].limited(to: width - TextColumn.indent.count)]
    }

    private var nameColumn: TextColumn {
        let cells = resolvers.map { resolver in
            let isStopped = resolver.evidence?.stoppedAfter != nil
            return Table.Cell(
                resolver.name,
                style: resolver.isInUse ? .current : isStopped ? .faint : .plain
            )
        }
        return TextColumn(.init("resolver", cells, .heading), limit: max(12, width * 3 / 10))
    }

    /// A column of intervals such as `13.9–14.6`. The text is `≥ 13.9` if the upper end may exceed
    /// the timeout, and a dash for too few queries.
    private var intervalColumn: TextColumn {
        let format = LatencyFormat(fitting: resolvers.compactMap(\.latency.median))
        let cells = resolvers.map { resolver in
            guard let interval = resolver.medianInterval else { return "–" }
            let (lower, upper) = (interval.lowerBound, interval.upperBound)
            if !lower.isFinite { return LatencyFormat.beyond(resolver.latency.timeout) }
            return upper.isFinite
                ? "\(format.number(lower))–\(format.number(upper))" : "≥ \(format.number(lower))"
        }
        return TextColumn(Table.Column("95 % sure", cells, .figures).atLeast(11))
    }

    private func barColumn(_ room: Int) -> TextColumn {
        let bars = TerminalBars(of: resolvers.map(\.latency), width: min(room, Self.widestBar))
        return TextColumn(.init(bars.key, bars.rows))
    }
}

extension LiveProgress.Resolver: TimedRow {
    var failedShare: Share { Share(part: failed, whole: answered + failed) }

    var failureIntervalText: String? { nil }
}

/// The evidence about a candidate in words, for the live view.
struct LiveEvidence {
    /// A text such as `━━━━──────   42 %`, `faster` or `not faster`.
    let cell: Table.Cell
    /// A text such as `42 %`, `faster` or `not faster`.
    let shortCell: Table.Cell
    /// A text such as `42 % of the evidence` or `not faster`.
    let phrase: String

    init(of resolver: LiveProgress.Resolver) {
        guard let evidence = resolver.evidence else {
            cell = .init(resolver.isInUse ? "current resolver" : "baseline", style: .faint)
            shortCell = .init(resolver.isInUse ? "current" : "base", style: .faint)
            phrase = ""
            return
        }
        if evidence.verdict != nil || evidence.reason != nil {
            let (words, short) = Self.words(evidence.verdict, evidence.reason)
            let isBad = [.reliability, .tail, .tampering, .edge].contains(evidence.reason)
            var style: StyledText.Style =
                evidence.verdict == .switch ? .good : isBad ? .warning : .plain
            var (long, phrase) = (words, words)
            if let rounds = evidence.stoppedAfter {
                let why = evidence.reason == .setAside ? "others are faster" : words
                long = "stopped after \(rounds): \(why)"
                phrase = "stopped after \(rounds.of("round", "rounds")): \(why)"
                style = .faint
            }
            (cell, shortCell) = (.init(long, style: style), .init(short, style: style))
            self.phrase = phrase
            return
        }
        // Rounded down, because 100 % is reached only with the verdict.
        let percent = "\(Int(min(max(evidence.share, 0), 1) * 100)) %"
        let bar = LiveProgress.bar(evidence.share, cells: 10)
        cell = .init("\(bar) \(percent.padded(to: 5, atEnd: false))")
        shortCell = .init(percent)
        phrase = "\(percent) of the evidence"
    }

    private static func words(
        _ verdict: Verdict?,
        _ reason: VerdictReason?
    ) -> (long: String, short: String) {
        switch (verdict, reason) {
        case (nil, .reliability): ("faster but fails more", "fails?")
        case (_, .lossUnknown): ("faster, loss unknown", "loss?")
        case (nil, .tail): ("faster, long tail", "tail?")
        case (nil, .edge): ("faster, connecting", "connect?")
        case (_, .edge): ("not faster to content", "content")
        case (_, .reliability): ("fails more", "fails")
        case (_, .tampering): ("failed a check", "check")
        case (_, .setAside): ("set aside", "aside")
        case (.switch, _): ("faster", "faster")
        case (.keep, _): ("not faster", "not faster")
        default: ("undecided", "open")
        }
    }
}

extension LiveProgress {
    /// A bar of `cells` characters. The done `share`, from 0 to 1, is thick.
    static func bar(_ share: Double, cells: Int) -> String {
        let filled = Int(min(max(share, 0), 1) * Double(cells))
        return String(repeating: "━", count: filled) + String(repeating: "─", count: cells - filled)
    }
}
