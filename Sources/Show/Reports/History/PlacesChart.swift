import Analysis
import Charts
import Samples
import Statistics

extension Table {
    /// The longest name of a resolver that leaves room for the figures of others.
    private static let longestName = 24

    static let placesKey =
        "Median query time in ms by place; failed: over half failed, – not measured, "
        + "! more than 1 % failed."

    /// The medians of a chart of places. Columns without room follow below, with the places repeated.
    init(places grid: PlaceGrid, width: Int) {
        let format = LatencyFormat(fitting: grid.measured.compactMap(\.median))
        let longest = max(8, min(Self.longestName, width / 4))
        let isLossy = grid.measured.contains { $0.isLossy }
        let columns = grid.resolvers.enumerated().map { index, resolver in
            let cells = grid.cells.map { row in
                Cell(place: row[index], format, mark: isLossy ? " " : "")
            }
            let name = resolver.truncatedInside(to: longest) + (isLossy ? " " : "")
            return Column(name, cells, .figures)
        }
        self.init([Column("place", grid.places, .heading)] + columns)
        isStacked = true
    }
}

extension Table.Cell {
    /// The marks of failures align next to the figures. A figure without failures has `mark`.
    fileprivate init(place summary: LatencySummary?, _ format: LatencyFormat, mark: String) {
        guard let summary else {
            self.init("–" + mark)
            return
        }
        let figure = summary.median.map(format.number) ?? "failed"
        let isLossy = summary.isLossy
        self.init(figure + (isLossy ? "!" : mark), style: isLossy ? .warning : .plain)
    }
}

extension Chart {
    /// Charts of the resolvers at places, under their names at the place, one per series.
    static func places(
        _ rows: [(subject: HistoryHours.Subject, name: String, latency: LatencySummary)]
    ) -> [Chart] {
        let columns = rows.map(\.subject).columns
        let all = Series.allCases.filter { series in
            rows.contains { $0.subject.target.series == series }
        }
        return all.map { series in
            let own = rows.filter { $0.subject.target.series == series }
            let subjects = own.map { subject, name, latency in
                let place = EscapedText.terminal(subject.vantage)
                let member = (columns[subject] ?? name, place, 0)
                return ChartSubject(label: name, member: member, summary: latency)
            }
            return Chart(.places, of: subjects, scope: series.scope(in: all))
        }
    }

    /// The resolvers with the lowest median at the most places. For one resolver: the places of its lowest
    /// and highest median. `nil` for one place.
    var placesSentence: String? {
        let grid = PlaceGrid(subjects)
        guard grid.places.count > 1 else { return nil }
        let asked = scope.isEmpty ? "" : "\(scope): ".sentenceStart
        return asked + (grid.resolvers.count > 1 ? lowest(in: grid) : spread(in: grid))
    }

    private func lowest(in grid: PlaceGrid) -> String {
        var places: [String: Int] = [:]
        for row in grid.cells {
            let medians = row.map { $0?.median ?? .infinity }
            guard let least = medians.min(), least.isFinite else { continue }
            for (resolver, median) in zip(grid.resolvers, medians) where median == least {
                places[resolver, default: 0] += 1
            }
        }
        let ranked = places.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        guard let first = ranked.first else { return "\(PlacesQuantile.noMedian.sentenceStart)." }
        let next = ranked.dropFirst().first.map { ", \($0.key) at \($0.value)" } ?? ""
        return "\(first.key) has the lowest median at \(first.value) of "
            + "\(grid.places.count) places\(next)."
    }

    private func spread(in grid: PlaceGrid) -> String {
        let found = zip(grid.places, grid.cells).compactMap { place, row in
            row[0].map { (place: place, summary: $0, order: $0.median ?? .infinity) }
        }
        guard let best = found.min(by: { $0.order < $1.order }), let least = best.summary.median,
            let worst = found.max(by: { $0.order < $1.order })
        else { return "\(grid.resolvers[0]): \(PlacesQuantile.noMedian)." }
        let format = LatencyFormat(fitting: [least])
        return "\(grid.resolvers[0]): median \(format.prose(least)) at \(best.place) to "
            + "\(worst.summary.prose(worst.summary.median, in: format)) at \(worst.place)."
    }
}

extension [HistoryHours.Subject] {
    /// The columns of a chart of places. Resolvers that are another machine at each place share a column. Two
    /// resolvers of one place with one name have separate columns.
    var columns: [HistoryHours.Subject: String] {
        let common = map { subject in
            HistoryHours.Subject(
                vantage: subject.vantage,
                target: subject.target.common(at: subject.vantage)
            )
        }
        let namesakes = Dictionary(grouping: common, by: \.self)
        let targets = zip(self, common).map { subject, common in
            namesakes[common]?.count == 1 ? common.target : subject.target
        }
        let names = targets.namesByTarget
        return Dictionary(
            zip(self, targets).map { subject, target in
                (subject, EscapedText.terminal(names[target] ?? target.label))
            }
        ) { first, _ in first }
    }
}
