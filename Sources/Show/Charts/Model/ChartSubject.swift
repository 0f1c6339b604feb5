package import Statistics

/// One resolver of a chart: its label, its summary and its query times.
package struct ChartSubject: Sendable {
    /// The role of a resolver, which a chart shows next to its figures.
    package enum Role: Hashable, Sendable {
        case current, advised, other

        /// The text next to the resolver, so that its mark does not depend on colour.
        var note: String? {
            switch self {
            case .current: "current resolver"
            case .advised: "recommended"
            case .other: nil
            }
        }
    }

    /// One of several variants in which a resolver was queried. `name` distinguishes the variant from the
    /// resolver's other variants, such as `tls`. `place` is the index of the variant; it has the same style
    /// for every resolver. In a chart of places, the variant is the vantage point.
    package typealias Member = (resolver: String, name: String, place: Int)

    /// The maximum number of names in a chart over rounds. The chart states how many names it omits.
    package static let mostNames = 10

    package var label: String
    /// The variant of the resolver. `nil` if the resolver was queried in one way only.
    package var member: Member?
    package var role = Role.other
    /// The reason why measurement stopped early, such as `stopped after 10 rounds: clearly slower`. The
    /// resolver is drawn pale. `nil` if measurement was complete.
    package var stopped: String?
    /// The index of the resolver in an order shared with other charts, which decides its colour. If `nil`,
    /// the index in this chart decides.
    package var order: Int?
    package var summary: LatencySummary
    /// The times of the answers, in milliseconds, in any order.
    package var answers = AnswerTimes()
    /// Further answers, whose times are known within 1 %.
    package var sketch = LatencySketch()
    /// One series per name, for the chart over rounds. Points after the first ``mostNames`` series are not
    /// read.
    package var rounds: [RoundSeries] = []
    package var opening: ConnectionSetup?
    /// Bins for charts over time, in any order. They do not overlap.
    package var bins: [TimeBin] = []
    /// Times without any answer, in any order, in seconds since 1970 UTC.
    package var outages: [Range<Int64>] = []
    /// Events to mark in a chart over time: a detected change, or a different server site.
    package var marks: [TimeMark] = []

    /// The name of the resolver without its variant.
    var resolver: String { member?.resolver ?? label }

    /// The name of the variant. Without a variant, the label.
    var name: String { member?.name ?? label }

    /// The label, with the kind of connection where the kinds are distinguished.
    var openingLabel: String { opening?.use.map { "\(label), \($0)" } ?? label }

    var tooltip: String {
        "\(label): \(FigureText.sentence(summary))" + (stopped.map { ", \($0)" } ?? "")
    }

    /// Whether this resolver's distribution line ends above the line of `other`. If both end equally high,
    /// the faster resolver is above.
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

/// One resolver's times for one name, in any order. A missing round had no query.
package typealias RoundSeries = (name: String, points: [RoundPoint])

/// The time of one round, in milliseconds; `nil` if no answer arrived. `round` is the round's number, or in a
/// chart with a window its moment in seconds since 1970 UTC.
package typealias RoundPoint = (round: Double, milliseconds: Double?)

/// The progress of the first queries on new connections. The values are medians in milliseconds since the
/// start of the connection. They cover the queries of the accompanying summary, whose median is the time of
/// the answer.
package struct ConnectionSetup: Hashable, Sendable {
    /// The time until the connection was established. `nil` if this is not a separate step, or if it exceeds
    /// the timeout.
    package var connected: Double?
    /// The time until the encryption handshake was complete. `nil` if this is not a separate step, or if it
    /// exceeds the timeout.
    package var secured: Double?
    /// The kind of connection, such as `resumed`. `nil` if all connections were of the same kind.
    package var use: String?
    /// The queries on a kept-open connection. `nil` if there were no such queries.
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

    /// The existing parts, each with its start and end time. The end of the query is `nil` if the answer
    /// exceeds the timeout.
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

/// One part of the time to the first answer.
enum ConnectionSetupPart: String, CaseIterable {
    case connect, handshake, query
}
