import Analysis
import Charts
import Failures
import History
import Reports
import Samples

/// Reports on several places.
extension ReportCommand {
    /// The text after `label:` in --by. `nil` for other groups.
    var placeLabel: String? {
        guard let by, by.hasPrefix("label:") else { return nil }
        return String(by.dropFirst("label:".count))
    }

    /// The groups by a label of places. `nil` if the report is not grouped by a label.
    func placeGroups(of source: HistorySource) throws -> PlaceGroups? {
        guard let label = placeLabel else { return nil }
        let labels = try source.labelsByPlace()
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

    /// The same reader, with each resolver under the name that its place uses.
    func namedAsRecorded(_ history: ReportedHistory, _ reader: HistoryReader) -> HistoryReader {
        HistoryReader(history.namedAsRecorded.reported, reader.context)
    }

    /// Rejects options that apply to one place. Times from different machines are not comparable, so each of
    /// several places is judged separately.
    func checkOfOnePlace(_ gate: Gate, _ places: [String]) throws {
        try Failure.refuse([
            Self.isOfOne("--strategies", of: places): strategies.isWanted,
            Self.isOfOne("--fail-if", of: places): !gate.conditions.isEmpty,
            Self.isOfOne("--chart rounds", of: places): output.chart == ChartKind.rounds.rawValue,
        ])
    }

    /// Rejects conditions if several places measured in the window.
    func checkPlaces(
        _ gate: Gate,
        of source: HistorySource,
        in window: Range<Timestamp>
    ) throws {
        guard !gate.conditions.isEmpty else { return }
        let places = try places(in: source, window)
        try Failure.refuse([Self.isOfOne("--fail-if", of: places): places.count > 1])
    }

    private static func isOfOne(_ option: String, of places: [String]) -> String {
        "\(option) applies to one place, and \(places.count) measured: add --vantage "
            + "'\(places.first ?? "NAME")'"
    }

    /// The places that measured in the window.
    func places(in source: HistorySource, _ window: Range<Timestamp>) throws -> [String] {
        try source.namedAsRecorded.places(in: window).sorted()
    }
}
