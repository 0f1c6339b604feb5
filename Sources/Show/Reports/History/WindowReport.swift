package import Analysis
import Samples
import Statistics

/// The speed of resolvers over a window, grouped by hour, day, name and other properties.
package struct WindowReport: HistoryReport {
    static let kind = "window"

    struct Row {
        var group: WindowGroup
        var figures: ResolverSummary

        fileprivate var place: (WindowGroup, UInt8, Double, Int, String) {
            (
                group, figures.target.series.order, median, -figures.counts.answered, figures.name
            )
        }

        /// The median; infinite beyond the timeout and without queries.
        var median: Double { figures.latency.median ?? .infinity }
    }

    package let context: WindowContext
    package let grouping: WindowGrouping
    let provenance: Provenance
    let verification: Verification
    /// The medians of the resolvers over all groups, if the groups are times.
    let medians: [Recording.Target: Double?]
    /// The rows by group, the lowest median first. The transports of a resolver are adjacent.
    let rows: [Row]
    /// Whether a resolver has several transports, and the groups are not transports.
    let isByTransport: Bool
    let encryption: [EncryptionCost]
    /// The series of all measured resolvers.
    let series: Set<Series>
    /// The tests whether resolvers follow the hour of the day, or the weekday; `nil` without hours.
    let patterns: [Recording.Target: CycleTest]?
    /// The number of places of each resolver, if several places measured and the groups are times.
    let placeCounts: [Recording.Target: Int]
    /// The summaries of resolvers over several places. Times of places are never mixed.
    private let places: [PlaceSummary]

    /// `places` are the summaries of several places. `hours` are the hours of a report by times.
    package init(
        of tally: WindowTally,
        places: [PlaceSummary] = [],
        hours: HistoryHours? = nil,
        context: WindowContext
    ) {
        self.context = context
        self.places = places
        grouping = tally.grouping
        provenance = tally.provenance
        verification = Verification(of: tally.figures.values)
        patterns = grouping.isCycle ? hours?.patterns(over: grouping) : nil
        let vantage = provenance.log.onlyVantage
        let ofPlaces = vantage == nil && grouping.isOfTime ? hours : nil
        let summaries = ofPlaces?.summaries(over: grouping) ?? [:]
        let whole = ofPlaces?.summaries(over: .resolver)
        placeCounts = whole?.placeCounts ?? [:]
        medians =
            grouping.isOfTime
            ? whole?.medians ?? tally.whole.mapValues(\.latency.median) : [:]
        let targets = tally.figures.keys.map(\.target)
        series = Set(targets.map(\.series))
        let names = targets.namesByTarget
        let ranked = tally.figures.map { key, figures in
            let name = names[key.target] ?? key.target.label
            var row = ResolverSummary(key.target, name: name, figures)
            if let latency = LatencySummary(ofPlaces: summaries[key] ?? []) {
                row.latency = latency
            }
            row.medianInterval = row.latency.medianInterval
            if let vantage {
                let subject = HistoryHours.Subject(vantage: vantage, target: key.target)
                row.stopped = tally.stopped.stops(of: subject).words(of: figures.counts)
            }
            return Row(group: key.group, figures: row)
        }
        .sorted(byKey: { $0.place }, <)
        isByTransport =
            grouping != .transport && Array(names.keys).haveSeveralTransports
        rows = isByTransport ? Self.arranged(ranked) : ranked
        encryption = tally.evidence?.costs(rows.map(\.figures)) ?? []
    }

    var failureCauses: [Warning] { .causes(of: figures) }

    /// Over all groups and places.
    var resolverAvailabilities: [ResolverAvailability] {
        byResolver.compactMap { rows in
            var sum = Availability()
            for row in rows { sum.merge(row.figures.availability ?? Availability()) }
            let (figures, place) = (rows[0].figures, provenance.log.onlyVantage ?? "")
            return sum.rounds == 0
                ? nil
                : ResolverAvailability(
                    name: label(figures.name, of: figures),
                    subject: .init(vantage: place, target: figures.target),
                    rounds: sum
                )
        }
    }

    /// The rows of each resolver in the order of the groups. With groups of times, the fastest resolver over
    /// all of them comes first.
    var byResolver: [[Row]] {
        let found = Dictionary(grouping: rows, by: \.figures.target)
        let targets = figures.map(\.target).uniqued
        guard grouping.isOfTime else { return targets.compactMap { found[$0] } }
        let medians = medians.mapValues { $0 ?? .infinity }
        return targets.sorted { left, right in
            (left.series.order, medians[left] ?? .infinity, left.label)
                < (right.series.order, medians[right] ?? .infinity, right.label)
        }
        .compactMap { found[$0] }
    }

    private static func arranged(_ ranked: [Row]) -> [Row] {
        let parts = Dictionary(grouping: ranked, by: \.group)
        return ranked.map(\.group).uniqued.flatMap {
            ResolverGroups.arranged(parts[$0] ?? [], by: \.figures.target)
        }
    }

    var notes: [Warning] {
        let shown = isPivot || !places.isEmpty ? [] : figures
        return Warning.all(provenance, verification, context)
            + Warning.fewSamples(shown.map(\.latency))
    }

    private var isPivot: Bool { grouping.isOfTime && !rows.isEmpty }

    package var document: Document {
        var document = document(
            rows.isEmpty ? [nothing] : headlines + availabilitySentences + [scope],
            isPivot || !places.isEmpty ? [] : columns,
            figures: { table }
        )
        if !places.isEmpty {
            let names = places.map(\.target).uniqued.namesByTarget
            let shown = Array(places.prefix(ManyPlaces.mostRows))
            document.sections[0].tables = [
                shown.table(names.mapValues { EscapedText.terminal($0) })
            ]
            return document
        }
        if isPivot { document.sections[0].tables = [pivot] }
        if grouping.tellsTransports {
            document.sections[0].tables.append(ResolverColumns(rows: figures).openings)
        }
        document.encryption = encryption.map(\.words)
        return document
    }

    /// The comparison of resolvers, or the best and worst group of each resolver.
    private var headlines: [String] {
        if !places.isEmpty {
            let count = provenance.log.vantages.count
            let labels = places.map(\.target.label)
            let hasSystem = labels.contains { $0 == "system" || $0.hasPrefix("system from ") }
            return [
                ManyPlaces.headline(count),
                "Which resolver is faster at which place: "
                    + "\(context.medium.words(for: .test(among: hasSystem ? ["system"] : labels))).",
            ]
                + ManyPlaces.part(
                    min(labels.count, ManyPlaces.mostRows),
                    of: labels.count,
                    "rows",
                    context.medium.words(for: .showAllRows)
                )
        }
        if grouping == .resolver {
            return SummarySentences.comparisons(
                figures,
                remedy: context.medium.words(for: .test(among: figures.map(\.target.label)))
            )
        }
        let count = Set(rows.map(\.group)).count
        guard grouping == .vantage, count > 1 else { return byResolver.prefix(8).map(extremes) }
        // Places are not ranked: the table has the times of each place.
        let part = partNote
        return [ManyPlaces.headline(count)]
            + (part.isEmpty ? byResolver.filter { $0.count == 1 }.prefix(8).map(extremes) : part)
    }

    /// The note that the table has a part of the rows; empty if it has all.
    var partNote: [String] {
        let remedy = context.medium.words(for: .showAllRows)
        return ManyPlaces.part(shownRows.count, of: rows.count, "rows", remedy)
    }

    /// The rows of the table: of many places the first ones.
    var shownRows: [Row] {
        guard grouping == .vantage, rows.count > ManyPlaces.mostRows,
            Set(rows.map(\.group)).count > ManyPlaces.mostPlaces
        else { return rows }
        let next = rows[ManyPlaces.mostRows].group
        let whole = rows.prefix(ManyPlaces.mostRows).filter { $0.group != next }
        return whole.isEmpty ? Array(rows.prefix(ManyPlaces.mostRows)) : whole
    }

    private var scope: String {
        let rounds = provenance.log.count
        let places = provenance.log.vantages
        let measured = rounds > 0 ? "\(rounds.of("round", "rounds")), " : ""
        let from = places.count == 1 ? " from \(places[0])" : ""
        let mixed =
            places.count > 1 && grouping != .vantage
            ? " from \(places.count) places" + context.medium.words(for: .splitByPlace) : ""
        let siteless =
            grouping == .site && rows.contains { $0.group == .noSite }
            ? " Under –: queries without a response, and responses that name no site." : ""
        return "\(measured)\(context.span)\(context.zoneNote)\(from)\(mixed).\(siteless)"
    }

    private var columns: [Table.Column] {
        let rows = shownRows
        guard !rows.isEmpty else { return [] }
        let figures = rows.map(\.figures)
        let table = ResolverColumns(rows: figures)
        var group = Table.Column(grouping.rawValue, rows.map(\.group.title))
        group.isGrouping = true
        let names = Table.Column.naming(
            figures.map(\.target),
            figures.map { isByTransport ? $0.target.label : $0.name },
            isByTransport: isByTransport,
            groups: rows.map(\.group)
        )
        // A text has the parts in a separate table.
        let parts = table.parts(drop: 4, none: "").map {
            grouping.tellsTransports ? $0.shown(in: [.markdown, .page]) : $0
        }
        // Rounds without a route are in the notes.
        let remarks = table.remarks(header: "")
        let hasRemarks = remarks.cells.contains { !$0.text.isEmpty }
        return (grouping == .resolver ? [] : [group]) + names
            + [table.median, table.p95, table.failed]
            + [table.count("queries", drop: 3, \.sent)]
            + parts + (hasRemarks ? [remarks] : [])
    }

    private var table: FigureTable {
        let known = ResolverSummary.columns(figures)
        // Two columns with one name could not be distinguished.
        let isTaken = known.contains { $0.key == grouping.rawValue }
        let group = Self.groupColumn(isTaken ? "group" : grouping.rawValue)
        return
            ((grouping == .resolver ? [] : [group])
            + known.of { $0.figures }).table(of: rows)
    }

    private static func groupColumn(_ key: String) -> Field<Row> {
        .text(key, in: .csvOnly, "Group of the row.") { $0.group.title }
    }

    /// The columns of CSV; the name of the group's column is the grouping, or `group`.
    static let columns: [Field<Row>] =
        [groupColumn("group")]
        + (ResolverSummary.figures + ResolverSummary.connectionFields
        + ResolverSummary.expectationFields + ResolverSummary.availabilityFields)
        .of { $0.figures }

    static let fields: [Field<WindowReport>] = [
        .word("by", "Grouping of the rows.") { $0.grouping },
        Availability.field { $0.availability },
        .list("rows", Row.shape, "One entry per group and resolver.") { $0.rows },
        EncryptionCost.field { $0.encryption },
        .list(
            "places",
            PlaceSummary.shape,
            when: "there are several places",
            "Each resolver over all places."
        ) { $0.places.isEmpty ? nil : $0.places },
    ]
}

extension WindowReport.Row {
    static let shape = Shape<WindowReport.Row>(
        "row",
        [
            .text("group", when: "rows are grouped", "Group of the row.") {
                $0.group == .whole ? nil : $0.group.title
            }
        ] + ResolverSummary.members.of { $0.figures }
    )
}

extension WindowGroup {
    private static let weekdays = [
        "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday",
    ]

    /// The title of a group, such as `14:00`, `Monday` or `2026-11-21`.
    var title: String {
        switch self {
        case .whole: ""
        case .text(let text): text
        case .hour(let hour): hour < 10 ? "0\(hour):00" : "\(hour):00"
        case .weekday(let day): Self.weekdays[(day - 1) % 7]
        case .day(let date): date.description
        }
    }

    /// The group in a sentence, such as `at 14:00`.
    func phrase(in grouping: WindowGrouping) -> String {
        switch grouping {
        case .resolver: ""
        case .name, .type: "with \(title)"
        case .hour: "at \(title)"
        case .weekday, .day: "on \(title)"
        case .transport: "over \(title)"
        case .vantage: "from \(title)"
        case .site: self == .noSite ? "without a site" : "at \(title)"
        }
    }
}
