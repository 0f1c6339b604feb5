package import Statistics

/// One resolver in one interval of time. An interval without measurements has no bin: it is a gap, not a
/// loss.
package struct TimeBin: Hashable, Sendable {
    /// The start of the interval in seconds since 1970 UTC, and its length in seconds.
    package var start: Int64
    package var length: Int64
    package var latency: LatencyTally

    package init(start: Int64, length: Int64, latency: LatencyTally) {
        self.start = start
        self.length = length
        self.latency = latency
    }

    /// Limits of the accepted moments and counts. They keep every sum defined.
    private static let crediblePast: Int64 = 1 << 40
    private static let credibleCount = 1 << 40

    var end: Int64 { start + length }
    var interval: Range<Int64> { start..<end }

    /// The representative moment of the bin.
    var middle: Int64 { start + length / 2 }

    var loss: LossClass {
        LossClass(failed: latency.nonAnswers, of: latency.answered + latency.nonAnswers)
    }

    /// The median of the bin's queries, in milliseconds. `nil` if it exceeds the timeout.
    func median(timeout: Double) -> Double? { latency.quantile(0.5, timeout: timeout) }

    /// The number of queries that a median requires.
    static let fewestForMedian = QuantileInterval.fewestValues(forQuantile: 0.5)

    /// Whether the bin has enough queries for the 95 % confidence interval of a quantile: 6 for the median,
    /// 13 for quartiles, 72 for p5 and p95.
    func tells(_ p: Double) -> Bool {
        latency.count >= QuantileInterval.fewestValues(forQuantile: p)
    }

    /// Whether the bin has content to draw, and its moments and counts are safe for arithmetic.
    var isSound: Bool {
        let past = -Self.crediblePast...Self.crediblePast
        let counts = 0...Self.credibleCount
        return past.contains(start) && (1...Self.crediblePast).contains(length)
            && counts.contains(latency.answered) && counts.contains(latency.nonAnswers)
            && latency.answered + latency.nonAnswers > 0
    }

    /// Merges another bin. Quantiles cover all queries; they are never averages of quantiles.
    mutating func merge(_ other: TimeBin) {
        let last = max(end, other.end)
        start = min(start, other.start)
        length = last - start
        latency.merge(other.latency)
    }
}

/// The share of queries without an answer, in classes that the eye can distinguish.
enum LossClass: Int, CaseIterable, Hashable, Sendable {
    case none, few, some, many, most, all

    init(failed: Int, of sent: Int) {
        let share = sent > 0 ? Double(failed) / Double(sent) : 0
        self =
            switch share {
            case ...0: .none
            case ...0.01: .few
            case ...0.05: .some
            case ...0.20: .many
            case ..<1: .most
            default: .all
            }
    }

    var label: String {
        ["none failed", "up to 1 %", "up to 5 %", "up to 20 %", "more", "all failed"][rawValue]
    }

    /// The height of the class in a strip, from 0 to 1, so that colour is not needed.
    var height: Double { Double(rawValue) / Double(Self.all.rawValue) }

    /// The thickness of the median line of a class, in pixels.
    var thickness: Double { self == .none ? 2 : 2.5 + Double(rawValue) * 0.7 }
}

/// All measurements of one resolver, by weekday and hour of the day in local time.
struct WeekGrid {
    /// Seven days, Monday first, of 24 hours. `nil` where nothing was measured.
    let cells: [[TimeBin?]]
    /// Whether any bin begins in one hour of local time and ends in another.
    let isUneven: Bool

    /// Puts each bin into the cell that contains its middle.
    init(_ bins: [TimeBin], over scale: TimeScale) {
        var cells = [[TimeBin?]](repeating: [TimeBin?](repeating: nil, count: 24), count: 7)
        var isUneven = false
        for bin in bins where scale.shows(bin) {
            let (weekday, hour) = scale.place(bin.middle)
            if cells[weekday][hour]?.merge(bin) == nil { cells[weekday][hour] = bin }
            isUneven = isUneven || scale.place(bin.start) != scale.place(bin.end - 1)
        }
        self.cells = cells
        self.isUneven = isUneven
    }

    var bins: [TimeBin] { cells.flatMap { $0.compactMap(\.self) } }

    /// The medians of the cells with measurements, in milliseconds. `nil` if a median exceeds the timeout.
    func medians(timeout: Double) -> [Double?] { bins.map { $0.median(timeout: timeout) } }
}

extension ChartSubject {
    /// The medians of a heat map in milliseconds and their numbers of queries, for each day's 24 hours. A
    /// median is `nil` beyond the timeout and where nothing was measured.
    package func weekMedians(over scale: TimeScale) -> [[(median: Double?, queries: Int)]] {
        WeekGrid(bins, over: scale).cells.map { day in
            day.map { ($0?.median(timeout: summary.timeout), $0?.latency.count ?? 0) }
        }
    }
}

