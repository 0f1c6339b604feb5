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
        let context = try source.context(window)
        return try HistoryReader(source, context).places(by: groups)
    }

    /// Over several places each is judged by itself: their times are of different machines.
    func placesReport(
        with baseline: WindowBaseline,
        by groups: PlaceGroups?,
        _ gate: Gate,
        _ places: [String]
    ) throws -> PlacesReport {
        try Failure.refuse([
            Self.isOfOne("--strategies", of: places): strategies.isWanted,
            Self.isOfOne("--fail-if", of: places): !gate.conditions.isEmpty,
            Self.isOfOne("--chart rounds", of: places): output.chart == ChartKind.rounds.rawValue,
        ])
        let source = try HistorySource(window, exact: precision.exact)
        let context = try source.context(window)
        return try HistoryReader(source, context).places(with: baseline, by: groups)
    }

    /// Refuses conditions where several places measured in the window, or in the `last` so long before
    /// its end.
    func checkPlaces(_ gate: Gate, last length: Duration? = nil) throws {
        guard !gate.conditions.isEmpty else { return }
        let places = try places(last: length)
        try Failure.refuse([Self.isOfOne("--fail-if", of: places): places.count > 1])
    }

    private static func isOfOne(_ option: String, of places: [String]) -> String {
        "\(option) is of one place, and \(places.count) measured: add --vantage "
            + "'\(places.first ?? "NAME")'"
    }

    /// The places that measured in the window.
    func places(last length: Duration? = nil) throws -> [String] {
        let source = try HistorySource(window)
        let context = try source.context(window, last: length)
        return try source.places(in: context.window).sorted()
    }
}
