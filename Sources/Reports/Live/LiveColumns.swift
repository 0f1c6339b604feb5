import Charts
import Statistics

/// The columns of the live view, as many as there is room for.
struct LiveColumns {
    let resolvers: [LiveProgress.Resolver]
    /// Columns of the terminal.
    let width: Int

    private static let narrowestBar = 12
    private static let widestBar = 60

    init(_ resolvers: [LiveProgress.Resolver], width: Int) {
        self.resolvers = resolvers
        self.width = width
    }

    /// Those that fit `width`: the counts go first, then the bars, the interval, the length of what
    /// is said of the evidence, that itself, and the losses; at last the name shrinks.
    var fitting: [TextColumn] {
        let isCompared = resolvers.contains { $0.standing != nil }
        let evidence = isCompared ? [evidenceColumn] : []
        let figures = [nameColumn, medianColumn, intervalColumn]
        // Bars are worth more than counts, but not many more cells of them.
        let choices = [(24, [answeredColumn, lostColumn]), (Self.narrowestBar, [lostColumn])]
        for (least, counts) in choices {
            let room =
                width - TextColumn.width(of: figures + counts + evidence) - TextColumn.gap.count
            if room >= least { return figures + [barColumn(room)] + counts + evidence }
        }
        let short = isCompared ? [shortEvidenceColumn] : []
        let core = [nameColumn, medianColumn]
        let narrow =
            [
                figures + [lostColumn] + evidence, core + [lostColumn] + evidence,
                core + [lostColumn] + short, core + short, core,
            ]
        if let fits = narrow.first(where: { TextColumn.width(of: $0) <= width }) { return fits }
        let excess = TextColumn.width(of: core) - width
        let shorter = [core[0].limited(to: max(1, core[0].width - excess)), core[1]]
        return TextColumn.width(of: shorter) <= width
            ? shorter : [core[0].limited(to: width - TextColumn.indent.count)]
    }

    private var nameColumn: TextColumn {
        let limit = max(12, width * 3 / 10)
        let cells = resolvers.map { resolver in
            StyledText(
                text: EscapedText.terminal(resolver.name).truncatedInside(to: limit),
                style: resolver.isInUse ? .current : .plain
            )
        }
        return TextColumn("resolver", cells)
    }

    private var format: LatencyFormat {
        LatencyFormat(fitting: resolvers.compactMap(\.latency.median))
    }

    private var columns: ResolverColumns<LiveProgress.Resolver> { .init(rows: resolvers) }

    private var medianColumn: TextColumn { TextColumn(columns.median, atLeast: 8) }

    /// Such as `13.9–14.6`, `≥ 13.9` where it may lie beyond the timeout; a dash of too few.
    private var intervalColumn: TextColumn {
        let cells = resolvers.map { resolver in
            guard let interval = resolver.medianInterval else { return "–" }
            let (lower, upper) = (interval.lowerBound, interval.upperBound)
            if !lower.isFinite { return beyond(resolver) }
            return upper.isFinite
                ? "\(format.number(lower))–\(format.number(upper))" : "≥ \(format.number(lower))"
        }
        return TextColumn("95 % sure", cells, alignment: .right, atLeast: 11)
    }

    private func beyond(_ resolver: LiveProgress.Resolver) -> String {
        LatencyFormat.beyond(resolver.latency.timeout)
    }

    private func barColumn(_ room: Int) -> TextColumn {
        let bars = TerminalBars(
            of: resolvers.map(\.latency),
            width: min(room, Self.widestBar)
        )
        return TextColumn("p5 ┣ ● ┫ p95", bars.rows)
    }

    private var answeredColumn: TextColumn {
        TextColumn(
            "answered",
            resolvers.map { String($0.answered) },
            alignment: .right
        )
    }

    private var lostColumn: TextColumn { TextColumn(columns.lost, atLeast: 6) }

    private var evidenceColumn: TextColumn {
        let cells = resolvers.map { LiveEvidence(of: $0).text }
        return TextColumn("evidence", cells, atLeast: LiveEvidence.width)
    }

