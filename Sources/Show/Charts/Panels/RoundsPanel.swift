import Statistics

/// Query time by round or by time: one small plot per name, one line per resolver, all on the same axes.
struct RoundsPanel: Panel {
    /// The maximum number of lanes of crosses. Further lossy resolvers share the last lane.
    private static let laneLimit = 6
    private static let lane = 8.0

    private let series: [(subject: ChartSubject, style: SeriesStyle)]
    private let names: [String]
    private let namesLeftOut: [String]
    private let resolversLeftOut: Int
    /// The indices in `series` of resolvers with unanswered queries. Each has a lane of crosses.
    private let lossy: [Int]
    private let rounds: (first: Double, last: Double)
    /// The window, if rounds are identified by their moments.
    private let scale: TimeScale?
    /// The maximum distance between consecutive rounds.
    private let reach: Double
    /// The rounds that queried each name, with consecutive numbers. If two rounds have adjacent numbers, no
    /// round between them is missing. Each round may draw a subset of the names.
    let orders: [String: [Double: Int]]
    private let durations: Axis
    /// The number of positions of a line if there are too many rounds for one position each.
    private let columns: Int
    private let isThinned: Bool

    /// Draws over time if `scale` has a window. Uses the axes of `all` if it contains more subjects than
    /// `subjects`.
    init(
        subjects: [ChartSubject],
        over scale: TimeScale,
        comparedWith all: [ChartSubject]? = nil,
        nameLimit: Int = ChartSubject.mostNames
    ) {
        series = zip(subjects, SeriesStyle.assigned(to: subjects)).compactMap { subject, style in
            style.map { (subject, $0) }
        }
        resolversLeftOut = subjects.count - series.count
        let asked = subjects.flatMap { $0.rounds.map(\.name) }.uniqued
        names = Array(asked.prefix(nameLimit))
        namesLeftOut = Array(asked.dropFirst(nameLimit))
        let shown = Set(names)
        func drawn(_ subject: ChartSubject) -> [[RoundPoint]] {
            subject.rounds.filter { shown.contains($0.name) }.map(\.points)
        }
        let lines = series.map { drawn($0.subject) }
        lossy = lines.indices.filter { lines[$0].joined().contains { $0.milliseconds == nil } }
        let compared = all ?? series.map(\.subject)
        // A copy of all points would take as much memory as the report itself.
        let points = compared.map(drawn).joined().joined()
        let moments = Set(points.lazy.map(\.round)).sorted()
        rounds = (moments.first ?? 1, moments.last ?? 1)
        self.scale = scale.window.isEmpty ? nil : scale
        let distances = zip(moments, moments.dropFirst()).map { $1 - $0 }
        reach = scale.window.isEmpty ? 1 : 2.5 * (distances.middle ?? 1)
        orders = Self.orders(of: compared, shown, moments, reach: reach)
        let times = points.lazy.compactMap(\.milliseconds)
        let typical = compared.compactMap(\.summary.median)
        durations =
            times.isEmpty
            ? .durations(compared.map(\.summary.timeout), typical: typical, tickCount: 4, room: 5)
            : .durations(times, typical: typical, tickCount: 4, room: 5)
        // About four pixels per position: rounds at least two pixels wide can be distinguished.
        let columns = names.count > 1 ? 96 : 212
        self.columns = columns
        isThinned = lines.joined().contains { $0.count > 2 * columns }
    }

    private static func orders(
        of subjects: [ChartSubject],
        _ names: Set<String>,
        _ moments: [Double],
        reach: Double
    ) -> [String: [Double: Int]] {
        var asked: [String: Set<Double>] = [:]
        for series in subjects.lazy.flatMap(\.rounds) where names.contains(series.name) {
            asked[series.name, default: []].formUnion(series.points.lazy.map(\.round))
        }
        return asked.mapValues { asked in
            // After a round that is missing for all names, one number is skipped.
            var (order, number, last): ([Double: Int], Int, Double?) = ([:], 0, nil)
            for moment in moments {
                if let last, moment - last > reach { number += 1 }
                last = moment
                guard asked.contains(moment) else { continue }
                number += 1
                order[moment] = number
            }
            return order
        }
    }

