import Foundation
import Statistics

/// The hours of one resolver that the reference and the tests both generate.
struct LevelSeries: Sendable {
    /// The first hour of every series, since 1970 in UTC.
    static let firstHour = 20454 * 24

    struct Hour: Sendable {
        var hour: Int
        var value: Double
        var hourOfWeek: Int
    }

    var name: String
    var hours: [Hour]

    /// Creates a series from sines, without random numbers. `added` returns the milliseconds that are added
    /// to an hour. `skew` is the hour from which the clock of the hours of the week is an hour fast.
    init(
        _ name: String,
        days: Int = 60,
        level: Double = 15,
        phase: Double = 0,
        skew: Int = .max,
        added: (Int) -> Double = { _ in 0 },
        keep: (Int) -> Bool = { _ in true }
    ) {
        self.name = name
        hours = (0..<(days * 24)).filter(keep).map { index in
            let local = index + (index >= skew ? 1 : 0)
            let evening = max(0, sin(Double(local % 24 - 12) * .pi / 12))
            let fast = 0.6 * sin(Double(index) * 0.7)
            let slow = 0.5 * sin(Double(index * index) * 0.013 + phase)
            return Hour(
                hour: Self.firstHour + index,
                value: level + fast + slow + 1.5 * evening * evening + added(index),
                hourOfWeek: (Self.firstHour + 72 + local) % 168
            )
        }
    }

    /// Returns the incidents of the first hours of the series.
    func scanned(hours count: Int = .max) -> LevelIncidents {
        var incidents = LevelIncidents()
        for hour in hours.prefix(count) { incidents.add(hour) }
        return incidents
    }
}

extension LevelIncidents {
    mutating func add(_ hour: LevelSeries.Hour) {
        add(hour: hour.hour, value: hour.value, hourOfWeek: hour.hourOfWeek)
    }
}

extension LevelSeries {
    /// The series of the reference, by their names.
    static let all =
        changes + compounds + patterns + resolvers + [tail]
        + randomSeeds.map { random(seed: $0) }

    static func named(_ name: String) -> LevelSeries? { all.first { $0.name == name } }

    /// Milliseconds of a rise of 9 ms over 26 days.
    private static func rise(_ index: Int) -> Double {
        9.0 / 624 * Double(min(max(index - 500, 0), 624))
    }

    private static func step(_ index: Int, _ size: Double, from: Int, to: Int = .max) -> Double {
        (from..<to).contains(index) ? size : 0
    }

    private static let changes = [
        LevelSeries("quiet"),
        LevelSeries("step") { step($0, 5, from: 720) },
        LevelSeries("step below the band") { step($0, 1.2, from: 720) },
        LevelSeries("faster") { step($0, -4, from: 720) },
        LevelSeries("episode of 3 h", days: 45) { step($0, 8, from: 720, to: 723) },
        LevelSeries("episode of a week") { step($0, 4, from: 720, to: 888) },
        LevelSeries("drift of 9 ms in 26 days", added: rise),
        LevelSeries("drift that goes on", days: 45) { 0.5 / 24 * Double(max($0 - 600, 0)) },
        LevelSeries("staircase") { index in
            [720, 800, 900].reduce(0) { $0 + step(index, 5, from: $1) }
        },
        LevelSeries("overlap") {
            step($0, 6, from: 720, to: 816) + step($0, 8, from: 760, to: 800)
        },
        LevelSeries("drift with an episode") { rise($0) + step($0, 10, from: 800, to: 824) },
        LevelSeries("far", level: 180) {
            step($0, 25, from: 720) + step($0, -15, from: 1000)
        },
    ]

    /// Milliseconds that increase evenly from 0 to `size` between two hours.
    private static func ramp(_ index: Int, _ size: Double, from: Int, to: Int) -> Double {
        size * Double(min(max(index, from), to) - from) / Double(to - from)
    }

    private static let compounds = [
        LevelSeries("drift with a step", days: 70) { rise($0) + step($0, 10, from: 800) },
        LevelSeries("return in two steps", days: 45) {
            step($0, 8, from: 720, to: 800) + step($0, -4, from: 760, to: 800)
        },
        LevelSeries("step in two stages", days: 45) {
            step($0, 3, from: 720) + ramp($0, 4, from: 724, to: 784)
        },
        LevelSeries("drift after a step", days: 45) {
            step($0, 4, from: 720) + ramp($0, 6, from: 724, to: 804)
        },
        LevelSeries("drift that steepens", days: 90) {
            ramp($0, 0.15 / 24 * 1100, from: 500, to: 1600)
                + ramp($0, 0.5 / 24 * 400, from: 1200, to: 1600)
        },
    ]

