package import Statistics

/// One resolver of a chart: its label, its summary and the times behind it.
package struct ChartSubject: Sendable {
    /// The words of a chart on a resolver beside its figures.
    package enum Role: Hashable, Sendable {
        case current, advised, other

        /// The words beside the resolver, so that its mark needs no colour.
        var note: String? {
            switch self {
            case .current: "current resolver"
            case .advised: "recommended"
            case .other: nil
            }
        }
    }

    /// One of several ways in which a resolver was asked: its name among the resolver's others, such
    /// as `tls`, and its place among all such ways, which has the same style in whatever resolver.
    /// In a chart of places the way is the place that it was asked from.
    package typealias Member = (resolver: String, name: String, place: Int)

    /// A chart over rounds leaves out further names, and says so.
    package static let mostNames = 10

    package var label: String
    /// Where resolvers were asked in several ways each.
    package var member: Member?
    package var role = Role.other
    /// Why it was not asked to the end, such as `stopped after 10 rounds: clearly slower`; it is drawn
    /// pale. `nil` where it was.
    package var stopped: String?
    /// The place of the resolver in an order that other charts share, which decides its colour; `nil`
    /// for a colour by the place in the chart.
    package var order: Int?
    package var summary: LatencySummary
    /// Times of the answers, in milliseconds, in any order.
    package var answers = AnswerTimes()
    /// Further answers, of which the times are known within 1 %.
    package var sketch = LatencySketch()
    /// One series a name, for the chart over rounds. Points after the first ``mostNames`` are not read.
    package var rounds: [RoundSeries] = []
    package var opening: ConnectionSetup?
    /// Bins in any order, which do not overlap, for charts over time.
    package var bins: [TimeBin] = []
    /// Moments that the reader of a chart over time is to see: a change that was found, another site.
    package var marks: [TimeMark] = []

    /// The resolver, whichever of several ways it was asked in.
    var resolver: String { member?.resolver ?? label }

    /// The name among the resolver's others, where there are any.
    var name: String { member?.name ?? label }

    /// Its label, with the kind of connection where that is told apart.
    var openingLabel: String { opening?.use.map { "\(label), \($0)" } ?? label }

    var tooltip: String {
        "\(label): \(FigureText.sentence(summary))" + (stopped.map { ", \($0)" } ?? "")
    }

    /// Whether its line of shares ends above that of `other`, or where that does and is the faster.
    func isAbove(_ other: ChartSubject) -> Bool {
        func place(_ summary: LatencySummary) -> (failed: Double, median: Double) {
            let failed = Double(summary.failed) / Double(max(summary.count, 1))
            return (failed, summary.median ?? .infinity)
        }
        return place(summary) < place(other.summary)
    }
}

extension ChartSubject {
    package init(label: String, member: Member? = nil, summary: LatencySummary) {
        self.init(label: label, member: member, summary: summary, answers: [])
    }
}

/// One resolver's times for one name, in any order; a round that is absent was not asked.
package typealias RoundSeries = (name: String, points: [RoundPoint])

/// The time of a round, which is told by its number, or in a chart with a window by its moment in
/// seconds since 1970 UTC; `nil` where no answer came.
package typealias RoundPoint = (round: Double, milliseconds: Double?)

/// How far first queries of connections had come when: medians, in milliseconds since the connection
/// was begun, over the queries of the summary beside it, of which the median is the answer's.
package struct ConnectionSetup: Hashable, Sendable {
    /// The time until the connection stood; `nil` where that is no step of its own, or lies beyond the timeout.
    package var connected: Double?
    /// The time until the handshake of the encryption was over; `nil` likewise.
    package var secured: Double?
    /// The kind of connection that it was, such as `resumed`; `nil` where all were alike.
    package var use: String?
    /// The queries on a connection that is kept, where there were any.
    package var kept: LatencySummary?

    package init(
        connected: Double? = nil,
        secured: Double? = nil,
        use: String? = nil,
        kept: LatencySummary? = nil
    ) {
        self.connected = connected
        self.secured = secured
        self.use = use
        self.kept = kept
    }

    /// The parts that there are, each with the times at which it begins and ends; the query's end is
    /// `nil` where the answer lies beyond the timeout.
    func parts(answered: Double?) -> [(part: ConnectionSetupPart, start: Double, end: Double?)] {
        let ends: [(ConnectionSetupPart, Double?)] = [(.connect, connected), (.handshake, secured)]
        var start = 0.0
        var parts: [(part: ConnectionSetupPart, start: Double, end: Double?)] = []
        for case let (part, end?) in ends where end.isFinite && end > start {
            parts.append((part, start, end))
            start = end
        }
        return parts + [(.query, start, answered.map { max($0, start) })]
    }

    /// `connected after 8.1 ms, handshake over after 17.8 ms, first answer after 26.0 ms, …`.
    func sentence(_ summary: LatencySummary) -> String {
        guard summary.count > 0 else { return "no queries" }
        let moments = [("connected", connected), ("handshake over", secured)]
        let steps = moments.compactMap { name, time -> String? in
            time.map { "\(name) after \(FigureText.milliseconds($0))" }
        }
        let answer = "first answer after \(FigureText.quantile(summary.median, of: summary))"
        let losses = FigureText.failures(summary.failed, of: summary.count)
        let kept =
            kept.map { ["on a kept connection \(FigureText.quantile($0.median, of: $0))"] } ?? []
        return (steps + [answer, losses] + kept).joined(separator: ", ")
    }
}

/// One part of the time to a first answer.
enum ConnectionSetupPart: String, CaseIterable {
    case connect, handshake, query
}
