package import Analysis
import Samples
import Statistics

/// The speed of resolvers at groups of places with one value of a label, such as countries. Times of
/// different places are never mixed: each place has its own figures, and the group has their median.
package struct PlaceGroupsReport: HistoryReport {
    static let kind = "place-groups"

    package let context: WindowContext
    let groups: PlaceGroups
    /// The slowest group first. Within a group the fastest resolver comes first.
    let rows: [PlaceSummary]
    let provenance: Provenance
    let verification: Verification
    private let names: [Recording.Target: String]

    package init(of hours: HistoryHours, by groups: PlaceGroups, context: WindowContext) {
        self.context = context
        self.groups = groups
        let found = hours.summaries(by: groups)
        let parts = Dictionary(grouping: found) { $0.group ?? "" }
        let medians = parts.mapValues { $0.map(\.median.value).median ?? .infinity }
        rows = parts.sorted { left, right in
            (medians[right.key] ?? 0, left.key) < (medians[left.key] ?? 0, right.key)
        }
        .flatMap(\.value)
        provenance = hours.provenance
        verification = hours.verification
        names = rows.map(\.target).uniqued.namesByTarget.mapValues { EscapedText.terminal($0) }
    }

    package var document: Document {
        var document = document(words, figures: { Self.columns.table(of: rows) })
        guard !rows.isEmpty else { return document }
        document.sections[0].tables = [rows.table(names, by: groups.label)]
        let test =
            "Compared place by place: add --baseline LABEL. One place in full: --vantage NAME."
        document.closing.insert(test, at: 0)
        return document
    }

    /// The most resolvers with a sentence.
    private static let mostTold = 8

    private var words: [String] {
        guard !rows.isEmpty else { return [nothing] }
        let targets = rows.sorted { $0.median.value < $1.median.value }.map(\.target).uniqued
        return targets.prefix(Self.mostTold).map(extremes) + [scope]
    }

    /// The extremes in words, such as `quad9: slowest at US (31.0 ms), fastest at DE (8.1 ms).`
    private func extremes(_ target: Recording.Target) -> String {
        let series = Set(rows.map(\.target.series))
        let name = target.series.naming(names[target] ?? target.label, among: series)
        let own = rows.filter { $0.target == target }
            .sorted { $0.median.value < $1.median.value }
        guard let best = own.first, let worst = own.last, best.median.value.isFinite else {
            return "\(name): \(PlacesQuantile.noMedian)."
        }
        let format = LatencyFormat(fitting: own.map(\.median.value))
        func said(_ row: PlaceSummary) -> String {
            let group = row.group ?? ""
            let place =
                group == PlaceGroups.unlabelled
                ? "without the label" : "at \(EscapedText.terminal(group))"
            return "\(place) (\(row.median.prose(format)))"
        }
        if own.count > 1, format.number(best.median.value) == format.number(worst.median.value) {
            return "\(name): median \(format.prose(best.median.value)) throughout."
        }
        return own.count == 1
            ? "\(name): measured only \(said(best))."
            : "\(name): slowest \(said(worst)), fastest \(said(best))."
    }

    private var scope: String {
        let log = provenance.log
        return
            "\(log.count.of("round", "rounds")) from \(log.vantages.count.of("place", "places")), "
            + "\(context.span)\(context.zoneNote), by their label "
            + "\(EscapedText.terminal(groups.label))."
    }

    static let columns: [Field<PlaceSummary>] =
        [.text("group", "Value of the label.") { $0.group ?? "" }] + PlaceSummary.fields

    static let fields: [Field<PlaceGroupsReport>] = [
        .text("label", "Label that groups the places.") { $0.groups.label },
        .list("rows", Shape("group-summary", columns), "One entry per group and resolver.") {
            $0.rows
        },
    ]
}