    /// Milliseconds by which weekends are slower.
    private static func weekend(_ index: Int) -> Double {
        (firstHour + 72 + index) % 168 >= 120 ? 4 : 0
    }

    private static let patterns = [
        LevelSeries("gap of ten days") {
            step($0, 5, from: 800)
        } keep: {
            !(790..<1030).contains($0)
        },
        LevelSeries("night only") {
            step($0, 5, from: 720)
        } keep: {
            $0 % 24 < 8
        },
        LevelSeries("few data", days: 3) { step($0, 5, from: 40) },
        LevelSeries("two weeks", days: 14) { step($0, 5, from: 200) },
        LevelSeries("clock change", skew: 720),
        LevelSeries("change in the first days") {
            step($0, 30, from: 20, to: 60) + step($0, 5, from: 400)
        },
        LevelSeries("return from a noisy level", level: 20) {
            step($0, 4, from: 700, to: 800) + 1.6 * sin(Double($0 * $0) * 0.37)
        },
        LevelSeries("weekend", added: weekend),
        LevelSeries("weekend at first", added: weekend) { $0 >= 48 },
    ]

    /// Five resolvers that became slower in the same week.
    private static let resolvers = (0..<5).map { number in
        let (name, phase) = ("resolver \(number)", Double(number))
        return LevelSeries(name, level: 12 + 6 * phase, phase: phase) { index in
            let week = step(index, 4 + phase, from: 720, to: 888)
            return number == 2 ? week + step(index, 6, from: 1100) : week
        }
    }

    /// The p90 of a resolver whose median stays at 20 ms.
    private static let tail = LevelSeries("p90", level: 20) { 4 + step($0, 9, from: 720) }
}

extension LevelSeries {
    /// Seeds whose series contain all kinds of rows.
    static let randomSeeds: [UInt64] = [1, 4, 6, 14, 20, 24, 28, 68, 99, 129, 185, 196]

    /// Returns a series with random noise and up to five random changes.
    static func random(seed: UInt64) -> LevelSeries {
        var source = CongruentialGenerator(state: seed)
        for _ in 0..<3 { _ = source.below(1) }
        let count = (30 + source.below(50)) * 24
        let level = [8.0, 15, 30, 180][source.below(4)]
        let noise = [0.2, 0.6, 2][source.below(3)]
        let weekend = [0.0, 0, 4][source.below(3)]
        let hasGaps = source.below(4) == 0
        let added = changes(of: count, from: &source)
        var series = LevelSeries("random \(seed)", days: 0)
        var walk = 0.0
        for index in 0..<count {
            let sum = source.below(1000) + source.below(1000) + source.below(1000)
            walk = 0.9 * walk + noise * (Double(sum) / 1000 - 1.5)
            let bump = Double(source.below(50) == 0 ? source.below(6000) : 0) / 1000
            if hasGaps && source.below(10) < 3 { continue }
            let hourOfWeek = (72 + index) % 168
            let usual = level + walk + bump + added[index]
            series.hours.append(
                Hour(
                    hour: firstHour + index,
                    value: usual + (hourOfWeek >= 120 ? weekend : 0),
                    hourOfWeek: hourOfWeek
                )
            )
        }
        return series
    }

    /// Returns the milliseconds that random changes add to each hour.
    private static func changes(
        of count: Int,
        from source: inout CongruentialGenerator
    ) -> [Double] {
        var added = [Double](repeating: 0, count: count)
        for _ in 0..<source.below(6) {
            let kind = source.below(4)
            let start = source.below(count)
            let sign = source.below(2) == 0 ? -1.0 : 1
            let size = sign * [2.5, 4, 6, 10][source.below(4)]
            let length = [2, 4, 12, 48, 168, 300][source.below(6)]
            for age in 0..<(count - start) {
                added[start + age] += size * share(kind, age: age, length: length)
            }
        }
        return added
    }

    /// Returns the part of a change's size after `age` hours: of a step, an episode, a drift, or an episode in
    /// an episode.
    private static func share(_ kind: Int, age: Int, length: Int) -> Double {
        let inner = (length / 4)..<(length / 2)
        return switch kind {
        case 0: 1
        case 1: age < length ? 1 : 0
        case 2: min(1, Double(age) / Double(4 * length))
        default: (age < length ? 1 : 0) + (inner.contains(age) ? 1 : 0)
        }
    }
}
