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
