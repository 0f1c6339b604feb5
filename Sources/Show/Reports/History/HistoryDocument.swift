import Analysis
import Samples
import Statistics

protocol HistoryReport: Report {
    /// The name for programs, which never changes.
    static var kind: String { get }
    var context: WindowContext { get }
    /// Source of the figures, with all rounds, including the excluded ones.
    var provenance: Provenance { get }
    var verification: Verification { get }
    /// The causes of failed queries.
    var failureCauses: [Warning] { get }
    var notes: [Warning] { get }
    /// The rounds of each resolver at each place, or over all places; empty if they are not counted.
    var resolverAvailabilities: [ResolverAvailability] { get }
    /// The fields of its JSON, in addition to the fields of every report.
    static var fields: [Field<Self>] { get }
}

extension HistoryReport {
    var notes: [Warning] { Warning.all(provenance, verification, context) + failureCauses }

    var failureCauses: [Warning] { [] }

    var resolverAvailabilities: [ResolverAvailability] { [] }

    /// The reason why there is nothing to report.
    var nothing: String {
        provenance.log.isEmpty
            ? context.nothing : "No usable round was measured from \(context.span)."
    }

    /// A document of `words`, the finding first, and of `table`.
    func document(
        _ words: [String],
        _ columns: [Table.Column] = [],
        figures: @escaping @Sendable () -> FigureTable = { FigureTable() }
    ) -> Document {
        var table = Table(columns)
        if columns.contains(where: { $0.cells.contains { $0.note != nil } }) {
            table.caption = "Below a figure its 95 % interval."
        }
        let section = Document.Section(
            words.first ?? "Nothing was measured.",
            details: Array(words.dropFirst()),
            tables: [table]
        )
        var document = Document(
            [section],
            provenance: provenance.text(toolVersion: context.toolVersion),
            json: { json }
        )
        document.warnings = notes
        document.closing = [document.provenance]
        document.figures = figures
        document.methodHeading = "What the figures mean"
        document.method = [
            .paragraph(
                """
                The median is the time within which half of the queries were answered, p95 that of \
                95 in 100. A query without a useful answer has failed, and counts as slower than all \
                others. Rounds without a route or an answer, or with this machine suspended, are left out.
                """
            )
        ]
        return document
    }

    /// The report for programs: schema `dnstempo.report/1`.
    var json: JSONValue { Self.document.members(of: self) }

    /// The fields of the whole document.
    static var document: [Field<Self>] {
        head + fields + [
            spans("offline", "Times in which no query had a route.", marked: .offline),
            spans("outages", "Times in which no resolver answered.", marked: .outage),
            spans("suspended", "Times in which this machine was suspended.", marked: .suspended),
            spans("gaps", "Times without a round that the schedule had.") { report in
                report.provenance.log.gaps(until: report.context.gapsEnd)
            },
            .list("notes", Warning.shape, "Notes on the result.") { $0.notes },
        ]
    }

    private static var head: [Field<Self>] {
        [
            Field("schema", .fixed("dnstempo.report/1"), "Name and version of the schema.") { _ in
                .string("dnstempo.report/1")
            },
            Field("kind", .fixed(kind), "Kind of report.") { _ in .string(kind) },
            DocumentHead.tool { $0.context.toolVersion }, DocumentHead.redacted(),
            .moment("since", "Start of the window.") { $0.context.window.lowerBound },
            .moment("until", "End of the window.") { $0.context.window.upperBound },
            .text("zone", "Time zone of hours and days.") { $0.context.zone },
            .moment("samples_since", null: "no sample is used", "Time of the first sample.") {
                $0.provenance.firstSample
            },
            .moment("rollups_since", null: "no hourly sum is used", "Hour of the first sum.") {
                $0.provenance.firstSum
            },
            .texts("vantages", "Names of the vantage points.") { $0.provenance.log.vantages },
            .count("rounds", "Rounds in the window.") { $0.provenance.log.count },
        ]
    }

    private static func spans(
        _ key: String,
        _ meaning: String,
        marked mark: RoundMarks
    ) -> Field<Self> {
        spans(key, meaning) { $0.provenance.log.spans(marked: mark) }
    }

    private static func spans(
        _ key: String,
        _ meaning: String,
        _ spans: @escaping @Sendable (Self) -> [RoundLog.Span]
    ) -> Field<Self> {
        .list(key, RoundLog.Span.shape, meaning, spans)
    }
}

extension RoundLog.Span {
    fileprivate static let shape = Shape<RoundLog.Span>(
        "span",
        [
            .text("vantage", "Name of the vantage point.") { $0.vantage },
            .moment("since", "Start.") { $0.start },
            .moment("until", "End.") { $0.end },
            .count("rounds", "Rounds.") { $0.rounds },
        ]
    )
}

extension Provenance {
    func text(toolVersion: String) -> String {
        let sources = [
            firstSum.map { "From hourly sums since \(clock.text($0)), quantiles within 1 %, " },
            firstSample.map {
                "\(hasSums ? "and from" : "From") samples since \(clock.text($0)), "
            },
        ]
        return sources.compactMap(\.self).joined()
            + "dnstempo \(EscapedText.terminal(toolVersion))."
    }
}

