import Analysis
package import Catalogue
import Failures
package import Samples

/// The context of every report over a window, in addition to its figures.
package struct WindowContext: Hashable, Sendable {
    package var toolVersion: String
    /// The requested window, without its end.
    package var window: Range<Timestamp>
    package var clock: LocalClock
    package var limits = HistoryLimits()
    /// The sentence on what to do if nothing was measured.
    package var advice: String?
    /// The requested part of the window, such as `over tls`; empty for all of it.
    package var selection = ""
    /// Sentences on places that could not be read and are excluded.
    package var unreadPlaces: [String] = []
    package var medium = ReportMedium.commandLine
    /// The resolvers of the whole history, which determine colours.
    package var order = ResolverOrder()
    /// The present time: later rounds cannot be missing.
    package var present: Timestamp?
    /// The time of `--until`. The window of samples files ends with their last sample, which may be earlier.
    var until: Timestamp?

    /// The time from which the age of the last round counts.
    var requestedEnd: Timestamp { until ?? window.upperBound }

    /// The days before the window, with which changes in the window are compared.
    var lead: Range<Timestamp> {
        window.lowerBound.advanced(by: .zero - Changes.lead)..<window.lowerBound
    }

    /// The time until which rounds can be missing.
    var gapsEnd: Timestamp { min(window.upperBound, present ?? window.upperBound) }

    /// The window in words, such as `2026-11-14 04:35 to 2026-11-21 04:35`.
    package var span: String {
        "\(clock.text(window.lowerBound)) to \(clock.text(window.upperBound))"
    }

    /// The name of the window's time zone, such as `CET/CEST`.
    package var zone: String { clock.name(from: window.lowerBound, to: window.upperBound) }

    /// The suffix of a time in a text, such as ` (UTC)`.
    var zoneNote: String { medium == .page ? "" : " (\(zone))" }

    /// The sentence that there is nothing to report, with the remedy.
    package var nothing: String {
        "Nothing was measured from \(span). \(medium.words(for: .chooseTimes(advice: advice)))"
    }

}

extension WindowContext {
    private static let usualLength = Duration.seconds(7 * 86_400)

    /// The window of `--since` and `--until`, on this system's clock. Without `since` the window has the
    /// length `last`, else all of `span` (the span of samples files), else 7 days.
    package init(
        since: String?,
        until: String,
        span: ClosedRange<Timestamp>? = nil,
        last length: Duration? = nil,
        now: Timestamp,
        toolVersion: String
    ) throws(CatalogueError) {
        func moments(_ clock: LocalClock) throws(CatalogueError) -> (Timestamp, Timestamp) {
            (
                try MomentText.parse(since ?? "now", option: "--since", now: now, clock: clock),
                try MomentText.parse(until, option: "--until", now: now, clock: clock)
            )
        }
        // A date needs a clock, and the offset of the clock depends on the date.
        let rough = try moments(.utc)
        let clock = LocalClock.system(from: min(rough.0, rough.1), to: max(rough.0, rough.1))
        var (start, end) = try moments(clock)
        let requestedEnd = end
        if since == nil {
            // A range without its end must contain the last sample too.
            if let last = span?.upperBound, until == "now" {
                end = last.advanced(by: .nanoseconds(1))
            }
            start = end.advanced(by: .zero - (length ?? Self.usualLength))
            if length == nil, let first = span?.lowerBound, first < end { start = first }
        }
        guard start < end else {
            throw CatalogueError(
                .usage,
                "--since (\(clock.text(start))) is not before --until (\(clock.text(end))): "
                    + "choose an earlier --since"
            )
        }
        self.init(
            toolVersion: toolVersion,
            window: start..<end,
            clock: .system(from: start, to: end)
        )
        present = now
        self.until = requestedEnd
    }
}
