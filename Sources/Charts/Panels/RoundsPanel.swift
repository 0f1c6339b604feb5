import Statistics

/// Query time against round: a small plot a name, a line a resolver, all on the same axes.
struct RoundsPanel: Panel {
    /// More names than this are left out, and said to be.
    static let nameLimit = 10

    private let series: [(subject: ChartSubject, style: SeriesStyle)]
    private let names: [String]
    private let namesLeftOut: [String]
    private let resolversLeftOut: Int
    /// Places in `series` of those with queries that were not answered: a lane of crosses each.
    private let lossy: [Int]
    private let rounds: (first: Int, last: Int)
    private let durations: Axis
    /// How many places a line has where there are too many rounds for one each.
    private let columns: Int
    private let isThinned: Bool

    /// On the axes of `comparedWith`, where that is more than `subjects`.
    init(
        subjects: [ChartSubject],
        styles: [SeriesStyle?],
        comparedWith: [ChartSubject]? = nil,
        nameLimit: Int = Self.nameLimit
    ) {
        let series = zip(subjects, styles).compactMap { subject, style in
            style.map { (subject: subject, style: $0) }
        }
        self.series = series
        resolversLeftOut = subjects.count - series.count
        var seen: Set<String> = []
        let all = subjects.flatMap { $0.rounds.map(\.name) }.filter { seen.insert($0).inserted }
        let shown = Set(all.prefix(nameLimit))
        names = Array(all.prefix(nameLimit))
        namesLeftOut = Array(all.dropFirst(nameLimit))
        let drawn = series.map { $0.subject.rounds.filter { shown.contains($0.name) } }
        lossy = drawn.indices.filter { index in
            drawn[index].contains { $0.points.contains { $0.milliseconds == nil } }
        }
        let compared = comparedWith ?? series.map(\.subject)
        let points = compared.flatMap { $0.rounds.filter { shown.contains($0.name) } }
            .flatMap(\.points)
        rounds = (points.map(\.round).min() ?? 1, points.map(\.round).max() ?? 1)
        let times = points.compactMap(\.milliseconds)
        durations = Axis.durations(
            times.isEmpty ? compared.map(\.summary.timeout) : times,
            typical: compared.compactMap(\.summary.median),
            tickCount: 4,
            room: 5
        )
        // About four pixels a place: fewer rounds than two pixels each can be seen apart.
        let columns = names.count > 1 ? 96 : 212
        self.columns = columns
        isThinned = drawn.contains { $0.contains { $0.points.count > 2 * columns } }
    }

    var heading: String { "Query time, round by round" }

    var notes: [String] {
        guard !names.isEmpty else { return ["No rounds to show."] }
        let scale = durations.scale == .logarithmic ? ", logarithmic axis" : ""
        var reading = "Upwards: query time (ms\(scale)). To the right: round."
        if !lossy.isEmpty { reading += " A cross above a plot is a query without an answer." }
        var notes = [reading]
        if isThinned {
            notes.append(
                "There are more rounds than places: the line is the median of those that share one,"
                    + " the pale band goes from the shortest to the longest."
            )
        }
        if !namesLeftOut.isEmpty {
            let total = names.count + namesLeftOut.count
            let few = namesLeftOut.prefix(5).joined(separator: ", ")
            let more = namesLeftOut.count > 5 ? " and \(namesLeftOut.count - 5) more" : ""
            notes.append("\(names.count) of \(total) names; not drawn: \(few)\(more).")
        }
        if resolversLeftOut > 0 {
            notes.append("\(resolversLeftOut) more resolvers are not drawn.")
        }
        return notes
    }

    func height(width: Double) -> Double {
        guard !names.isEmpty else { return 0 }
        return legend(in: Rect(x: 0, y: 0, width: width, height: 0)).height
            + grid(width: width).height
    }

    func marks(in frame: Rect) -> [Mark] {
        guard !names.isEmpty else { return [] }
        let legend = legend(in: frame)
        let grid = grid(width: frame.width)
        let top = Point(x: frame.x, y: frame.y + legend.height)
        return legend.marks
            + names.indices.flatMap { small(names[$0], in: grid.cell($0, from: top), of: grid) }
    }

    private func legend(in frame: Rect) -> Legend {
        Legend(entries: series.map { ($0.subject.label, $0.style) }, frame: frame)
    }

    private func grid(width: Double) -> RoundsGrid {
        RoundsGrid(names: names.count, lanes: lossy.count, width: width)
    }

    /// The plot of one name.
    private func small(_ name: String, in cell: Rect, of grid: RoundsGrid) -> [Mark] {
        let room = grid.room(of: cell)
        let plot = Plot(
            frame: room,
            horizontal: .counting(
                from: rounds.first,
                to: rounds.last,
                tickCount: Int(room.width / 70)
            ),
            vertical: durations
        )
        let style = TextStyle.strong
        let title = TextMetrics.elided(name, to: room.width, size: style.size, bold: style.isBold)
        let lines = series.indices.flatMap { index in
            series[index].subject.rounds.filter { $0.name == name }.map { round in
                let trace = RoundTrace(round.points, rounds: plot.horizontal, columns: columns)
                return line(trace, name: name, index: index, plot: plot)
            }
        }
        return [.text(title, at: Point(x: room.x, y: cell.y + 12), style)]
            + plot.uprights() + plot.levels() + lines
    }

    /// One resolver's line, with its crosses in the strip above the plot.
    private func line(_ trace: RoundTrace, name: String, index: Int, plot: Plot) -> Mark {
        let (subject, style) = series[index]
        var path = Path()
        var band = Path()
        for run in trace.runs {
            path.append(Path(along: run.map { plot.point($0.round, $0.middle) }))
            guard trace.isThinned else { continue }
            let upper = run.map { plot.point($0.round, $0.highest) }
            let lower = run.map { plot.point($0.round, $0.lowest) }
            band.append(Path(through: upper + lower.reversed(), closed: true))
        }
        let lane = lossy.firstIndex(of: index) ?? 0
        let y = RoundsGrid.lane(lane, above: plot.frame)
        let crosses = Path.crosses(at: trace.losses.map(plot.x), y: y)
        let lost = FigureText.share(trace.losses.count, of: trace.asked)
        return .group(
            tooltip: "\(subject.label), \(name): lost \(lost) of \(trace.asked) queries",
            (band.isEmpty ? [] : [.path(band, .faint(style))])
                + (path.isEmpty ? [] : [.path(path, .trace(style))])
                + (crosses.isEmpty ? [] : [.path(crosses, .cross(style))])
        )
    }
}

extension Path {
    /// The line through `points`, or a dot where there is only one.
    fileprivate init(along points: [Point]) {
        self.init(through: points)
        if let only = points.first, points.count == 1 {
            self = Path()
            dot(at: only)
        }
    }

    /// Small crosses on a level; those that would cover each other are one.
    fileprivate static func crosses(at places: [Double], y: Double) -> Path {
        var path = Path()
        var last = -Double.infinity
        for x in places where x - last >= 5 {
            path.move(to: Point(x: x - 2.5, y: y - 2.5))
            path.line(to: Point(x: x + 2.5, y: y + 2.5))
            path.move(to: Point(x: x - 2.5, y: y + 2.5))
            path.line(to: Point(x: x + 2.5, y: y - 2.5))
            last = x
        }
        return path
    }
}
