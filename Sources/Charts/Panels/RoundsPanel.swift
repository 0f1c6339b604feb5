import Statistics

/// Query time against round: a small plot a name, a line a resolver, all on the same axes.
struct RoundsPanel: Panel {
    /// More names than this are left out, and said to be.
    static let nameLimit = 10
    /// The most points of all lines together, so that the file stays small.
    private static let pointBudget = 24_000
    private static let gap = 30.0

    private let series: [(subject: ChartSubject, style: SeriesStyle)]
    private let names: [String]
    private let leftOut: [String]
    private let resolversLeftOut: Int
    /// Places in `series` of those with queries that were not answered: a lane of crosses each.
    private let lossy: [Int]

    init(subjects: [ChartSubject], styles: [SeriesStyle?]) {
        let series = zip(subjects, styles).compactMap { subject, style in
            style.map { (subject: subject, style: $0) }
        }
        self.series = series
        resolversLeftOut = subjects.count - series.count
        var all: [String] = []
        var seen: Set<String> = []
        for round in subjects.flatMap(\.rounds) where seen.insert(round.name).inserted {
            all.append(round.name)
        }
        let shown = Array(all.prefix(Self.nameLimit))
        names = shown
        leftOut = Array(all.dropFirst(Self.nameLimit))
        lossy = series.indices.filter { index in
            series[index].subject.rounds.contains { round in
                shown.contains(round.name) && round.points.contains { $0.milliseconds == nil }
            }
        }
    }

    var heading: String { "Every query, round by round" }

    var notes: [String] {
        guard !names.isEmpty else { return ["No rounds to show."] }
        var notes = ["Upwards: query time (ms\(isLogarithmic)). To the right: round."]
        if !lossy.isEmpty {
            notes[0] += " A cross above a plot is a query without an answer."
        }
        if !leftOut.isEmpty {
            let total = names.count + leftOut.count
            let missing = leftOut.joined(separator: ", ")
            notes.append("\(names.count) of \(total) names; not drawn: \(missing).")
        }
        if resolversLeftOut > 0 {
            notes.append("\(resolversLeftOut) more resolvers are not drawn.")
        }
        return notes
    }

    func height(width: Double) -> Double {
        let grid = Grid(names: names.count, lanes: lossy.count, width: width)
        return legend(in: Rect(x: 0, y: 0, width: width, height: 0)).height + grid.height
    }

    func marks(in frame: Rect) -> [Mark] {
        guard !names.isEmpty else { return [] }
        let legend = legend(in: frame)
        let grid = Grid(names: names.count, lanes: lossy.count, width: frame.width)
        let top = Point(x: frame.x, y: frame.y + legend.height)
        return legend.marks
            + names.indices.flatMap { index in
                let cell = grid.cell(index, from: top)
                return small(names[index], in: cell, plot: plot(in: grid.room(of: cell)))
            }
    }

    private func legend(in frame: Rect) -> Legend {
        Legend(entries: series.map { ($0.subject.label, $0.style) }, frame: frame)
    }

    private var isLogarithmic: String {
        durations.scale == .logarithmic ? ", logarithmic axis" : ""
    }

    private var drawn: [RoundSeries] {
        series.flatMap(\.subject.rounds).filter { names.contains($0.name) }
    }

    private var durations: Axis {
        let times = drawn.flatMap(\.points).compactMap(\.milliseconds)
        let timeouts = series.map(\.subject.summary.timeout)
        return Axis.durations(
            times.isEmpty ? timeouts : times,
            typical: series.compactMap(\.subject.summary.median),
            tickCount: 4,
            room: 5
        )
    }

    private func plot(in room: Rect) -> Plot {
        let rounds = drawn.flatMap { $0.points.map(\.round) }
        let (first, last) = (rounds.min() ?? 1, rounds.max() ?? 1)
        let ticks = Int(room.width / 70)
        return Plot(
            frame: room,
            horizontal: .counting(from: first, to: last, tickCount: ticks),
            vertical: durations
        )
    }

    private func small(_ name: String, in cell: Rect, plot: Plot) -> [Mark] {
        let title = TextMetrics.elided(name, to: cell.width - 40, size: 12.5, bold: true)
        let columns = min(
            Int(plot.frame.width),
            Self.pointBudget / (2 * max(series.count, 1) * max(names.count, 1))
        )
        let traces = series.indices.flatMap { index -> [Mark] in
            series[index].subject.rounds.filter { $0.name == name }.map { round in
                let trace = RoundTrace(round.points, rounds: plot.horizontal, columns: columns)
                let lane = lossy.firstIndex(of: index) ?? 0
                return drawing(of: trace, name: name, series: index, lane: lane, plot: plot)
            }
        }
        return [.text(title, at: Point(x: plot.frame.x, y: cell.y + 12), .strong)]
            + plot.uprights() + plot.levels() + traces
    }

    private func drawing(
        of trace: RoundTrace,
        name: String,
        series index: Int,
        lane: Int,
        plot: Plot
    ) -> Mark {
        let (subject, style) = series[index]
        var path = Path()
        for run in trace.runs {
            let points = run.map { plot.point($0.round, $0.milliseconds) }
            if let only = points.first, points.count == 1 {
                path.dot(at: only)
            } else {
                path.append(Path(through: points))
            }
        }
        let y = plot.frame.y - 7 - Double(min(lane, Grid.laneLimit - 1)) * Grid.laneHeight
        let crosses = Path.crosses(at: trace.losses.map(plot.x), y: y)
        let lost = FigureText.share(trace.losses.count, of: trace.asked)
        return .group(
            tooltip: "\(subject.label), \(name): lost \(lost) of \(trace.asked) queries",
            (path.isEmpty ? [] : [.path(path, .trace(style))])
                + (crosses.isEmpty ? [] : [.path(crosses, .cross(style))])
        )
    }

    /// The cells of the small plots: two columns, or one where there is a single name.
    private struct Grid {
        static let laneHeight = 8.0
        static let laneLimit = 6

        let columns: Int
        let rows: Int
        let strip: Double
        let plotHeight: Double
        let width: Double

        init(names: Int, lanes: Int, width: Double) {
            columns = names > 1 ? 2 : 1
            rows = (names + columns - 1) / columns
            strip = Double(min(lanes, Self.laneLimit)) * Self.laneHeight + 3
            plotHeight = names > 1 ? 92 : 240
            self.width = (width - Double(columns - 1) * RoundsPanel.gap) / Double(columns)
        }

        private var step: Double { 18 + strip + plotHeight + 34 }
        var height: Double { Double(rows) * step }

        func cell(_ index: Int, from top: Point) -> Rect {
            Rect(
                x: top.x + Double(index % columns) * (width + RoundsPanel.gap),
                y: top.y + Double(index / columns) * step,
                width: width,
                height: step
            )
        }

        func room(of cell: Rect) -> Rect {
            Rect(
                x: cell.x + 40,
                y: cell.y + 18 + strip,
                width: cell.width - 40,
                height: plotHeight
            )
        }
    }
}

extension Path {
    /// Small crosses on a level; those that would cover each other are one.
    static func crosses(at places: [Double], y: Double) -> Path {
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
