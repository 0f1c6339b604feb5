package import Samples
package import Statistics

/// How far the first queries over one kind of connection had come when, in milliseconds since the
/// connection was begun.
package struct OpeningFigures: Hashable, Sendable {
    /// What carried them; `nil` where none was answered, so that nobody knows.
    package var use: ConnectionUse?
    /// Medians over all queries, until the connection stood and until its handshake was over; `nil`
    /// where there is no such step, or where it lies beyond the timeout.
    package var connected: Double?
    package var secured: Double?
    /// The times to the first answer.
    package var latency: LatencySummary
}

/// What is counted of opened connections while samples are gone through.
struct OpeningTally: Hashable {
    private struct Opening: Hashable {
        /// Nanoseconds; `nil` where there is no such step.
        var connect: Int64?
        var handshake: Int64?
        /// Milliseconds from the beginning to the first answer.
        var answered: Double

        var connected: Double { Double(connect ?? 0) * 1e-6 }
        var secured: Double { connected + Double(handshake ?? 0) * 1e-6 }
    }

    private var openings: [ConnectionUse: [Opening]] = [:]
    /// Queries without an answer by what was to carry them, where they tell.
    private var lost: [ConnectionUse?: Int] = [:]

    /// A query on a connection that stood already is none, but among first queries: there every one
    /// counts, as in their summary.
    mutating func add(_ observation: Observation, in series: Series) {
        let use = observation.extras?.connection
        guard observation.outcome.isMeasured, use != .reused || series == .first else { return }
        guard let answered = observation.answerTime(in: .first) else {
            return lost[use, default: 0] += 1
        }
        guard let extras = observation.extras, let use else { return }
        openings[use, default: []].append(
            Opening(connect: extras.connect, handshake: extras.handshake, answered: answered)
        )
    }

    mutating func merge(_ other: Self) {
        openings.merge(other.openings, uniquingKeysWith: +)
        lost.merge(other.lost, uniquingKeysWith: +)
    }

    /// One for each kind of connection; a query without an answer lies beyond the timeout, with the
    /// most frequent kind where it does not tell its own. `timeout` in milliseconds.
    func figures(timeout: Double) -> [OpeningFigures] {
        let known = openings.sorted { $0.key.rawValue < $1.key.rawValue }
        let unknown = lost.filter { use, _ in use.map { openings[$0] == nil } ?? true }
            .values.reduce(0, +)
        func summary(_ times: [Double], _ lost: Int) -> LatencySummary {
            LatencySummary(answers: times, nonAnswers: lost, timeout: timeout)
        }
        guard let most = known.max(by: { $0.value.count < $1.value.count })?.key else {
            return unknown > 0 ? [OpeningFigures(use: nil, latency: summary([], unknown))] : []
        }
        return known.map { use, openings in
            let lost = (lost[use] ?? 0) + (use == most ? unknown : 0)
            func median(
                _ step: (Opening) -> Int64?,
                until moment: (Opening) -> Double
            ) -> Double? {
                openings.contains { step($0) != nil }
                    ? summary(openings.map(moment), lost).median : nil
            }
            return OpeningFigures(
                use: use,
                connected: median(\.connect, until: \.connected),
                secured: median(\.handshake, until: \.secured),
                latency: summary(openings.map(\.answered), lost)
            )
        }
    }
}

/// One part of the time of first queries as a column: it has a value where a connection was opened.
struct OpeningColumn: Sendable {
    let header: String
    let value: @Sendable (ConnectionFigures.Parts) -> Double?
    private let format: LatencyFormat

    /// Connect, handshake and query; none where no row has them.
    static func all(of rows: [ResolverRow]) -> [OpeningColumn] {
        let parts = rows.compactMap { $0.connections?.parts }
        guard !parts.isEmpty else { return [] }
        let columns: [(String, @Sendable (ConnectionFigures.Parts) -> Double?)] = [
            ("connect", { $0.connect }), ("handshake", { $0.handshake }), ("query", { $0.query }),
        ]
        return columns.map { header, value in
            OpeningColumn(
                header: header,
                value: value,
                format: LatencyFormat(fitting: parts.compactMap(value))
            )
        }
    }

    func cell(_ parts: ConnectionFigures.Parts) -> String {
        value(parts).map(format.cell) ?? "–"
    }
}

/// What the times of first queries are made of, below their ranking.
struct OpeningTable {
    let rows: [ResolverRow]
    let width: Int

    /// None where no connection was opened.
    var lines: [String] {
        let opened = rows.filter { $0.connections?.parts != nil }
        let columns = OpeningColumn.all(of: opened).map { column in
            TextColumn(
                column.header,
                opened.map { $0.connections?.parts.map(column.cell) ?? "–" },
                alignment: .right
            )
        }
        guard !columns.isEmpty else { return [] }
        let name = TextColumn("medians of", opened.map { EscapedText.terminal($0.name) })
        let uses = TextColumn("connections", opened.map { $0.connections?.usesWords ?? "" })
        let room = width - TextColumn.width(of: columns) - TextColumn.gap.count
        let figures = [name.limited(to: max(10, min(room, width * 3 / 10)))] + columns
        let isWide = TextColumn.width(of: figures + [uses]) <= width
        return TextColumn.lines(isWide ? figures + [uses] : figures, colour: false)
    }
}
