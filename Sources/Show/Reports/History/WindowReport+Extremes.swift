import Analysis
import Samples
import Statistics

extension WindowReport {
    /// The best and the worst group of a resolver, whose `rows` these are.
    func extremes(_ rows: [Row]) -> String {
        let first = rows[0].figures
        let name = label(first.name, of: first)
        // A day with one measured hour is neither the best nor the worst day.
        let most = rows.map(\.figures.counts.sent).max() ?? 0
        let measured = rows.filter { $0.figures.counts.measured > 0 }
        let timed = measured.filter { $0.figures.counts.sent >= most / 4 }
            .sorted { $0.median < $1.median }
        guard let best = timed.first, let worst = timed.last, best.median.isFinite else {
            return measured.isEmpty
                ? "\(name) was not measured." : "\(name) \(SummarySentences.late)."
        }
        let format = LatencyFormat(fitting: timed.map(\.median))
        func said(_ row: Row) -> String {
            let latency = row.figures.latency
            let time = latency.prose(latency.median, in: format)
            return "\(row.group.phrase(in: grouping)) (\(time))"
        }
        if timed.count == 1 {
            // A label with its place already names the place.
            return grouping == .vantage && name.hasSuffix(" from \(best.group.title)")
                ? "\(name): median \(format.prose(best.median))."
                : "\(name) was measured \(measured.count == 1 ? "only" : "most") \(said(best))."
        }
        let places = placeCounts[first.target] ?? 1
        let isEven = Self.isEven(best, worst, in: format)
        if isEven, places == 1 {
            return "\(name): median \(format.prose(best.median)) throughout."
        }
        let pattern = patterns?[first.target]
        let reason = patterns.flatMap { remark(on: pattern, of: $0.count) }
        if reason != nil || places > 1 && pattern == nil {
            var parts: [String] = []
            if let median = medians[first.target] ?? nil {
                let count = places > 1 ? " over \(places) places" : ""
                parts.append("median \(format.prose(median))\(count)")
            }
            if let reason { parts.append(reason) }
            return "\(name): \(parts.joined(separator: ", "))."
        }
        if places > 1, let pattern {
            // The times of a group depend on the places that measured in it. The test compares each place
            // with itself.
            let (lowest, highest) = (phrase(pattern.lowest), phrase(pattern.highest))
            return "\(name): fastest \(lowest), slowest \(highest)."
        }
        return "\(name): fastest \(said(best)), slowest \(said(worst))."
    }

    /// Neighbouring buckets of a sketch are not a difference, and neither is an unnoticeable difference.
    private static func isEven(_ best: Row, _ worst: Row, in format: LatencyFormat) -> Bool {
        format.number(best.median) == format.number(worst.median)
            || worst.median < best.median * 1.03
    }

    /// Why no hour or weekday is named as the fastest; `nil` if the pattern is established among `count`.
    private func remark(on pattern: CycleTest?, of count: Int) -> String? {
        let (units, periods) = grouping == .hour ? ("hours", "days") : ("weekdays", "weeks")
        guard let pattern else {
            let needed = "\(CycleTest.fewestPeriods) are needed"
            return "too few \(periods) to compare \(units) (\(needed))"
        }
        return pattern.isEstablished(among: count)
            ? nil : "no significant difference between \(units)"
    }

    /// A position of the cycle, such as `on Thursday`.
    private func phrase(_ position: Int) -> String {
        let group: WindowGroup = grouping == .hour ? .hour(position) : .weekday(position + 1)
        return group.phrase(in: grouping)
    }
}