    var nothing: String? { names.isEmpty ? "No rounds to show." : nil }

    var notes: [String] {
        let logarithmic = durations.isLogarithmic ? ", logarithmic axis" : ""
        let horizontal = scale == nil ? "round" : "time"
        var reading = "y axis: query time (ms\(logarithmic)); x axis: \(horizontal)."
        if !lossy.isEmpty { reading += " Cross above a plot: query without an answer." }
        var notes = [reading]
        if isThinned {
            notes.append(
                "Neighbouring rounds are merged. Line: median of each group; band: minimum to maximum."
            )
        }
        if !namesLeftOut.isEmpty {
            let total = names.count + namesLeftOut.count
            let few = namesLeftOut.prefix(5).joined(separator: ", ")
            let more = namesLeftOut.count > 5 ? " and \(namesLeftOut.count - 5) more" : ""
            notes.append("\(names.count) of \(total) names; not drawn: \(few)\(more).")
        }
        return notes + FigureText.stops(series.map(\.subject)) + (scale?.clockNotes ?? [])
            + FigureText.omission(resolversLeftOut)
    }

    private var legend: Legend {
        let entries = series.map { subject, style -> Legend.Entry in
            let text = TextStyle.label.elided(subject.label, to: 200)
            return (text, { [.level($0.y, from: $0.x, to: $0.x + 30, .curve(style))] })
        }
        return Legend(entries: entries, sample: 36, gap: 22, height: 28)
    }

    /// Small plots in two columns. There is one column for a single name, or if there is no room for two.
    func drawing(below edge: Edge) -> Drawing {
        let legend = legend.drawing(below: edge)
        let columns = names.count > 1 && !edge.isNarrow ? 2 : 1
        let width = (edge.width - Double(columns - 1) * 30) / Double(columns)
        // Space for the title and the lanes of crosses.
        let top = 18 + Self.lane * Double(min(lossy.count, Self.laneLimit)) + 3
        let height = names.count > 1 ? 92.0 : 240
        let step = top + height + 34
        let marks = names.enumerated().flatMap { index, name in
            let x = edge.x + Double(index % columns) * (width + 30)
            let y = legend.end.y + Double(index / columns) * step
            let room = Edge(x: x, y: y, width: width).room(top: top, left: 40, height: height)
            let title = TextStyle.strong.elided(name, to: room.width)
            return [.text(title, at: Point(room.x, y + 12), .strong)] + plot(of: name, in: room)
        }
        let rows = (names.count + columns - 1) / columns
        return (legend.marks + marks, legend.end.below(Double(rows) * step))
    }

    private func plot(of name: String, in room: Rect) -> [Mark] {
        let axis =
            scale?.axis
            ?? .counting(from: rounds.first, to: rounds.last, tickCount: Int(room.width / 70))
        let plot = Plot(frame: room, horizontal: axis, vertical: durations)
        let lines = series.indices.flatMap { index in
            series[index].subject.rounds.filter { $0.name == name }.map { round in
                let trace = RoundTrace(
                    round.points,
                    on: axis,
                    reach: reach,
                    orders: orders[name] ?? [:],
                    columns: columns
                )
                return line(trace, name: name, index: index, plot: plot)
            }
        }
        let uprights = scale.map { plot.uprights(of: $0) } ?? plot.uprights()
        return uprights + plot.levels() + lines
    }

