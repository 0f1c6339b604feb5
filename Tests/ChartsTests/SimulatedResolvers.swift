import Fixtures
import Statistics

@testable import Charts

/// The answers of a simulated resolver. It uses only sums and products, so the results do not depend on the
/// rounding of a library.
struct SimulatedResolver {
    var label: String
    var role = ChartSubject.Role.other
    var base: Double
    var jitter: Double
    var loss = 0.0
    var misses = 0.0
    var missCost = 0.0

    func subject(rounds: Int, names: [String], seed: UInt64) -> ChartSubject {
        var random = SplitMix64(seed: seed)
        let series = names.map { name -> RoundSeries in
            (name: name, points: (1...rounds).map { (Double($0), time(&random)) })
        }
        let times = series.flatMap { $0.points.map(\.milliseconds) }
        let answers = times.compactMap(\.self)
        return ChartSubject(
            label: label,
            role: role,
            summary: .fixture(answers: answers, failed: times.count - answers.count),
            answers: AnswerTimes(answers),
            rounds: series
        )
    }

    private func time(_ random: inout SplitMix64) -> Double? {
        let (u, v, w, x) = (random.uniform(), random.uniform(), random.uniform(), random.uniform())
        if x < loss { return nil }
        let tail = v * v * v * v
        let miss = w < misses ? missCost * (0.6 + u) : 0
        return base + jitter * (u + 4 * tail) + miss
    }
}

extension Sheet {
    /// A sheet with a chart of every kind from the same resolvers' queries.
    init(title: String, subtitle: String = "", of subjects: [ChartSubject], footer: String = "") {
        self.init(
            title: title,
            subtitle: subtitle,
            charts: ChartKind.ofQueries.map { Chart($0, of: subjects) },
            footer: footer
        )
    }
}

extension [ChartSubject] {
    /// Six resolvers as in a lab: one is lossy, and one has slow cache misses.
    static func lab(rounds: Int = 100, names: Int = 10) -> [ChartSubject] {
        let resolvers = [
            SimulatedResolver(label: "meadow", role: .advised, base: 11, jitter: 3.4),
            SimulatedResolver(label: "brook", base: 11.2, jitter: 4),
            SimulatedResolver(label: "harbour", role: .current, base: 16, jitter: 8),
            SimulatedResolver(label: "hollow", base: 19, jitter: 5, misses: 0.12, missCost: 60),
            SimulatedResolver(label: "ridge", base: 31, jitter: 4),
            SimulatedResolver(label: "cliff", base: 10.9, jitter: 3.2, loss: 0.06),
        ]
        let names = (0..<names).map { "name-\($0 + 1).example" }
        return resolvers.enumerated().map {
            $1.subject(rounds: rounds, names: names, seed: UInt64($0 + 1))
        }
    }

    /// `count` resolvers, some of them lossy or without answers.
    static func crowd(_ count: Int, rounds: Int = 20, names: Int = 2) -> [ChartSubject] {
        let names = (0..<names).map { "name-\($0 + 1).example" }
        return (0..<count).map { index in
            let resolver = SimulatedResolver(
                label: "resolver-\(index + 1)@2001:db8:53:\(index)::53",
                role: index == count - 1 ? .current : .other,
                base: 8 + Double(index * index) / 9,
                jitter: 3,
                loss: index % 13 == 12 ? 1 : index % 9 == 8 ? 0.2 : 0
            )
            return resolver.subject(rounds: rounds, names: names, seed: UInt64(index + 100))
        }
    }
}

extension LatencySummary {
    /// A summary with the quantiles that charts show: the order statistic at ⌈n·p⌉.
    static func fixture(answers: [Double], failed: Int, timeout: Double = 5000) -> LatencySummary {
        var summary = LatencySummary(answers: answers, nonAnswers: failed, timeout: timeout)
        let sorted = answers.sorted()
        let total = answers.count + failed
        func quantile(_ percent: Int) -> Double? {
            let rank = (total * percent + 99) / 100
            return (1...max(sorted.count, 1)).contains(rank) && !sorted.isEmpty
                ? sorted[rank - 1] : nil
        }
        summary.p5 = quantile(5)
        summary.p25 = quantile(25)
        summary.median = quantile(50)
        summary.p75 = quantile(75)
        summary.p95 = quantile(95)
        return summary
    }
}
