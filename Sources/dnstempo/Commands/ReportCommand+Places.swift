import Analysis
import Catalogue
import Charts
import Reports

/// Reports on several places.
extension ReportCommand {
    /// Behind `label:` of --by; `nil` of other groups.
    var placeLabel: String? {
        guard let by, by.hasPrefix("label:") else { return nil }
        return String(by.dropFirst("label:".count))
    }

    /// The groups that a label of places makes; `nil` where it is not grouped by one.
    func placeGroups() throws -> PlaceGroups? {
        guard let label = placeLabel else { return nil }
        let labels = try HistorySource(window).labelsByPlace()
        let values = labels.compactMapValues { $0[label] }
        guard values.isEmpty else { return PlaceGroups(label: label, values: values) }
        let known = Set(labels.values.flatMap(\.keys)).sorted().map { "label:\($0)" }
        throw Failure.usage(
            known.isEmpty
                ? "--by label:\(label): no place has labels; places get them when they are enrolled "
                    + "(dnstempo store enrol NAME --label country=DE)"
                : "--by label:\(label): no place has that label; choose \(known.listed)"
        )
    }

    func placesReport(by groups: PlaceGroups) throws -> PlaceGroupsReport {
        let source = try HistorySource(window, exact: precision.exact)
        let context = try window.window(span: source.spanOfFiles)
        return try HistoryReader(source, context).places(by: groups)
    }

    /// Over several places each is judged by itself: their times are of different machines.
    func placesReport(
        with baseline: WindowBaseline,
        by groups: PlaceGroups?,
        _ gate: Gate,
        _ places: [String]
    ) throws -> PlacesReport {
        let place = places.first ?? "NAME"
        try Failure.refuse([
            "--strategies is of one place, and \(places.count) measured: add --vantage '\(place)'":
                strategies.isWanted,
            "--fail-if is of one place, and \(places.count) measured: add --vantage '\(place)'":
                !gate.conditions.isEmpty,
            "--chart rounds is of one place, and \(places.count) measured: add --vantage '\(place)'":
                output.chart == ChartKind.rounds.rawValue,
        ])
        let source = try HistorySource(window, exact: precision.exact)
        let context = try window.window(span: source.spanOfFiles)
        return try HistoryReader(source, context).places(with: baseline, by: groups)
    }

    /// The places that measured in the window.
    func places() throws -> [String] {
        let source = try HistorySource(window)
        let context = try window.window(span: source.spanOfFiles)
        return try source.places(in: context.window).sorted()
    }
}
