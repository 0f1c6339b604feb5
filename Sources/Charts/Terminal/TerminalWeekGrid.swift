import Statistics

/// A heat map in cells: a line a weekday, a shade and, where there is room, a figure an hour.
struct TerminalWeekGrid {
    /// Wider cells would not say more.
    private static let widest = 6

    private let chart: HistoryChart
    private let grids: [(label: String, grid: WeekGrid)]
    private let scale: HeatScale
    private let margin: Int
    private let cell: Int
    private let pen: HistoryPen

    init(_ chart: HistoryChart, width: Int, pen: HistoryPen) {
        self.chart = chart
        self.pen = pen
        let all = chart.subjects.map { WeekGrid($0.bins, over: chart.scale) }
        scale = HeatScale(all.flatMap(\.medians))
        grids = chart.drawn.map { ($0.subject.label, all[$0.index]) }
        margin = min(4, chart.scale.weekdays.prefix(7).map(\.count).max() ?? 0) + 1
        cell = min((width - margin) / 24, Self.widest)
    }

    /// A block a resolver, Monday at its top.
    var blocks: [TerminalHistory.Block] {
        grids.map { label, grid in
            let rows = grid.cells.enumerated().map { weekday, hours in
                let names = chart.scale.weekdays
                let name = weekday < names.count ? String(names[weekday].prefix(margin - 1)) : ""
                let padding = String(repeating: " ", count: margin - name.count)
                return name + padding + hours.map(text).joined()
            }
            return TerminalHistory.Block(label: label, rows: rows)
        }
    }

    /// One cell: a shade, the median in whole milliseconds, and `!` where more than 1 % was lost.
    private func text(_ bin: TimeBin?) -> String {
        guard let bin else { return padded(String(pen.gap)) }
        guard let median = bin.latency.quantile(0.5) else { return padded(String(pen.beyond)) }
        let shade = String(self.shade(scale.place(median)))
        guard cell >= 3 else { return String(repeating: shade, count: cell) }
        let figure = DecimalText.fixed(median, places: 0)
        let isLossy = bin.loss.rawValue > LossClass.few.rawValue
        let room = cell >= 4 ? cell - 2 : cell - 1
        guard figure.count <= room else { return padded(shade) }
        let sign = cell >= 4 ? (isLossy ? "!" : " ") : ""
        return shade + String(repeating: " ", count: room - figure.count) + figure + sign
    }

    private func padded(_ text: String) -> String {
        text + String(repeating: " ", count: max(0, cell - text.count))
    }

    private func shade(_ place: Int) -> Character {
        pen.shades[min(place * pen.shades.count / scale.count, pen.shades.count - 1)]
    }

    /// The hours, as many as do not touch.
    var axis: String {
        let labels = (0..<24).map { hour in
            (cell: margin + hour * cell + cell / 2, text: "\(hour)")
        }
        return TerminalLabels.line(labels, after: "", width: margin + 24 * cell)
    }

    /// The bounds of each shade, and the signs.
    var key: String {
        let shades = pen.shades.compactMap { shade -> String? in
            let places = (0..<scale.count).filter { self.shade($0) == shade }
            guard let first = places.first, let last = places.last else { return nil }
            let bounds = [scale.bounds[first], scale.bounds[last + 1]].map {
                DecimalText.trimmed($0, places: 4)
            }
            return "\(shade) \(bounds.joined(separator: "-"))"
        }
        let sign = cell >= 4 ? ", ! more than 1 % lost" : ""
        return shades.joined(separator: ", ")
            + " ms median by local hour\(sign), \(pen.gap) not measured, \(pen.beyond) lost"
    }
}
