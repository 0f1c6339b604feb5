package import Analysis
import Samples
import Statistics

/// The number of places at which another resolver is faster than the baseline by more than the margin, and
/// these places. Each place is judged by its own hours.
package struct PlacesReport: HistoryReport {
    static let kind = "places"

    package let context: WindowContext
    let baseline: String
    /// In milliseconds.
    let margin: Double
    /// The resolver that is faster at the most places first.
    let findings: [PlaceFinding]
    /// Each resolver over all places, the fastest first.
    let summaries: [PlaceSummary]
    /// `nil` if places are not grouped.
    let groups: PlaceGroups?
    let provenance: Provenance
    let verification: Verification
    private let names: [Recording.Target: String]

    package init(
        of hours: HistoryHours,
        against baseline: WindowBaseline,
        by groups: PlaceGroups? = nil,
        context: WindowContext
    ) {
        self.context = context
        self.baseline = baseline.label
        margin = baseline.rules.margin
        findings = hours.places(against: baseline.label, margin: margin)
        summaries = hours.summaries()
        self.groups = groups
        provenance = hours.provenance
        verification = hours.verification
        let targets = (findings.map(\.target) + summaries.map(\.target)).uniqued
        names = targets.namesByTarget.mapValues { EscapedText.terminal($0) }
    }

    package var document: Document {
        var document = document(words, columns, figures: { Self.columns.table(of: rows) })
        if !findings.isEmpty {
            document.sections[0].tables += [summaries.table(names)] + groupTables + [placesTable()]
            document.closing.insert("One place in full: add --vantage NAME.", at: 0)
        }
        document.method.insert(.paragraph(Self.method), at: 0)
        return document
    }

    private static let method = """
        At each place the medians of the same hours are compared, those that a sketch cannot tell \
        apart for neither side; over places their evidence, however the places depend on each other. \
        At most one in twenty of the places that are named is expected to be wrong. It holds for this \
        window.
        """

    /// The answer and its tables on a page, with a link to the page of each place.
    package func fragments(_ link: @escaping (String) -> String) -> [HTML] {
        [PageFragments.answer(words.first ?? "", details: Array(words.dropFirst()))] + tables(link)
    }

    func tables(_ link: @escaping (String) -> String) -> [HTML] {
        guard !findings.isEmpty else { return [] }
        return ([Table(columns), summaries.table(names)] + groupTables + [placesTable(link)])
            .map(\.html)
    }

    var rows: [PlaceFinding.Place] {
        findings.flatMap(\.places)
    }

    private var count: Int { Set(rows.map(\.vantage)).count }

    /// The gain in words, such as `more than 5 ms faster`.
    private var faster: String {
        margin > 0 ? "more than \(LatencyFormat.plain(margin)) faster" : "faster"
    }

    var words: [String] {
        guard !findings.isEmpty else {
            return [
                provenance.log.isEmpty
                    ? context.nothing
                    : "No other resolver was measured in the same hours as "
                        + "\(EscapedText.terminal(baseline))."
            ]
        }
        return [headline] + findings.prefix(3).compactMap(sentence)
            + [
                "\(provenance.log.count.of("round", "rounds")) from "
                    + "\(count.of("place", "places")), \(context.span)\(context.zoneNote), each place "
                    + "by its own hours."
            ]
    }

    private var headline: String {
        let baseline = EscapedText.terminal(baseline)
        guard let first = findings.first, first.named > 0 else {
            return "No place is known where another resolver is \(faster) than \(baseline)."
        }
        return "\(title(first)) is \(faster) than \(baseline) at "
            + "\(first.named) of \(first.places.count.of("place", "places"))."
    }

    /// The series with compared resolvers.
    private var series: [Series] {
        findings.map(\.target.series).uniqued.sorted { $0.order < $1.order }
    }

    /// The columns of the baseline, one per series, with its median in each row.
    private func baselines(_ format: LatencyFormat, _ medians: [[Double?]]) -> [Table.Column] {
        zip(series, medians).map { one, medians in
            Table.Column(
                one.naming(EscapedText.terminal(baseline), among: Set(series)),
                medians.map { Table.Cell($0.map(format.cell) ?? "–", key: $0) },
                .figures
            )
        }
    }

    /// The baseline's median at each place, in the hours of the first comparison.
    private func medians(_ series: Series) -> [String: Double] {
        let known = rows.filter { $0.target.series == series }
            .compactMap { row in row.baseline.map { (row.vantage, $0) } }
        return Dictionary(known) { first, _ in first }
    }

    private func title(_ finding: PlaceFinding) -> String {
        let series = Set(series)
        let name = names[finding.target] ?? finding.target.label
        return finding.target.series.naming(name, among: series)
    }

    private func sentence(_ finding: PlaceFinding) -> String {
        let named = finding.places.filter(\.isFaster).map(\.vantage)
        let known =
            named.isEmpty
            ? "not known to be faster at any place" : "faster at \(named.listedPlaces)"
        return "\(title(finding)): \(known) (95 % confidence interval: \(finding.shareText) of "
            + "\(finding.places.count.of("place", "places")))."
    }

    private var columns: [Table.Column] {
        guard !findings.isEmpty else { return [] }
        return [
            .init("resolver", findings.map(title), .heading),
            .init("faster at", findings.map { "\($0.named)" }, .figures),
            .init("not faster at", findings.map { "\($0.notNamed)" }, .figures),
            .init("open", findings.map { "\($0.open)" }, .figures),
            .init("places", findings.map { "\($0.places.count)" }, .figures),
            .init("95 % interval", findings.map(\.shareText), .figures, drop: 1),
        ]
    }

    /// One row per group, the slowest baseline first, and one column per resolver.
    private var groupTables: [Table] {
        guard let groups else { return [] }
        let parts = findings.map { $0.parts(by: groups) }
        let places = Dictionary(grouping: Set(rows.map(\.vantage)), by: groups.group(of:))
        let own = series.map { series in
            let medians = medians(series)
            return places.compactMapValues { $0.compactMap { medians[$0] }.median }
        }
        let order = places.keys.sorted { left, right in
            (own[0][right] ?? 0, left) < (own[0][left] ?? 0, right)
        }
        let format = LatencyFormat(fitting: own.flatMap(\.values))
        let columns = zip(findings, parts).enumerated().map { index, found in
            let texts = order.map { found.1[$0]?.text ?? "–" }
            return Table.Column(title(found.0), texts, .figures, drop: index)
        }
        let caption =
            "Of the places of a group, at how many the others are known to be \(faster): all 95 % "
            + "intervals at once."
        var table = Table(
            [
                .init(
                    EscapedText.terminal(groups.label),
                    order.map { EscapedText.terminal($0) },
                    .heading
                ),
                .init("places", order.map { "\(places[$0]?.count ?? 0)" }, .figures),
            ] + baselines(format, own.map { own in order.map { own[$0] } }) + columns,
            caption: caption
        )
        table.footnotes = { _ in [caption] }
        return [table]
    }

    /// One row per place, and one column per resolver.
    private func placesTable(_ link: ((String) -> String)? = nil) -> Table {
        let all = Set(rows.map(\.vantage)).sorted()
        let vantages = Array(all.prefix(ManyPlaces.mostRows))
        let remedy = context.medium.words(for: .showAllRows)
        let part = ManyPlaces.part(vantages.count, of: all.count, "places", remedy)
        let format = LatencyFormat(fitting: rows.compactMap(\.baseline))
        let own = series.map { series in
            let medians = medians(series)
            return vantages.map { medians[$0] }
        }
        let others = findings.enumerated().map { index, finding in
            let places = Dictionary(
                finding.places.map { ($0.vantage, $0) },
                uniquingKeysWith: { first, _ in first }
            )
            return Table.Column(
                title(finding),
                vantages.map { Self.cell(places[$0], format) },
                .figures,
                drop: index
            )
        }
        let places = vantages.map { Table.Cell(EscapedText.terminal($0), link: link?($0)) }
        var table = Table(
            [.init("place", places, .heading)] + baselines(format, own) + others,
            caption: ([caption] + part).joined(separator: " ")
        )
        let text = caption
        table.footnotes = { leftOut in
            let more = "\(leftOut.of("more resolver", "more resolvers")): widen the window."
            return [text] + part + (leftOut > 0 ? [more] : [])
        }
        return table
    }

    private var caption: String {
        "Median of \(EscapedText.terminal(baseline)), and how much slower (+) or faster (-) the others "
            + "are; *: known to be \(faster) there."
    }

    private static func cell(_ place: PlaceFinding.Place?, _ format: LatencyFormat) -> Table.Cell {
        // In every table positive means slower.
        guard let slower = place?.difference.map({ -$0 }) else { return "–" }
        let sign = format.signed(slower)
        return Table.Cell("\(sign) ms\(place?.isFaster == true ? " *" : "")", key: slower)
    }
}

extension PlaceFinding {
    /// The number of places at which the resolver is faster.
    var named: Int { places.count(where: \.isFaster) }
    var notNamed: Int { places.count(where: \.isNotFaster) }
    fileprivate var open: Int { places.count - named - notNamed }

    /// The share as numbers of places, such as `5 to 12`.
    fileprivate var shareText: String { share.text(of: places.count) }
}

extension PlaceFinding.Part {
    /// The share in words, such as `5 to 12 of 14`.
    fileprivate var text: String { "\(share.text(of: places.count)) of \(places.count)" }
}

extension ClosedRange<Double> {
    /// A share of `count`, as numbers, such as `5 to 12`.
    fileprivate func text(of count: Int) -> String {
        let ends = [lowerBound, upperBound].map { Int(($0 * Double(count)).rounded()) }
        return ends[0] == ends[1] ? "\(ends[0])" : "\(ends[0]) to \(ends[1])"
    }
}
