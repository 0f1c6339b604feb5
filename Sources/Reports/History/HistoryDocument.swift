import Analysis
import Samples
import Statistics

/// A report over a window of the history.
protocol HistoryReport: Report {
    /// Name for programs; never changes.
    static var kind: String { get }
    var context: WindowContext { get }
    /// Source of the figures, with the rounds of which some are left out.
    var provenance: Provenance { get }
    var notes: [Warning] { get }
    /// Members of its JSON beside those of every report.
    var members: JSONValue { get }
}

extension HistoryReport {
    /// A document of `words`, the finding first, and of `table`.
    func document(
        _ words: [String],
        _ columns: [Table.Column] = [],
        figures: @escaping @Sendable () -> [[JSONValue]] = { [] }
    ) -> Document {
        let headline = words.first ?? "Nothing was measured."
        var section = Document.Section(headline, details: Array(words.dropFirst()))
        section.isRunning = false
        var table = Table(columns)
        if columns.contains(where: { $0.cells.contains { $0.note != nil } }) {
            table.caption = "Below a figure its 95 % interval."
        }
        section.tables = [table]
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
            HTML(
                .p,
                """
                The median is the time within which half of the queries were answered, p95 that of \
                95 in 100. A query without a useful answer is lost, and counts as slower than all \
                others. Rounds in which there was no way to any resolver are left out.
                """
            )
        ]
        return document
    }

    /// The report for programs: schema `dnstempo.report/1`.
    var json: JSONValue {
        let (window, log) = (context.window, provenance.log)
        func spans(_ spans: [RoundLog.Span]) -> JSONValue {
            .array(spans.map(\.json))
        }
        let head: JSONValue = [
            "schema": .string("dnstempo.report/1"),
            "kind": .string(Self.kind),
            "tool": ["name": .string("dnstempo"), "version": .string(context.toolVersion)],
            "since": .string(window.lowerBound.description),
            "until": .string(window.upperBound.description),
            "zone": .string(context.zone),
            "samples_since": .moment(provenance.firstSample),
            "rollups_since": .moment(provenance.firstSum),
            "vantages": .array(log.vantages.map(JSONValue.string)),
            "rounds": .integer(log.count),
        ]
        return head + members + [
            "offline": spans(log.spans(marked: .offline)),
            "outages": spans(log.spans(marked: .outage)),
            "suspended": spans(log.spans(marked: .suspended)),
            "gaps": spans(log.gaps(until: context.gapsEnd)),
            "notes": .array(notes.map(\.json)),
        ]
    }
}

extension RoundLog.Span {
    fileprivate var json: JSONValue {
        [
            "vantage": .string(vantage),
            "since": .string(start.description),
            "until": .string(end.description),
            "rounds": .integer(rounds),
        ]
    }
}

extension Provenance {
    /// Sentence on what was read for a report, and from when on.
    func text(toolVersion: String) -> String {
        let tool = "dnstempo \(EscapedText.terminal(toolVersion))."
        switch (firstSample, firstSum) {
        case (nil, nil): return tool
        case (let sample?, nil): return "From samples since \(clock.text(sample)), \(tool)"
        case (nil, let sum?):
            return "From hourly sums since \(clock.text(sum)), quantiles within 1 %, \(tool)"
        case (let sample?, let sum?):
            return "From hourly sums since \(clock.text(sum)), quantiles within 1 %, and from "
                + "samples since \(clock.text(sample)), \(tool)"
        }
    }
}

extension Table.Column {
    /// Who each row is of, with the transport and the series where they differ; a row may be
    /// `continued` from the one before, over another transport.
    static func naming(
        _ targets: [Recording.Target],
        _ titles: [String],
        isByTransport: Bool,
        continued: [Bool] = []
    ) -> [Table.Column] {
        var resolver = Table.Column("resolver", titles, .heading)
        resolver.continued = continued
        let series = targets.map(\.series)
        return [resolver]
            + (isByTransport ? [.init("over", targets.map(\.transport.description))] : [])
            + (Set(series).count > 1 ? [.init("series", series.map(\.description))] : [])
    }
}

/// One resolver before and now.
protocol PairedRow: SendableMetatype {
    var before: ResolverSummary? { get }
    var now: ResolverSummary? { get }
}

extension Array where Element: PairedRow {
    /// One for all medians, so that the columns line up.
    var format: LatencyFormat {
        LatencyFormat(
            fitting: flatMap { [$0.before, $0.now] }.compactMap { $0?.latency.median }
        )
    }

    /// Verification of all that was measured before and now.
    var verification: Verification {
        Verification(of: flatMap { [$0.before, $0.now] }.compactMap(\.self))
    }

    /// The medians of before and now, then `further`, then what was lost.
    func columns(_ further: [Table.Column], dropBefore: Int) -> [Table.Column] {
        let format = format
        func median(_ figures: ResolverSummary?) -> String {
            figures.map { $0.latency.text($0.latency.median, in: format) } ?? "–"
        }
        func lost(_ figures: ResolverSummary?) -> String {
            figures?.counts.failureRate.description ?? "–"
        }
        return [
            .init("before", map { median($0.before) }, .figures),
            .init("now", map { median($0.now) }, .figures),
        ] + further + [
            .init("lost before", map { lost($0.before) }, .figures, drop: dropBefore),
            .init("lost now", map { lost($0.now) }, .figures, drop: 1),
        ]
    }
}

extension PairedRow {
    /// The figures under `keys` of before, then of now, for spreadsheets.
    static func columns(_ keys: Set<String>) -> [Field<Self>] {
        let fields = (ResolverSummary.figures + ResolverSummary.connectionFields)
            .filter { keys.contains($0.key) }
        let before: [Field<Self>] = fields.map { field in field.of("before_") { $0.before } }
        let now: [Field<Self>] = fields.map { field in field.of("now_") { $0.now } }
        return (before + now).map { Field($0.key, .csvOnly, $0.value) }
    }

    /// All figures of before and of now, in JSON.
    static var whole: [Field<Self>] {
        [
            Field("before", .jsonOnly) { .of($0.before) }, Field("now", .jsonOnly) { .of($0.now) },
        ]
    }
}

extension JSONValue {
    /// The figures of one who may not have been measured.
    static func of(_ row: ResolverSummary?) -> JSONValue { row?.members ?? .null }
}
