package import Statistics

/// The measurements of one resolver in one stretch of time. A stretch without measurements has no
/// bin: it is a gap, and not a loss.
package struct TimeBin: Hashable, Sendable {
    /// Where the stretch begins, in seconds since 1970 UTC, and how long it is, in seconds.
    package var start: Int64
    package var length: Int64
    /// The queries that were sent in it.
    package var latency: LatencyTally

    package init(start: Int64, length: Int64, latency: LatencyTally) {
        self.start = start
        self.length = length
        self.latency = latency
    }
}

extension TimeBin {
    /// Beyond these no history is meant; they keep every sum of moments and counts defined.
    private static let crediblePast: Int64 = 1 << 40
    private static let credibleCount = 1 << 40

    /// Where the stretch ends, and all of it.
    var end: Int64 { start + length }
    var stretch: Range<Int64> { start..<end }

    /// The moment that says best when it was.
    var middle: Int64 { start + length / 2 }

    /// How large the share of queries without an answer is.
    var loss: LossClass {
        LossClass(lost: latency.nonAnswers, of: latency.answered + latency.nonAnswers)
    }

    /// Whether there is something to draw, and its moments and counts can be reckoned with.
    var isSound: Bool {
        let past = -Self.crediblePast...Self.crediblePast
        let counts = 0...Self.credibleCount
        return past.contains(start) && (1...Self.crediblePast).contains(length)
            && counts.contains(latency.answered) && counts.contains(latency.nonAnswers)
            && latency.answered + latency.nonAnswers > 0
    }

    /// Takes in what another bin measured, so that quantiles of the whole are those of all its
    /// queries and never averages of quantiles.
    mutating func merge(_ other: TimeBin) {
        let last = max(end, other.end)
        start = min(start, other.start)
        length = last - start
        latency.merge(other.latency)
    }
}

/// How large the share of queries without an answer is, in classes that the eye can tell apart.
enum LossClass: Int, CaseIterable, Hashable, Sendable {
    case none, few, some, many, most, all

    init(lost: Int, of sent: Int) {
        let share = sent > 0 ? Double(lost) / Double(sent) : 0
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

    /// The words of the legend.
    var label: String {
        switch self {
        case .none: "none lost"
        case .few: "up to 1 %"
        case .some: "up to 5 %"
        case .many: "up to 20 %"
        case .most: "more"
        case .all: "all lost"
        }
    }

    /// How far the class rises in a strip, from 0 to 1, so that it can be read without colour.
    var height: Double { Double(rawValue) / Double(Self.all.rawValue) }

    /// How thick, in pixels, the median of a class is drawn.
    var thickness: Double { self == .none ? 2 : 2.5 + Double(rawValue) * 0.7 }
}

/// Everything that was measured of one resolver, by weekday and hour of the day in local time.
struct WeekGrid: Hashable {
    /// Seven days, Monday first, of 24 hours; `nil` where nothing was measured.
    let cells: [[TimeBin?]]
    /// Whether there are bins that begin in one hour of local time and end in another.
    let isUneven: Bool

    /// Puts each bin into the cell of its middle.
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

    /// Of the cells that have one, in milliseconds.
    var medians: [Double] { bins.compactMap { $0.latency.quantile(0.5) } }
}

extension ChartSubject {
    /// The medians of a heat map: seven days, Monday first, of 24 hours each, in milliseconds; `nil`
    /// where nothing was answered.
    package func weekMedians(over scale: TimeScale) -> [[Double?]] {
        WeekGrid(bins, over: scale).cells.map { $0.map { $0?.latency.quantile(0.5) } }
    }
}