    private var shortEvidenceColumn: TextColumn {
        let cells = resolvers.map { LiveEvidence(of: $0).shortText }
        return TextColumn("sure", cells, atLeast: LiveEvidence.shortWidth)
    }
}

extension LiveProgress.Resolver: TimedRow {
    var lostShare: Share { Share(part: lost, whole: answered + lost) }

    var failureIntervalText: String? { nil }
}

extension TextColumn {
    fileprivate init(_ column: Table.Column, atLeast least: Int) {
        self.init(column)
        width = max(width, least)
    }

    /// At least so wide, so that what comes later does not move the columns.
    fileprivate init(
        _ header: String,
        _ cells: [StyledText],
        alignment: Alignment = .left,
        atLeast least: Int
    ) {
        self.init(header, cells, alignment: alignment)
        width = max(width, least)
    }

    fileprivate init(
        _ header: String,
        _ texts: [String],
        alignment: Alignment,
        atLeast least: Int
    ) {
        self.init(header, texts.map { StyledText(text: $0) }, alignment: alignment, atLeast: least)
    }
}

/// Words of the live view on the evidence of a candidate: a bar that grows until the verdict, then
/// the verdict in a word or three.
struct LiveEvidence {
    /// Columns that the longer form takes at most, and the shorter one.
    static let width = 16
    static let shortWidth = 6

    /// `nil` for what the others are compared with.
    let standing: EvidenceProgress?
    let isInUse: Bool

    init(of resolver: LiveProgress.Resolver) {
        standing = resolver.standing
        isInUse = resolver.isInUse
    }

    /// Such as `━━━━──────   42 %`, `faster` or `about the same`.
    var text: StyledText {
        guard let standing else {
            return StyledText(text: isInUse ? "you use this now" : "baseline", style: .faint)
        }
        guard standing.verdict == nil, standing.reason == nil else {
            return words(standing, \.long)
        }
        let filled = Int(min(max(standing.share, 0), 1) * 10)
        let bar =
            String(repeating: "━", count: filled) + String(repeating: "─", count: 10 - filled)
        return StyledText(text: "\(bar) \(percent(standing).padded(to: 5, atEnd: false))")
    }

    /// Such as `42 %`, `faster` or `same`.
    var shortText: StyledText {
        guard let standing else {
            return StyledText(text: isInUse ? "in use" : "base", style: .faint)
        }
        guard standing.verdict == nil, standing.reason == nil else {
            return words(standing, \.short)
        }
        return StyledText(text: percent(standing))
    }

    /// Such as `42 % of the evidence` or `about the same`.
    var phrase: String {
        guard let standing else { return "" }
        guard standing.verdict == nil, standing.reason == nil else { return text.text }
        return "\(percent(standing)) of the evidence"
    }

    /// Rounded down: all of it is there only with the verdict.
    private func percent(_ standing: EvidenceProgress) -> String {
        "\(Int(min(max(standing.share, 0), 1) * 100)) %"
    }

    private typealias Words = (long: String, short: String)

    private func words(
        _ standing: EvidenceProgress,
        _ length: KeyPath<Words, String>
    ) -> StyledText {
        let words = Self.words(standing.verdict, standing.reason)
        let isGood = standing.verdict == .switch
        let isBad = [.reliability, .tail, .tampering].contains(standing.reason)
        return StyledText(
            text: words[keyPath: length],
            style: isGood ? .good : isBad ? .warning : .plain
        )
    }

    private static func words(_ verdict: Verdict?, _ reason: VerdictReason?) -> Words {
        switch (verdict, reason) {
        case (nil, .reliability): ("faster but lossy", "lossy?")
        case (nil, .tail): ("faster, bad tail", "tail?")
        case (_, .reliability): ("loses more", "lossy")
        case (_, .tampering): ("tells untruths", "untrue")
        case (_, .withinMargin): ("about the same", "same")
        case (.switch, _): ("faster", "faster")
        case (.keep, _): ("slower", "slower")
        default: ("undecided", "open")
        }
    }
}
