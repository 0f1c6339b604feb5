import Analysis
package import Catalogue
import Failures
package import Samples

/// Context that every report over a window has beside its figures.
package struct WindowContext: Hashable, Sendable {
    package var toolVersion: String
    /// Window that was asked for; the end is not in it.
    package var window: Range<Timestamp>
    package var clock: LocalClock
    package var limits = HistoryLimits()
    /// Sentence on what to do where nothing was measured.
    package var advice: String?
    /// Part of the window that was asked for, such as `over tls`; empty where all of it was.
    package var selection = ""
    /// Sentences on places that could not be read and are left out.
    package var unreadPlaces: [String] = []
    package var medium = ReportMedium.commandLine
    /// The resolvers of the whole history, which colours follow.
    package var order = ResolverOrder()
    /// Later rounds cannot have been missed.
    package var present: Timestamp?

    /// The days before the window, with which changes in the window are compared.
    var lead: Range<Timestamp> {
        window.lowerBound.advanced(by: .zero - Changes.lead)..<window.lowerBound
    }

    /// Until when rounds may have been missed.
    var gapsEnd: Timestamp { min(window.upperBound, present ?? window.upperBound) }

    /// Such as `2026-11-14 04:35 to 2026-11-21 04:35`.
    package var span: String {
        "\(clock.text(window.lowerBound)) to \(clock.text(window.upperBound))"
    }

    /// Name that people have for the window's time, such as `CET/CEST`.
    package var zone: String { clock.name(from: window.lowerBound, to: window.upperBound) }

    /// Behind a time in a text, such as ` (UTC)`.
    var zoneNote: String { medium == .page ? "" : " (\(zone))" }

    /// That there is nothing to report, and what to do.
    package var nothing: String {
        "Nothing was measured from \(span). \(medium.words(for: .chooseTimes(advice: advice)))"
    }

}

extension WindowContext {
    private static let usualLength = Duration.seconds(7 * 86_400)

    /// From when to when, on this system's clock, as `--since` and `--until` say. Without `since` the window
    /// has the length `last`, else all of `span` (the span of samples files), else 7 days.
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
        // A date means something on a clock alone, and which one holds depends on the date.
        let rough = try moments(.utc)
        let clock = LocalClock.system(from: min(rough.0, rough.1), to: max(rough.0, rough.1))
        var (start, end) = try moments(clock)
        if since == nil {
            // So that a range without its end has the last moment too.
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
    }
}