/// One resolver's bins, reduced to the resolution of a plot's columns, and the gaps between them.
struct TimeColumns {
    /// All measurements in one interval of time.
    typealias Column = (bin: TimeBin, summary: LatencySummary)

    /// Runs of columns without a gap, in ascending order.
    let segments: [[Column]]
    let gaps: [Range<Int64>]

    var columns: [Column] { segments.flatMap(\.self) }

    /// Joins the bins of `subject` that share an interval of `span` seconds of local time.
    init(_ subject: ChartSubject, over scale: TimeScale, span: Int64?) {
        let bins = subject.bins.filter(scale.shows).sorted { $0.start < $1.start }
        let shared = bins.chunked { one, next in
            guard let span else { return false }
            return scale.intervalIndex(of: one.middle, span: span)
                == scale.intervalIndex(of: next.middle, span: span)
        }
        let merged = shared.map { bins in
            bins.dropFirst().reduce(into: bins[bins.startIndex]) { $0.merge($1) }
        }
        var segments: [[TimeBin]] = []
        var gaps: [Range<Int64>] = []
        var end = scale.extent.lowerBound
        for bin in merged {
            // A gap of less than half a column would be invisible.
            let isGap = bin.start - end > max(1, (span ?? bin.length) / 2)
            if isGap { gaps.append(end..<bin.start) }
            if isGap || segments.isEmpty { segments.append([]) }
            segments[segments.count - 1].append(bin)
            end = max(end, bin.end)
        }
        let rest = scale.extent.upperBound - end
        if rest > max(1, (span ?? merged.last?.length ?? 0) / 2) {
            gaps.append(end..<scale.extent.upperBound)
        }
        self.segments = segments.map { segment in
            Self.enough(segment).map { bin in
                (bin, bin.latency.summary(timeout: subject.summary.timeout))
            }
        }
        self.gaps = gaps
    }

    /// The bins of a segment. A bin with too few queries for a median is joined with its neighbours. If all
    /// bins have too few, they stay unchanged.
    private static func enough(_ segment: [TimeBin]) -> [TimeBin] {
        guard segment.contains(where: { $0.tells(0.5) }) else { return segment }
        var joined: [TimeBin] = []
        for bin in segment {
            if let last = joined.last, !last.tells(0.5) {
                joined[joined.count - 1].merge(bin)
            } else {
                joined.append(bin)
            }
        }
        if joined.count > 1, let last = joined.last, !last.tells(0.5) {
            joined.removeLast()
            joined[joined.count - 1].merge(last)
        }
        return joined
    }

    /// The column lengths, in seconds: fractions of a day, so that days look alike, and weeks.
    private static let spans: [Int64] = [
        60, 120, 300, 600, 900, 1200, 1800, 3600, 7200, 10_800, 14_400, 21_600, 28_800, 43_200,
        86_400, 172_800, 604_800, 1_209_600, 2_419_200,
    ]

    /// The length of a column in seconds if the window has more than `limit` bins. `nil` if each bin has its
    /// own column.
    static func span(of subjects: [ChartSubject], over scale: TimeScale, limit: Int) -> Int64? {
        let lengths = subjects.flatMap { $0.bins.filter(scale.shows).map(\.length) }
        guard let finest = lengths.min() else { return nil }
        let least = scale.length / Double(max(limit, 1))
        let shared =
            Double(finest) < least
            ? spans.first { Double($0) >= least && $0 >= finest }
                ?? Int64(min(least.rounded(.up), 1e12)) : nil
        return wider(than: shared ?? finest, subjects, over: scale) ?? shared
    }

    /// The minimum number of columns. Fewer columns would show too little of the course over time.
    private static let fewestColumns = 60.0
    /// The number of queries that p95 requires.
    private static let queriesOfP95 = 72.0

    /// The length of a column, in seconds, that usually has enough queries for p95. The length at most
    /// doubles. `nil` if the columns already have enough queries, or would become too long.
    private static func wider(
        than span: Int64,
        _ subjects: [ChartSubject],
        over scale: TimeScale
    ) -> Int64? {
        let densities = subjects.compactMap { subject -> Double? in
            let bins = subject.bins.filter(scale.shows)
            let seconds = bins.reduce(0.0) { $0 + Double($1.length) }
            guard seconds > 0 else { return nil }
            return bins.reduce(0.0) { $0 + Double($1.latency.count) } / seconds
        }
        guard let usual = densities.middle, usual > 0 else { return nil }
        let needed = queriesOfP95 / usual
        guard needed > Double(span), needed <= 2 * Double(span) else { return nil }
        return spans.first {
            Double($0) >= needed && scale.length / Double($0) >= fewestColumns
        }
    }

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
