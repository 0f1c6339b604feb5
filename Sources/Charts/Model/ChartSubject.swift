package import Statistics

/// One resolver of a chart: its label, its summary and the times behind it.
package struct ChartSubject: Sendable {
    /// The words of a chart on a resolver beside its figures.
    package enum Role: Hashable, Sendable {
        case current, advised, other

        /// The words beside the resolver, so that its mark needs no colour; `nil` for an ordinary
        /// one.
        var note: String? {
            switch self {
            case .current: "you use this now"
            case .advised: "advised"
            case .other: nil
            }
        }
    }

    /// One of several ways in which a resolver was asked.
    package struct Member: Hashable, Sendable {
        package var resolver: String
        /// The name among the resolver's others, such as `tls`.
        package var name: String
        /// Its place among all such ways, which is the same in whatever resolver; it has the style.
        package var place: Int

        package init(resolver: String, name: String, place: Int) {
            self.resolver = resolver
            self.name = name
            self.place = place
        }
    }

    package var label: String
    /// Where resolvers were asked in several ways each.
    package var member: Member?
    package var role: Role
    package var summary: LatencySummary
    /// Times of the answers, in milliseconds, in any order.
    package var answers: [Double]
    /// Further answers, of which the times are known within 1 %.
    package var sketch: LatencySketch
    /// One series a name, for the chart over rounds.
    package var rounds: [RoundSeries]
    /// Where these are first queries of connections.
    package var opening: Opening?
    /// Stretches of time in any order, which do not overlap, for charts over time.
    package var bins: [TimeBin]
    /// Moments that the reader of a chart over time is to see: a change that was found, another site.
    package var marks: [TimeMark]

    package init(
        label: String,
        member: Member? = nil,
        role: Role = .other,
        summary: LatencySummary,
        answers: [Double] = [],
        sketch: LatencySketch = LatencySketch(),
        rounds: [RoundSeries] = [],
        opening: Opening? = nil,
        bins: [TimeBin] = [],
        marks: [TimeMark] = []
    ) {
        self.label = label
        self.member = member
        self.role = role
        self.summary = summary
        self.answers = answers
        self.sketch = sketch
        self.rounds = rounds
        self.opening = opening
        self.bins = bins
        self.marks = marks
    }
}

/// One resolver's times for one name, round by round.
package struct RoundSeries: Sendable {
    /// The time of a round; `nil` where no answer came.
    package typealias Point = (round: Int, milliseconds: Double?)

    package var name: String
    /// The rounds in any order; one that is absent was not asked.
    package var points: [Point]

    package init(name: String, points: [Point]) {
        self.name = name
        self.points = points
    }
}

extension ChartSubject {
    /// The resolver, whichever of several ways it was asked in.
    var resolver: String { member?.resolver ?? label }

    /// The name among the resolver's others, where there are any.
    var name: String { member?.name ?? label }

    /// Its label, with the kind of connection where that is told apart.
    var openingLabel: String { opening?.use.map { "\(label), \($0)" } ?? label }

    /// The words that are read out where the mouse rests.
    var tooltip: String { "\(label): \(FigureText.sentence(summary))" }
}

/// How far first queries of connections had come when: medians, in milliseconds since the connection
/// was begun, over the queries of the summary beside it, of which the median is the answer's.
package struct Opening: Hashable, Sendable {
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
}

/// One part of the time to a first answer.
enum OpeningPart: String, CaseIterable {
    case connect, handshake, query
}

extension Opening {
    /// The parts that there are, each with the times at which it begins and ends; the query's end is
    /// `nil` where the answer lies beyond the timeout.
    func parts(answered: Double?) -> [(part: OpeningPart, start: Double, end: Double?)] {
        let ends: [(OpeningPart, Double?)] = [(.connect, connected), (.handshake, secured)]
        var start = 0.0
        var parts: [(part: OpeningPart, start: Double, end: Double?)] = []
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
            guard let time else { return nil }
            let places = FigureText.places(fitting: [time])
            return "\(name) after \(FigureText.milliseconds(time, places: places))"
        }
        let answer = "first answer after \(Self.quantile(summary))"
        let losses = FigureText.losses(summary.lost, of: summary.count)
        let kept = kept.map { ["on a kept connection \(Self.quantile($0))"] } ?? []
        return (steps + [answer, losses] + kept).joined(separator: ", ")
    }

    private static func quantile(_ summary: LatencySummary) -> String {
        let places = FigureText.places(fitting: [summary.median])
        return FigureText.quantile(summary.median, of: summary, places: places)
    }
}
