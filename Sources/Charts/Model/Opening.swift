package import Statistics

/// How far first queries of connections had come when: medians, in milliseconds since the connection
/// was begun, over the queries of the summary beside it, of which the median is the answer's.
package struct Opening: Hashable, Sendable {
    /// Until the connection stood; `nil` where that is no step of its own, or lies beyond the timeout.
    package var connected: Double?
    /// Until the handshake of the encryption was over; `nil` likewise.
    package var secured: Double?
    /// The kind of connection that it was, such as `resumed`; `nil` where all were alike.
    package var use: String?
    /// Of queries on a connection that is kept, where there were any.
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
        let steps = moments.compactMap { name, time in
            time.map {
                "\(name) after "
                    + FigureText.milliseconds($0, places: FigureText.places(fitting: [$0]))
            }
        }
        let lost = FigureText.share(summary.lost, of: summary.count)
        let answer = "first answer after \(Self.quantile(summary))"
        let queries = "lost \(lost) of \(summary.count) queries"
        let kept = kept.map { ["on a kept connection \(Self.quantile($0))"] } ?? []
        return (steps + [answer, queries] + kept).joined(separator: ", ")
    }

    private static func quantile(_ summary: LatencySummary) -> String {
        let places = FigureText.places(fitting: [summary.median])
        return FigureText.quantile(summary.median, of: summary, places: places)
    }
}

extension ChartSubject {
    /// Its label, with the kind of connection where that is told apart.
    var openingLabel: String {
        [label, opening?.use].compactMap(\.self).joined(separator: ", ")
    }
}
