package import Failures

/// The time between rounds: an hour or a day divided by a whole number, as the fields of cron
/// require.
package struct ScheduleInterval: Hashable, Sendable, CustomStringConvertible {
    package let minutes: Int

    /// All intervals, the shortest first: 1m to 30m, 1h to 12h, and 1d.
    package static let all: [ScheduleInterval] =
        (1...30).filter { 60 % $0 == 0 }.map(Self.init(minutes:))
        + (1...24).filter { 24 % $0 == 0 }.map { Self(minutes: 60 * $0) }

    private init(minutes: Int) { self.minutes = minutes }

    /// Accepts a `duration` that is an interval. The error names the nearest one or two intervals.
    package init(_ duration: Duration, written text: String) throws(Failure) {
        if let exact = Self.all.first(where: { $0.duration == duration }) {
            self = exact
            return
        }
        let nearest = Self.nearest(to: duration).map(\.description)
        throw .usage(
            "--every \(text.printable): \(Self.reason(against: duration)); the nearest that cron "
                + (nearest.count == 1 ? "has is " : "has are ") + nearest.joined(separator: " and ")
        )
    }

    init?(_ text: Substring) {
        guard let known = Self.all.first(where: { $0.description == text }) else { return nil }
        self = known
    }

    /// Text such as `5m`, `2h` or `1d`.
    package var description: String {
        minutes == 1440 ? "1d" : minutes % 60 == 0 ? "\(minutes / 60)h" : "\(minutes)m"
    }

    package var duration: Duration { .seconds(60 * minutes) }

    /// The interval that differs least from `duration`, or two intervals with the same difference.
    private static func nearest(to duration: Duration) -> [ScheduleInterval] {
        let distances = all.map { interval in
            let difference = interval.duration - duration
            return difference < .zero ? .zero - difference : difference
        }
        let least = distances.min()
        return zip(all, distances).filter { $0.1 == least }.map(\.0)
    }

    private static func reason(against duration: Duration) -> String {
        if duration < .seconds(60) { return "cron runs nothing more often than once a minute" }
        if duration > .seconds(86_400) { return "it is longer than a day" }
        if duration < .seconds(3600) { return "it does not divide an hour into whole minutes" }
        return "it does not divide a day into whole hours"
    }
}
