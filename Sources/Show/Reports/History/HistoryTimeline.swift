import Analysis
import Charts
package import Samples
import Statistics

/// The measurements of each resolver at each place, in the time bins of a chart. They come from samples, from
/// hourly sums, or from both; no query counts twice.
package struct HistoryTimeline: HistorySink, Sendable {
    package let context: WindowContext
    /// The same measurements hour by hour, for changes and totals.
    private(set) var hours: HistoryHours
    /// The hours before the window, with which changes in the window are compared.
    var lead: HistoryHours
    /// The rounds around those without an answer.
    var silent = SilentRounds()
    /// The stored causes of changes.
    var causes: [EstablishedCause] = []
    /// The traced paths to resolvers with a fault.
    var traces: [KeptTrace] = []
    private(set) var timeBins: TimeBins
    /// The same timeline by the hour, if it is wanted.
    var hourly: TimeBins?
    private var sites: [HistoryHours.Subject: SiteHistory] = [:]
    private var stopped = StoppedTargets()
    /// The evidence on the cost of encryption, if it is wanted.
    var evidence: TransportEvidence?

    /// The lengths of a bin, in seconds. They divide a day, so that all days have equal bins.
    private static let lengths: [Int64] = [
        60, 120, 300, 600, 900, 1200, 1800, 3600, 7200, 10_800, 14_400, 21_600, 28_800, 43_200,
        86_400,
    ]

    /// `rounds` are all rounds of the window. With `isHourly` a bin is an hour. Otherwise the number of bins
    /// is at most the number of columns of a chart. A bin is at least as long as the usual time between two
    /// rounds.
    package init(context: WindowContext, rounds: [RoundMoment], isHourly: Bool = false) {
        self.context = context
        hours = HistoryHours(clock: context.clock, rounds: rounds)
        lead = HistoryHours(clock: context.clock)
        let window = context.window.upperBound.since(context.window.lowerBound)
        let least = max(
            window.milliseconds / 1000 / Double(Chart.columnLimit),
            2 * (hours.log.usualDistance ?? 0)
        )
        let length = Self.lengths.first { Double($0) >= least } ?? 86_400
        timeBins = TimeBins(of: isHourly ? TimeBins.hour : length, clock: context.clock)
    }

    package mutating func add(_ counted: CountedSamples) {
        hours.add(counted)
        stopped.add(counted)
        for found in counted.recording.answeringSites {
            sites[found.subject, default: SiteHistory()].add(found.history)
        }
        evidence?.add(counted)
        timeBins.add(counted)
        hourly?.add(counted)
    }

    package mutating func add(_ sum: CountedSum) {
        hours.add(sum)
        evidence?.add(sum)
        timeBins.add(sum)
        hourly?.add(sum)
    }

    /// The same timeline for charts that are drawn from hours.
    package var byTheHour: HistoryTimeline {
        var timeline = self
        if let hourly { timeline.timeBins = hourly }
        return timeline
    }

    var changes: ChangesReport {
        var report = ChangesReport(of: hours, after: lead, silent: silent, context: context)
        report.changes.recall(causes)
        report.changes.recall(traces)
        return report
    }

    var notes: [Warning] {
        Warning.all(hours.provenance, hours.verification, context) + failureCauses
    }

    private var failureCauses: [Warning] {
        // Timelines of thousands of places take long, and most histories have no cause.
        guard hours.all.contains(where: { !$0.counts.causes.isEmpty }) else { return [] }
        return .causes(of: hours.timelines.map { $0.row(of: $0.total()) })
    }

    /// The seconds of a bin.
    var length: Int64 { timeBins.length }

    /// The bins with queries, in any order.
    var bins: [HistoryHours.Subject: [TimeBin]] { timeBins.bins }

    /// Takes the sites of the whole window, if they are known better than from samples.
    mutating func replaceSites(by all: [AnsweringSites]) {
        sites = Dictionary(all.map { ($0.subject, $0.history) }) { first, _ in first }
    }

    /// The times at which another site began to answer.
    func moves(of subject: HistoryHours.Subject) -> [SiteMove] { sites[subject]?.moves ?? [] }

    /// The times at which comparisons set a resolver aside.
    func stops(of subject: HistoryHours.Subject) -> [StoppedTargets.Stop] {
        stopped.stops(of: subject)
    }

    /// The most marks that are listed one by one.
    private static let mostMarks = 5

    /// The visible times in which a place had no route, or its machine was suspended. These rounds are in no
    /// bin.
    func marks(at vantage: String) -> [TimeMark] {
        let kinds: [(RoundMarks, String)] = [(.offline, "offline"), (.suspended, "suspended")]
        let marks = kinds.flatMap { marks, label in
            hours.log.spans(marked: marks, at: vantage)
                .filter { $0.end.wholeSeconds - $0.start.wholeSeconds >= length / 2 }
                .map { TimeMark(moment: $0.start.wholeSeconds, label: label) }
        }
        return marks.count > Self.mostMarks ? [] : marks
    }
}

extension [OutageFinding] {
    /// The times of these outages up to `end`, in seconds since 1970.
    func intervals(until end: Timestamp) -> [Range<Int64>] {
        flatMap { outage in
            outage.interruptions.map { part in
                let isLast = part.lowerBound == outage.interruptions.last?.lowerBound
                let last =
                    isLast && outage.end == nil ? Swift.max(part.upperBound, end) : part.upperBound
                return part.lowerBound.wholeSeconds..<last.wholeSeconds
            }
        }
    }
}

extension TimeBins {
    /// The bins with queries, in any order.
    var bins: [HistoryHours.Subject: [TimeBin]] {
        tallies.mapValues { tallies in
            tallies.map { TimeBin($0, $1) }
        }
    }
}

extension TimeBin {
    init(_ interval: Range<Int64>, _ latency: LatencyTally) {
        self.init(
            start: interval.lowerBound,
            length: interval.upperBound - interval.lowerBound,
            latency: latency
        )
    }
}

extension AnsweringSites {
    fileprivate var subject: HistoryHours.Subject {
        HistoryHours.Subject(vantage: vantage, target: target)
    }
}
