package import Samples

/// What every report over a window has beside its figures.
package struct WindowContext: Hashable, Sendable {
    package var toolVersion: String
    /// What was asked for; the end is not in it.
    package var window: Range<Timestamp>
    package var clock: LocalClock
    /// What the figures lack.
    package var limits = HistoryLimits()
    /// What to do where nothing was measured: a sentence.
    package var advice: String?
    /// Later rounds cannot have been missed.
    package var present: Timestamp?

    package init(toolVersion: String, window: Range<Timestamp>, clock: LocalClock) {
        self.toolVersion = toolVersion
        self.window = window
        self.clock = clock
    }

    /// Until when rounds may have been missed.
    var gapsEnd: Timestamp { min(window.upperBound, present ?? window.upperBound) }

    /// Such as `2026-11-14 04:35 to 2026-11-21 04:35`.
    var span: String { "\(clock.text(window.lowerBound)) to \(clock.text(window.upperBound))" }

    /// What people call the window's time, such as `CET/CEST`.
    var zone: String { clock.name(from: window.lowerBound, to: window.upperBound) }

    /// That there is nothing to report, and what to do.
    var nothing: String {
        "Nothing was measured from \(span). \(advice ?? "Choose another --since.")"
    }
}
