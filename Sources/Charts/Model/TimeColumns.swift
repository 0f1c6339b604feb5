import Statistics

/// One resolver's bins, reduced to what the columns of a plot can show, and the gaps between them.
struct TimeColumns: Hashable {
    /// Everything that was measured in one stretch of time.
    struct Column: Hashable {
        let bin: TimeBin
        let p5: Double?
        let p25: Double?
        let median: Double?
        let p75: Double?
        let p95: Double?
        let loss: LossClass

        init(_ bin: TimeBin, timeout: Double) {
            self.bin = bin
            loss = bin.loss
            let latency = bin.latency
            p5 = latency.quantile(0.05, timeout: timeout)
            p25 = latency.quantile(0.25, timeout: timeout)
            median = latency.quantile(0.5, timeout: timeout)
            p75 = latency.quantile(0.75, timeout: timeout)
            p95 = latency.quantile(0.95, timeout: timeout)
        }
    }

    /// Columns that follow each other without a gap, ascending.
    let stretches: [[Column]]
    /// Where nothing was measured.
    let gaps: [Range<Int64>]

    var columns: [Column] { stretches.flatMap(\.self) }

    /// Joins those bins of `subject` that share a stretch of `span` seconds of local time.
    init(_ subject: ChartSubject, over scale: TimeScale, span: Int64?) {
        var merged: [(stretch: Int64, bin: TimeBin)] = []
        for bin in subject.bins.filter(scale.shows).sorted(by: { $0.start < $1.start }) {
            let stretch = span.map { scale.stretch(of: bin.middle, span: $0) }
            if let stretch, let last = merged.last, last.stretch == stretch {
                merged[merged.count - 1].bin.merge(bin)
            } else {
                merged.append((stretch ?? bin.start, bin))
            }
        }
        var stretches: [[Column]] = []
        var gaps: [Range<Int64>] = []
        var end = scale.extent.lowerBound
        for bin in merged.map(\.bin) {
            // Less than half a column that is missing could not be seen.
            let isGap = bin.start - end > max(1, (span ?? bin.length) / 2)
            if isGap { gaps.append(end..<bin.start) }
            if isGap || stretches.isEmpty { stretches.append([]) }
            stretches[stretches.count - 1].append(Column(bin, timeout: subject.summary.timeout))
            end = max(end, bin.end)
        }
        let rest = scale.extent.upperBound - end
        if rest > max(1, (span ?? merged.last?.bin.length ?? 0) / 2) {
            gaps.append(end..<scale.extent.upperBound)
        }
        self.stretches = stretches
        self.gaps = gaps
    }
}

extension TimeColumns {
    /// Lengths that a column may have, in seconds: parts of a day, so that days stay alike, and
    /// weeks.
    private static let spans: [Int64] = [
        60, 120, 300, 600, 900, 1200, 1800, 3600, 7200, 10_800, 14_400, 21_600, 28_800, 43_200,
        86_400, 172_800, 604_800, 1_209_600, 2_419_200,
    ]

    /// The seconds of a column where bins have to share one, since there would be more than
    /// `limit` of them in the window; `nil` where each has its own.
    static func span(of subjects: [ChartSubject], over scale: TimeScale, limit: Int) -> Int64? {
        let lengths = subjects.flatMap { $0.bins.filter(scale.shows).map(\.length) }
        guard let finest = lengths.min() else { return nil }
        let least = scale.length / Double(max(limit, 1))
        guard Double(finest) < least else { return nil }
        return spans.first { Double($0) >= least && $0 >= finest }
            ?? Int64(min(least.rounded(.up), 1e12))
    }

    /// A span in words: `4 hours`.
    static func words(_ span: Int64) -> String {
        for (unit, name) in [(604_800, "week"), (86_400, "day"), (3600, "hour"), (60, "minute")] {
            let count = span / Int64(unit)
            if count > 0, span % Int64(unit) == 0 {
                return count == 1 ? "one \(name)" : "\(count) \(name)s"
            }
        }
        return "\(span) seconds"
    }
}
