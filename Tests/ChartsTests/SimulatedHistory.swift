import Fixtures
import Statistics

@testable import Charts

/// The hourly results of a simulated resolver over months. It is slower by day, and has a step, an outage and
/// hours without measurements. It uses only sums and products, so the results do not depend on the rounding
/// of a library.
struct SimulatedHistory {
    /// Monday, 2 March 2026, 00:00 UTC.
    static let start: Int64 = 1_772_409_600

    var label: String
    var role = ChartSubject.Role.other
    var base: Double
    var jitter: Double
    var swing = 3.0
    var loss = 0.0
    var misses = 0.0
    /// From this hour on, times increase by this number of milliseconds.
    var step: (hour: Int, milliseconds: Double)?
    /// Hours without any answer, and hours without any query.
    var outage: Range<Int> = 0..<0
    var asleep: Range<Int> = 0..<0
    var marks: [TimeMark] = []

    func subject(hours: Int, queries: Int = 120, seed: UInt64) -> ChartSubject {
        var random = SplitMix64(seed: seed)
        let bins = (0..<hours).compactMap { hour -> TimeBin? in
            var latency = LatencyTally()
            for _ in 0..<queries {
                let time = time(hour, &random)
                if let time, !outage.contains(hour) {
                    latency.insert(answer: time)
                } else {
                    latency.insertNonAnswer()
                }
            }
            let start = Self.start + Int64(hour) * 3600
            return asleep.contains(hour)
                ? nil : TimeBin(start: start, length: 3600, latency: latency)
        }
        return ChartSubject(
            label: label,
            role: role,
            summary: .fixture(bins),
            bins: bins,
            marks: marks
        )
    }

    private func time(_ hour: Int, _ random: inout SplitMix64) -> Double? {
        let (u, v, w, x) = (random.uniform(), random.uniform(), random.uniform(), random.uniform())
        if x < loss { return nil }
        let ofDay = Double(hour % 24)
        let evening = max(0, 1 - abs(ofDay - 20) / 6) * (hour / 24 % 7 >= 5 ? 1.6 : 1)
        let moved = step.map { hour >= $0.hour ? $0.milliseconds : 0 } ?? 0
        let tail = v * v * v * v
        let miss = w < misses ? 40 * (0.6 + u) : 0
        return base + moved + swing * evening + jitter * (1 + evening / 2) * (u + 4 * tail) + miss
    }
}

extension LatencySummary {
    /// A summary of everything in `bins`.
    static func fixture(_ bins: [TimeBin], timeout: Double = 5000) -> LatencySummary {
        bins.reduce(into: LatencyTally()) { $0.merge($1.latency) }.summary(timeout: timeout)
    }
}

extension [ChartSubject] {
    /// Six resolvers, all with two days without measurements. One has an outage, and one has a step of 5 ms
    /// after two thirds of the hours. One has losses, and one has slow cache misses.
    static func months(hours: Int = 1440, queries: Int = 120) -> [ChartSubject] {
        let asleep = (hours / 5)..<(hours / 5 + 48)
        let changed = hours * 2 / 3
        let change = TimeMark(
            moment: SimulatedHistory.start + Int64(changed) * 3600,
            label: "5.0 ms slower"
        )
        let site = TimeMark(
            .site,
            moment: SimulatedHistory.start + Int64(hours / 2) * 3600,
            label: "site ams01 → fra04",
            detail: "moved from the site ams01 to fra04"
        )
        let resolvers = [
            SimulatedHistory(label: "meadow", role: .advised, base: 11, jitter: 3.4),
            SimulatedHistory(
                label: "brook",
                base: 11.2,
                jitter: 4,
                step: (changed, 5),
                marks: [change]
            ),
            SimulatedHistory(label: "harbour", role: .current, base: 16, jitter: 8, swing: 7),
            SimulatedHistory(label: "hollow", base: 19, jitter: 5, misses: 0.12, marks: [site]),
            SimulatedHistory(
                label: "ridge",
                base: 31,
                jitter: 4,
                outage: (hours / 2)..<(hours / 2 + 7)
            ),
            SimulatedHistory(label: "cliff", base: 10.9, jitter: 3.2, loss: 0.02),
        ]
        return resolvers.enumerated().map { index, resolver in
            var resolver = resolver
            resolver.asleep = asleep
            return resolver.subject(hours: hours, queries: queries, seed: UInt64(index + 1))
        }
    }
}

extension TimeScale {
    /// A window of `hours` hours with one tick per week.
    static func weeks(hours: Int) -> TimeScale {
        let start = SimulatedHistory.start
        let every = max(1, hours / 168 / 9)
        return TimeScale(
            window: start..<(start + Int64(hours) * 3600),
            ticks: stride(from: 0, to: hours, by: 168 * every).map {
                TimeMark(moment: start + Int64($0) * 3600, label: "week \($0 / 168 + 10)")
            },
            offsets: [(start, 3600)],
            clockChanges: ["Sunday, 29 March, 23 hours long"]
        )
    }
}
