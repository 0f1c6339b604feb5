import Analysis
import Samples
import Statistics

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

extension ConnectionFigures {
    /// Such as `38 resumed, 2 new`, the most frequent first.
    var usesWords: String { sortedUses.map { "\($0.value) \($0.key)" }.joined(separator: ", ") }

    /// Such as `resumed 38 new 2`.
    var usesText: String { sortedUses.map { "\($0.key) \($0.value)" }.joined(separator: " ") }

    private var sortedUses: [(key: ConnectionUse, value: Int)] {
        uses.sorted { ($1.value, $0.key.rawValue) < ($0.value, $1.key.rawValue) }
    }

    /// The keys that a row of the JSON report has for it.
    var members: [(String, JSONValue)] {
        var members: [(String, JSONValue)] = []
        if let parts {
            members.append(("median_connect_ms", .milliseconds(parts.connect)))
            members.append(("median_handshake_ms", .milliseconds(parts.handshake)))
            members.append(("median_query_ms", .milliseconds(parts.query)))
        }
        let counts = sortedUses.map {
            JSONValue.Member(name: $0.key.description, value: .integer($0.value))
        }
        if !counts.isEmpty { members.append(("connections", .object(counts))) }
        if unverified > 0 { members.append(("unverified", .integer(unverified))) }
        return members
    }
}
