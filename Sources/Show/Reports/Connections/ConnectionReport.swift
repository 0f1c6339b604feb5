import Catalogue
package import Samples
import Statistics

/// How long resolvers keep idle connections, and what opening connections costs.
package struct ConnectionReport: Report {
    private let readings: [ConnectionReading]
    let traffic: [ConnectionTraffic]
    let upTo: Duration
    let context: CheckContext

    package init(
        _ readings: [ConnectionReading],
        for traffic: [ConnectionTraffic],
        upTo: Duration,
        context: CheckContext
    ) {
        (self.readings, self.traffic) = (readings, traffic)
        (self.upTo, self.context) = (upTo, context)
    }

    /// The costs of a reading, in the order of the traffic.
    private func costs(_ reading: ConnectionReading) -> [ConnectionCost] {
        traffic.map { ConnectionCost(reading: reading, traffic: $0) }
    }

    /// The costs of each reading, in the order of the readings.
    var allCosts: [[ConnectionCost]] { readings.map(costs) }

    private var names: [String] {
        readings.map { EscapedText.terminal($0.target.label) }
    }

    package var document: Document {
        var section = Document.Section(headline, details: details, tables: tables)
        section.scope =
            "\(total(\.queries).of("query", "queries")) on "
            + "\(total(\.connections).of("connection", "connections"))."
        var document = Document(
            [section],
            provenance: "Observed from \(context.started.second) to \(context.finished.second), "
                + "dnstempo \(context.toolVersion).",
            json: { Self.shape.members(of: self) }
        )
        document.method = [.paragraph(Self.method)]
        document.closing = [document.provenance]
        document.command = context.command
        document.commandHeading = "Observe it again"
        let rows = allCosts.flatMap(\.self)
        document.figures = { Self.columns.table(of: rows) }
        return document
    }

    private static let method =
        "After its last answer, nothing was sent on a connection until the server ended it, or until the "
        + "longest gap. A query after the gap then showed whether the server still knew the connection. "
        + "The times to open are from separate connections of this run. The share for a rate assumes "
        + "Poisson traffic: e to the power of minus rate times idle timeout."

    private func total(_ count: (ConnectionReading) -> Int) -> Int {
        readings.map(count).reduce(0, +)
    }

    // MARK: Sentences

    private var headline: String {
        let known = readings.filter { $0.idle.gaps > 0 || $0.idle.lower > 0 }
        let ends = known.compactMap(\.idle.timeout)
        guard !known.isEmpty else { return "No idle timeout is known." }
        guard let least = ends.min(), let most = ends.max() else {
            let kept = LatencyFormat.span(.seconds(known.map(\.idle.lower).min() ?? 0))
            return "No server ended an idle connection within \(kept)."
        }
        let span =
            Self.time(least) == Self.time(most)
            ? Self.time(least) : "\(Self.time(least)) to \(Self.time(most))"
        guard ends.count < known.count else { return "Idle connections end after \(span)." }
        return "\(ends.count) of \(known.count) servers end idle connections, after \(span)."
    }

    private var details: [String] {
        // The recorded traffic is the user's own, and the rates are examples.
        let costs = allCosts.compactMap { costs in
            (costs.first { $0.traffic.queriesPerHour == nil } ?? costs.first)?.sentence
        }
        return costs + readings.flatMap(remarks) + patternWords
    }

    private var patternWords: [String] {
        traffic.compactMap { traffic in
            guard case .pattern(let pattern) = traffic else { return nil }
            let source = pattern.resolver.map { " to \(EscapedText.terminal($0))" } ?? ""
            return
                "Pattern: \(pattern.times.count.of("query", "queries"))\(source), "
                + "\(pattern.names.of("name", "names")), in \(LatencyFormat.span(.seconds(pattern.span)))."
        }
    }

    /// Facts that the tables cannot show.
    private func remarks(_ reading: ConnectionReading) -> [String] {
        let place =
            "\(EscapedText.terminal(reading.target.label)) over \(reading.target.transport.wording)"
        var remarks: [String] = []
        if reading.idle.isSilentDrop, let upper = reading.idle.upper {
            let range = "\(Self.time(reading.idle.lower)) and \(Self.time(upper))"
            remarks.append(
                reading.signal == .silence
                    ? "\(place) forgets idle connections between \(range) without a signal: the next "
                        + "query is lost, and waits for the client's timeout, which is not in the figures."
                    : "\(place) forgets idle connections between \(range), and resets at the next query."
            )
        }
        if let failure = reading.failure {
            remarks.append("\(place): \(EscapedText.terminal(failure.description)).")
        }
        if reading.isInterrupted, reading.idle.timeout == nil, reading.idle.lower > 0 {
            let time = Self.time(reading.idle.lower)
            remarks.append("\(place): interrupted; open for \(time) so far.")
        }
        return remarks
    }

    // MARK: Tables

    private var tables: [Table] { readings.isEmpty ? [] : [behaviour, cost] }

    private var places: [Table.Column] {
        var resolver = Table.Column("resolver", names, .heading)
        resolver.isGrouping = true
        return [resolver, .init("over", readings.map(\.target.transport.description))]
    }

    private var behaviour: Table {
        func column(
            _ header: String,
            drop: Int,
            _ kind: Table.Column.Kind = .words,
            _ text: (ConnectionReading) -> String
        ) -> Table.Column { .init(header, readings.map(text), kind, drop: drop) }
        var table = Table(
            places + [
                column("idle timeout", drop: 0, .figures, Self.timeout),
                column("stated", drop: 4, .figures) { $0.statedTimeout.map(Self.time) ?? "–" },
                column("ended by", drop: 1) { $0.signal?.rawValue ?? "–" },
                column("answers", drop: 5) { $0.order.words },
                column("tickets", drop: 3) { Self.word($0.givesTickets) },
                column("early data", drop: 2) { Self.word($0.acceptsEarlyData) },
                column("open, new", drop: 6, .figures) { Self.opening($0.newOpenings) },
                column("with a ticket", drop: 7, .figures) { Self.opening($0.resumedOpenings) },
            ],
            caption: "Handling of connections. Times to open are medians."
        )
        table.isStacked = true
        return table
    }

    private var cost: Table {
        let columns = traffic.indices.map { index in
            Table.Column(
                traffic[index].head,
                readings.map { costs($0)[index].cell },
                .figures
            )
        }
        var table = Table(
            places + columns,
            caption: "Share of queries that open a connection; mean added time without a ticket."
        )
        table.isStacked = true
        return table
    }

    private static func word(_ holds: Bool?) -> String {
        holds.map { $0 ? "yes" : "no" } ?? "–"
    }

    private static func opening(_ openings: OpeningTimes?) -> String {
        openings?.median.map(LatencyFormat(fitting: [1]).cell) ?? "–"
    }

    private static func timeout(_ reading: ConnectionReading) -> String {
        if let timeout = reading.idle.timeout { return time(timeout) }
        return reading.idle.lower > 0 ? "> \(time(reading.idle.lower))" : "–"
    }

    /// A time in seconds, such as `8.0 s` or `2 min 10 s`.
    static func time(_ seconds: Double) -> String {
        seconds < 60
            ? seconds.fixed(1) + " s" : LatencyFormat.span(.seconds(seconds.rounded()))
    }
}

extension IdleSearch {
    /// Whether the server forgets a connection without having signalled its end.
    fileprivate var isSilentDrop: Bool { upper != nil && !isExact }
}

extension ConnectionReading.AnswerOrder {
    fileprivate var words: String {
        switch self {
        case .outOfOrder: "out of order"
        case .inOrder: "in order"
        case .notShown: "not shown"
        }
    }
}
