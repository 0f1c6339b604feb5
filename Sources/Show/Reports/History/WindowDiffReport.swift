package import Analysis
package import Samples
import Statistics

/// A window compared with the window of the same length before it, per resolver and hour.
package struct WindowDiffReport: HistoryReport {
    static let kind = "against"

    package struct Row: PairedRow, Hashable, Sendable {
        package var subject: HistoryHours.Subject
        /// The label, with a suffix if another resolver has the same label.
        package var name: String
        var before: ResolverSummary?
        var now: ResolverSummary?
        /// The number of hours that both windows have.
        package var pairs: Int
        /// Median of now − before in milliseconds: of the days' medians if there is an interval, otherwise of
        /// the hours; `nil` without any.
        package var difference: Double?
        /// Interval of the median of the days' medians, to 95 %; `nil` below two weeks.
        package var interval: ClosedRange<Double>?

        package var target: Recording.Target { subject.target }

        /// The direction of the change of latency, by the interval.
        var change: Change {
            guard let interval else { return .untested }
            if interval.lowerBound >= -band, interval.upperBound <= band { return .unchanged }
            return interval.contains(0) ? .open : interval.lowerBound > 0 ? .slower : .faster
        }

        /// The largest difference that counts as unchanged, in milliseconds.
        fileprivate var band: Double {
            DeadBand.around(before?.latency.median ?? 0)
        }
    }

    enum Change {
        case slower, faster, unchanged, open, untested

        var words: String { self == .slower ? "slower than before" : "faster than before" }
    }

    package let context: WindowContext
    /// The length of both windows.
    package let length: Duration
    package let rows: [Row]
    private let series: Set<Series>
    private let hours: (before: HistoryHours, now: HistoryHours)

    private static let daysForInterval = 14

    /// `now` holds the hours of `context.window`, and `before` the hours of the window that ends at its
    /// start.
    package init(before: HistoryHours, now: HistoryHours, context: WindowContext) {
        self.context = context
        hours = (before, now)
        length = context.window.upperBound.since(context.window.lowerBound)
        let distance = Int((length.milliseconds / 3_600_000).rounded())
        let old = Dictionary(grouping: before.timelines, by: \.subject)
        let new = Dictionary(grouping: now.timelines, by: \.subject)
        func place(_ row: Row) -> (String, UInt8, String, Int, String) {
            let target = row.target
            return (
                row.subject.vantage, target.series.order, target.label, target.transportOrder,
                row.name
            )
        }
        rows = Set(old.keys).union(new.keys)
            .compactMap { subject in
                Self.row(old[subject]?.first, new[subject]?.first, distance, context.clock)
            }
            .sorted { place($0) < place($1) }
        series = Set(rows.map(\.target.series))
    }

    var verification: Verification { rows.verification }

    var failureCauses: [Warning] { rows.failureCauses }

    var notes: [Warning] {
        var provenance = provenance
        provenance.log = hours.before.log
        for round in hours.now.log.rounds { provenance.log.add(round) }
        return Warning.all(provenance, verification, both)
    }

    var isByTransport: Bool { rows.map(\.target).haveSeveralTransports }

    func title(_ row: Row) -> String {
        row.target.series.naming(row.name, among: series)
    }

    var both: WindowContext {
        var both = context
        both.window =
            context.window.lowerBound.advanced(by: .zero - length)..<context.window.upperBound
        return both
    }

    private static func row(
        _ before: HistoryHours.Timeline?,
        _ now: HistoryHours.Timeline?,
        _ distance: Int,
        _ clock: LocalClock
    ) -> Row? {
        guard let any = now ?? before else { return nil }
        let old = medians(before?.blocks() ?? [], clock)
        // Hours are on the reader's clock, so that a clock change does not shift the hours of the week.
        var days: [Int: [Double]] = [:]
        var differences: [Double] = []
        for (hour, median) in medians(now?.blocks() ?? [], clock) {
            guard let earlier = old[hour - distance] else { continue }
            differences.append(median - earlier)
            days[hour >= 0 ? hour / 24 : (hour - 23) / 24, default: []].append(median - earlier)
        }
        let daily = days.values.compactMap(\.median)
        let interval = daily.count >= daysForInterval ? QuantileInterval.ofMedian(daily) : nil
        return Row(
            subject: any.subject,
            name: any.name,
            before: before.map { $0.row(of: $0.total()) },
            now: now.map { $0.row(of: $0.total()) },
            pairs: differences.count,
            difference: interval == nil ? differences.median : daily.median,
            interval: interval
        )
    }

    /// The medians by full hours on the clock. The first of a repeated hour counts.
    private static func medians(_ blocks: [HourlyBlock], _ clock: LocalClock) -> [Int: Double] {
        blocks.reduce(into: [:]) { medians, block in
            let hour = clock.time(at: Timestamp(hoursSinceEpoch: block.hour)).hoursOnClock
            guard medians[hour] == nil, let median = block.median else { return }
            medians[hour] = median
        }
    }

    var hasInterval: Bool { rows.contains { $0.interval != nil } }

    /// The first sample and sum are those of the earlier window.
    var provenance: Provenance {
        var provenance = hours.now.provenance
        provenance.firstSample = hours.before.provenance.firstSample ?? provenance.firstSample
        provenance.firstSum = hours.before.provenance.firstSum ?? provenance.firstSum
        return provenance
    }

    package var document: Document {
        document(words, columns, figures: { rows.columns(of: Self.columns).table(of: rows) })
    }

    private var words: [String] {
        guard !rows.isEmpty else { return [both.nothing] }
        var earlier = both
        earlier.window = both.window.lowerBound..<context.window.lowerBound
        let isOpen = !hasInterval && rows.contains { $0.difference != nil }
        let format = rows.format
        return [headline] + rows.map { sentence($0, format) }
            + ["\(context.span) vs \(earlier.span) (\(both.zone)), hour by hour."]
            + (isOpen
                ? ["A confidence interval takes two weeks on either side: --against 14d."] : [])
    }

    private var headline: String {
        guard hasInterval else { return "Latency now vs before, without a significance test." }
        func list(_ change: Change) -> String? {
            let names = rows.filter { $0.change == change }.map(title)
            return names.isEmpty ? nil : "\(change.words): \(names.listed)"
        }
        let parts = [list(.slower), list(.faster)].compactMap(\.self)
        return parts.isEmpty
            ? "No significant change in latency."
            : parts.joined(separator: "; ").sentenceStart + "."
    }

    private func sentence(_ row: Row, _ format: LatencyFormat) -> String {
        let name = title(row)
        guard let difference = row.difference else {
            return row.absence(name) ?? "\(name) has no hour with answers in both."
        }
        let size = "\(format.prose(abs(difference))) \(difference > 0 ? "slower" : "faster")"
        let change =
            switch row.change {
            case .slower, .faster:
                "\(size) (95 % confidence interval: \(intervalText(row, format))), "
            case .unchanged: "unchanged within \(format.cell(row.band)), "
            case .open: "no significant difference (\(intervalText(row, format))), "
            case .untested: ""
            }
        return "\(name): \(change)median \(format.median(row.now)) vs "
            + "\(format.median(row.before)) before\(losses(row))\(availabilities(row))."
    }

    private func losses(_ row: Row) -> String {
        guard let now = row.now?.counts, let before = row.before?.counts,
            now.failed + before.failed > 0
        else { return "" }
        return ", \(FailureNoun(of: [now, before]).text) \(now.failureRate.description) vs "
            + before.failureRate.description
    }

    private func availabilities(_ row: Row) -> String {
        guard let now = row.now?.availability, let before = row.before?.availability,
            now.dead + before.dead > 0
        else { return "" }
        return ", availability \(now.percent) vs \(before.percent)"
    }

    private func intervalText(_ row: Row, _ format: LatencyFormat) -> String {
        guard let interval = row.interval else { return "" }
        return "\(format.signed(interval.lowerBound)) to \(format.signed(interval.upperBound)) ms"
    }

    private var columns: [Table.Column] {
        guard !rows.isEmpty else { return [] }
        let names = Table.Column.naming(
            rows.map(\.subject),
            rows.map(\.name),
            isByTransport: isByTransport
        )
        let format = rows.format
        let difference = Table.Column(
            "difference",
            rows.map { $0.difference.map { format.signed($0) + " ms" } ?? "–" },
            .figures
        )
        let interval = Table.Column(
            "95 % interval",
            rows.map { intervalText($0, format) },
            .figures,
            drop: 2
        )
        return names
            + rows.columns([difference] + (hasInterval ? [interval] : []), dropBefore: 3)
    }

    static let columns: [Field<Row>] =
        [.text("vantage", "Name of the vantage point.") { $0.subject.vantage }] + Row.identity + [
            .count("pairs", "Hours that both windows have.") { $0.pairs },
            .time("difference_ms", null: "no hour has both", "Median of now − before.") {
                $0.difference
            },
        ]
        + Field.interval(
            "ci",
            suffix: "_ms",
            unit: .milliseconds,
            null: "a window is shorter than two weeks",
            "95 % interval of the median of the days."
        ) { $0.interval.map(JSONValue.ends) }
        + Row.columns([
            "sent", "answered", "failure_rate", "median_ms", "p95_ms", "rounds",
            "rounds_without_answer",
        ]) + Row.whole

    static let fields: [Field<WindowDiffReport>] = [
        .number("against_s", .seconds, digits: 0...6, "Length of each window.") {
            $0.length.milliseconds / 1000
        },
        .list("rows", Shape("difference", columns), "One entry per place and resolver.") {
            $0.rows
        },
    ]
}