extension Table.Column {
    /// The resolver of each row, with the transport and the series if they differ. Within one of `groups`, a
    /// resolver continues over another transport.
    static func naming(
        _ targets: [Recording.Target],
        _ titles: [String],
        isByTransport: Bool,
        groups: [some Equatable]
    ) -> [Table.Column] {
        var resolver = Table.Column("resolver", titles, .heading)
        resolver.continued = targets.indices.map { index in
            isByTransport && index > 0 && groups[index] == groups[index - 1]
                && targets[index].label == targets[index - 1].label
                && targets[index].series == targets[index - 1].series
        }
        let series = targets.map(\.series)
        return [resolver]
            + (isByTransport ? [.init("over", targets.map(\.transport.description))] : [])
            + (Set(series).count > 1 ? [.init("series", series.map(\.description))] : [])
    }

    /// The resolver of each row, in groups by place. `names` distinguish resolvers with one transport each.
    static func naming(
        _ subjects: [HistoryHours.Subject],
        _ names: [String],
        isByTransport: Bool
    ) -> [Table.Column] {
        naming(
            subjects.map(\.target),
            isByTransport ? subjects.labels : names,
            isByTransport: isByTransport,
            groups: subjects.map(\.vantage)
        )
    }
}

protocol PairedRow: SendableMetatype {
    var target: Recording.Target { get }
    var name: String { get }
    var before: ResolverSummary? { get }
    var now: ResolverSummary? { get }
}

extension Array where Element: PairedRow {
    private var figures: [ResolverSummary] { flatMap { [$0.before, $0.now] }.compactMap(\.self) }

    /// The common format of all medians, so that the columns align.
    var format: LatencyFormat { LatencyFormat(fitting: figures.compactMap(\.latency.median)) }

    var verification: Verification { Verification(of: figures) }

    /// The labels and names of the rows for which `holds` returns true.
    func named(where holds: (Element) -> Bool) -> [(label: String, name: String)] {
        filter(holds).map { ($0.target.label, $0.name) }
    }

    var failureCauses: [Warning] { .causes(of: compactMap(\.now)) }

    /// The medians of before and now, then `further`, then the failure rates.
    func columns(_ further: [Table.Column], dropBefore: Int) -> [Table.Column] {
        let format = format
        func failed(_ figures: ResolverSummary?) -> String {
            figures?.counts.failureRate.description ?? "–"
        }
        return [
            .init("before", map { format.median($0.before) }, .figures),
            .init("now", map { format.median($0.now) }, .figures),
        ] + further + [
            .init("failed before", map { failed($0.before) }, .figures, drop: dropBefore),
            .init("failed now", map { failed($0.now) }, .figures, drop: 1),
        ]
    }

    /// The columns of `fields`. The columns on certificates are included only if an answer came without a
    /// verified certificate.
    func columns(of fields: [Field<Element>]) -> [Field<Element>] {
        let isVerified = verification.unverified == 0
        return fields.filter { !(isVerified && $0.key.hasSuffix("_unverified")) }
    }
}

extension PairedRow {
    /// The sentence on `name` if it was not measured both times.
    func absence(_ name: String) -> String? {
        now == nil
            ? "\(name) was measured before only."
            : before == nil ? "\(name) was not measured before." : nil
    }

    /// The resolver. JSON has only its label here, because the figures contain the rest.
    static var identity: [Field<Self>] {
        let fields: [Field<Self>] = Recording.Target.fields.of { $0.target }
        return fields.filter { $0.isLabel } + fields.filter { !$0.isLabel }.only(.csvOnly)
    }

    /// The figures under `keys` of before, then of now, for spreadsheets.
    static func columns(_ keys: Set<String>) -> [Field<Self>] {
        let fields =
            (ResolverSummary.figures + ResolverSummary.connectionFields
            + ResolverSummary.availabilityFields)
            .filter { keys.contains($0.key) }
        let both: [Field<Self>] =
            fields.of("before_") { $0.before } + fields.of("now_") { $0.now }
        return both.only(.csvOnly)
    }

    /// The figures of before and of now. JSON has all of them; spreadsheets have the answers without a
    /// verified certificate.
    static var whole: [Field<Self>] {
        columns(["unverified"]) + [
            .object(
                "before",
                ResolverSummary.shape,
                in: .jsonOnly,
                null: "it was not measured then",
                "Figures of before."
            ) { $0.before },
            .object(
                "now",
                ResolverSummary.shape,
                in: .jsonOnly,
                null: "it was not measured now",
                "Figures of now."
            ) { $0.now },
        ]
    }
}

extension Field {
    fileprivate var isLabel: Bool { key == "resolver" || key == "name" }
}

extension HistoryHours.Subject {
    func label(tellsPlace: Bool) -> String {
        tellsPlace ? target.name(target.label, at: vantage) : target.label
    }
}

extension [HistoryHours.Subject] {
    /// The label of each, with its place if there are several.
    var labels: [String] {
        let areAtSeveral = Set(map(\.vantage)).count > 1
        return map { $0.label(tellsPlace: areAtSeveral) }
    }
}

extension LatencyFormat {
    /// The number with its sign; zero has no sign.
    func signed(_ value: Double) -> String {
        let number = number(abs(value))
        return number == self.number(0) ? number : (value < 0 ? "-" : "+") + number
    }

    /// The median of a resolver; a dash if it was not measured.
    func median(_ row: ResolverSummary?) -> String {
        row.map { $0.latency.text($0.latency.median, in: self) } ?? "–"
    }
}
