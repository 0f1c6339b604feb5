import Analysis
import Samples
import Statistics

extension HistoryReader {
    /// The maximum length of a window that is read from samples.
    private static let longestExactWindow = Duration.seconds(8 * 86_400)

    /// Compares the resolvers with `baseline`. A window that is read from samples (with `exact`) gives the
    /// report of its runs, unless samples were pruned; otherwise the comparison uses hours. With `exact`, it
    /// throws if no resolver has this label.
    package func comparison(
        with baseline: WindowBaseline,
        exact: Bool = false
    ) throws -> ComparisonReport {
        // A window without rounds has no measured resolver.
        if try exact || !isLong && !rounds(context.window).isEmpty {
            var tally = RecordingTally(keepsSamples: baseline.wantsStrategies)
            let pruned = try source.readSamples(context.window) { piece in
                if !piece.samples.isEmpty { tally.add(piece) }
            }
            // Without some of the samples, hours cover more of the window.
            if isWhole(without: pruned) {
                tally.conclude()
                return try comparison(of: tally, with: baseline)
            }
            if exact { try source.commonLabels().check(baseline: baseline.label) }
        }
        let rounds = try rounds(context.window)
        let context = try begun(with: rounds)
        var hours = HistoryHours(clock: context.clock, rounds: rounds)
        _ = try read(context.window, into: &hours)
        return ComparisonReport(ofHours: hours, against: baseline, window: context)
    }

    package func comparedTimelines(
        with baseline: WindowBaseline
    ) throws -> (comparison: ComparisonReport, timeline: TimelineReport) {
        if !isLong, let read = try recorded() {
            return try Concurrently.both(
                { try comparison(of: RecordingTally(of: read), with: baseline) },
                { TimelineReport(of: try pageTimeline(of: CountedSamples(of: read))) }
            )
        }
        let timeline = try pageTimeline()
        return Concurrently.both(
            {
                ComparisonReport(
                    ofHours: timeline.hours,
                    against: baseline,
                    window: timeline.context
                )
            },
            { TimelineReport(of: timeline) }
        )
    }

    /// Compares the resolvers with `baseline` at each place, with their timeline; only for several places.
    package func comparedPlaces(
        with baseline: WindowBaseline
    ) throws -> (comparison: PlacesReport, timeline: TimelineReport) {
        let timeline = try pageTimeline()
        return (
            PlacesReport(of: timeline.hours, against: baseline, context: timeline.context),
            TimelineReport(of: timeline)
        )
    }

    var isLong: Bool {
        context.window.upperBound.since(context.window.lowerBound) > Self.longestExactWindow
    }

    /// The samples of the window; `nil` if some of them were pruned.
    func recorded() throws -> Recording? {
        var recording = Recording()
        let pruned = try source.readSamples(context.window) { recording.merge($0) }
        return isWhole(without: pruned) ? recording : nil
    }

    /// Whether the window has all of its samples, without those of the `pruned` hours.
    private func isWhole(without pruned: Range<Timestamp>?) -> Bool {
        pruned?.overlaps(context.window) != true
    }

    func comparison(
        of tally: RecordingTally,
        with baseline: WindowBaseline
    ) throws -> ComparisonReport {
        var baseline = baseline
        baseline.label = try tally.recording.label(ofBaseline: baseline.label)
        baseline.rules.unit = tally.evidenceUnit
        let order = try source.everyLabel()
        return ComparisonReport(
            ofRecorded: tally,
            against: baseline,
            toolVersion: context.toolVersion
        ) { report in
            report.resolverOrder = order
            report.selection = context.selection
            report.unreadPlaces = context.unreadPlaces
        }
    }
}
