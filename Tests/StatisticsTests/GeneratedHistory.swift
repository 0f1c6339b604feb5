import Fixtures
import Foundation
import Statistics

/// Hours of a resolver from a model of real histories: a daily cycle of ±3 ms, a drift from day to day,
/// log-normal times, misses and losses.
struct GeneratedHistory {
    /// The path, which determines the base of the times, the scale of the jitter in milliseconds, and the
    /// deviation of its logarithm.
    enum Path: CaseIterable { case wired, wifi }

    var path: Path
    var days = 60
    var queriesPerHour = 30
    /// Additional milliseconds on weekends, and on Fridays.
    var weekend = 0.0
    var friday = 0.0
    /// The hour of a step, and its additional milliseconds.
    var step: (hour: Int, size: Double)?
    /// The hour from which losses increase, and the share of failures from this hour on.
    var losses: (hour: Int, share: Double)?
    /// Hours without queries.
    var gap = 0..<0

    func blocks(seed: UInt64) -> [HourlyBlock] {
        hours(seed: seed) { HourlyBlock(hour: $0, hourOfWeek: $0 % 168, answers: $1, failed: $2) }
    }

    /// Returns the same queries as sketches.
    func sketchedBlocks(seed: UInt64) -> [HourlyBlock] {
        hours(seed: seed) { hour, answers, failed in
            var sketch = LatencySketch()
            for answer in answers { sketch.insert(answer) }
            return HourlyBlock(hour: hour, hourOfWeek: hour % 168, sketch: sketch, failed: failed)
        }
    }

    private func hours<Hour>(seed: UInt64, make: (Int, [Double], Int) -> Hour) -> [Hour] {
        var source = SplitMix64(seed: seed)
        let (base, jitter, deviation) = path == .wired ? (15.0, 1.5, 0.8) : (12.0, 8.0, 0.7)
        var drift = 0.5 * source.normal()
        var hours: [Hour] = []
        for hour in 0..<(days * 24) {
            if hour % 24 == 0 {
                drift = 0.95 * drift + (1 - 0.95 * 0.95).squareRoot() * 0.5 * source.normal()
            }
            let cycle = 3 * sin(2 * .pi * Double(hour % 24) / 24)
            let day = hour / 24 % 7
            let extra =
                (step.map { hour >= $0.hour ? $0.size : 0 } ?? 0)
                + (day >= 5 ? weekend : day == 4 ? friday : 0)
            let loss = losses.map { hour >= $0.hour ? $0.share : 0.005 } ?? 0.005
            var answers: [Double] = []
            var failed = 0
            for _ in 0..<queriesPerHour {
                var time = base + drift + cycle + extra + jitter * exp(deviation * source.normal())
                if source.uniform() < 0.05 { time += 80 + 220 * source.uniform() }
                if source.uniform() < loss { failed += 1 } else { answers.append(time) }
            }
            if !gap.contains(hour) { hours.append(make(hour, answers, failed)) }
        }
        return hours
    }
}