    /// One resolver's line, with its crosses in the strip above the plot.
    private func line(_ trace: RoundTrace, name: String, index: Int, plot: Plot) -> Mark {
        let (subject, style) = series[index]
        var path = Path()
        var band = Path()
        for run in trace.runs {
            path.append(Path(through: run.map { plot.point($0.round, $0.middle) }))
            guard trace.isThinned else { continue }
            let upper = run.map { plot.point($0.round, $0.highest) }
            let lower = run.map { plot.point($0.round, $0.lowest) }
            band.append(Path(through: upper + lower.reversed(), closed: true))
        }
        let lane = min(lossy.firstIndex(of: index) ?? 0, Self.laneLimit - 1)
        let level = plot.frame.y - 7 - Double(lane) * Self.lane
        let crosses = Path.crosses(at: trace.losses.map(plot.x), y: level)
        let failed = FigureText.failures(trace.losses.count, of: trace.asked)
        return .group(
            tooltip: "\(subject.label), \(name): \(failed)",
            isPale: subject.stopped != nil,
            .paths([(band, .faint(style)), (path, .trace(style)), (crosses, .cross(style))])
        )
    }
}

/// One resolver's times for one name, reduced to the resolution of a plot.
struct RoundTrace {
    typealias Answer = (round: Double, time: Double)

    /// The times at one position of the line, in milliseconds: one round, or several rounds that share the
    /// position.
    struct Vertex {
        let round: Double
        let lowest: Double
        let middle: Double
        let highest: Double

        init(_ answers: ArraySlice<Answer>) {
            let times = answers.map(\.time).sorted()
            round = answers[answers.startIndex + answers.count / 2].round
            lowest = times[0]
            middle = times[(times.count - 1) / 2]
            highest = times[times.count - 1]
        }
    }

    /// Unbroken runs of answers. Between runs, a round had no answer or no query.
    let runs: [[Vertex]]
    let losses: [Double]
    let asked: Int
    /// Whether rounds share positions. A vertex is then their median, with their minimum and maximum.
    let isThinned: Bool

    /// Draws every point if there are at most twice as many `points` as `columns`. Points are connected
    /// within `reach`, or if they are adjacent in `orders`, unless a loss is between them. With more points,
    /// each of `columns` equal parts of `axis` becomes one vertex.
    init(
        _ points: [RoundPoint],
        on axis: Axis,
        reach: Double = 1,
        orders: [Double: Int] = [:],
        columns: Int
    ) {
        let columns = max(columns, 1)
        var losses: [Double] = []
        var answers: [Answer] = []
        for point in points.sorted(by: { $0.round < $1.round }) {
            if let time = point.milliseconds, time.isFinite {
                answers.append((point.round, max(0, time)))
            } else {
                losses.append(point.round)
            }
        }
        let isThinned = points.count > 2 * columns
        func place(_ round: Double) -> Double {
            guard isThinned else { return round }
            let part = Int(axis.position(round) * Double(columns))
            return Double(min(part, columns - 1))
        }
        runs = answers.chunked { isThinned && place($0.round) == place($1.round) }.map(Vertex.init)
            .chunked { one, next in
                guard !isThinned else { return place(next.round) - place(one.round) <= 1 }
                let hasLoss = losses.contains { one.round < $0 && $0 < next.round }
                let follows = orders[one.round].map { $0 + 1 == orders[next.round] } ?? false
                return (next.round - one.round <= reach || follows) && !hasLoss
            }
            .map(Array.init)
        self.losses = losses
        self.isThinned = isThinned
        asked = points.count
    }
}

extension Path {
    /// Small crosses at height `y`. Crosses that would cover each other are joined.
    fileprivate static func crosses(at places: [Double], y: Double) -> Path {
        var path = Path()
        var last = -Double.infinity
        for x in places where x - last >= 5 {
            path.move(to: Point(x - 2.5, y - 2.5))
            path.line(to: Point(x + 2.5, y + 2.5))
            path.move(to: Point(x - 2.5, y + 2.5))
            path.line(to: Point(x + 2.5, y - 2.5))
            last = x
        }
        return path
    }
}
