import Catalogue
import Foundation
import Samples
import Statistics
import Synchronization
import Testing

@testable import Measurement

struct PoissonTests {
    private let simulation = Simulation()
    private let start = Simulation.start

    private static func plan(
        targets: Int = 3,
        questions: Int = 10,
        rounds: Int = 1000,
        seed: UInt64 = 8912
    ) throws -> Plan {
        var plan = try Plan.example(targets: targets, questions: questions, rounds: rounds)
        (plan.sampling, plan.seed) = (.poisson, seed)
        return plan
    }

    private static func turns(_ plan: Plan) -> [PoissonSchedule.Turn] {
        var schedule = PoissonSchedule(plan)
        return Array(AnyIterator { schedule.next() })
    }

    /// Returns the gaps before the queries to `target`, in seconds. The first gap begins at the
    /// start of the first round.
    private static func gaps(_ probes: [Probe], of target: Int, in plan: Plan) -> [Double] {
        let times = probes.filter { $0.target == target }.map { $0.offset.inSeconds }
        return zip([plan.start(ofRound: 1).inSeconds] + times, times).map { $1 - $0 }
    }

    @Test(arguments: [1, 2, 8912] as [UInt64])
    func `gaps are exponential and cut at the limit`(seed: UInt64) throws {
        let plan = try Self.plan(seed: seed)
        let critical = try Reference.critical(count: 10_000, p: 0.01)
        let probes = Self.turns(plan).map(\.probe)
        for target in plan.targets.indices {
            let parameters = plan.gaps(ofTarget: target)
            let gaps = Self.gaps(probes, of: target, in: plan)
            #expect(gaps.count == 10_000)
            #expect(Reference.statistic(gaps, parameters) < critical)
            #expect(gaps.allSatisfy { $0 <= parameters.truncation + 1e-9 })
        }
    }

    @Test func `the test rejects the gaps of periodic sampling`() throws {
        let plan = try Plan.example(targets: 3, questions: 10, rounds: 1000)
        let probes = (1...1000).flatMap(plan.probes(inRound:))
        let gaps = Self.gaps(probes, of: 1, in: plan)
        let critical = try Reference.critical(count: 10_000, p: 0.001)
        #expect(Reference.statistic(gaps, plan.gaps(ofTarget: 1)) > 5 * critical)
    }

    @Test func `the distribution and its test match SciPy`() throws {
        let gaps = PoissonGaps(mean: 0.2 * (1 - exp(-10)))
        #expect(gaps.reciprocalLambda == 0.2 && gaps.truncation == 2)
        for row in try Reference.rows("share") {
            #expect(abs(Reference.share(row[0], gaps) - row[1]) < 1e-12)
        }
        let row = try #require(try Reference.rows("statistic").first)
        #expect(abs(Reference.statistic(Array(row.dropFirst()), gaps) - row[0]) < 1e-12)
    }

    @Test(arguments: [1e-5, 0.01, 0.0667, 0.2, 1, 300])
    func `the mean of limited gaps is at least the mean that the pace requires`(mean: Double) {
        let gaps = PoissonGaps(mean: mean)
        let (unit, limit) = (gaps.reciprocalLambda, gaps.truncation)
        #expect(unit * (1 - exp(-limit / unit)) >= mean * (1 - 1e-9))
        #expect(unit <= mean * 1.0001 + 1.01e-4)
        // RFC 8912 §6.3.5: decimal64 with four fraction digits.
        for value in [unit, limit] { #expect(abs(value * 1e4 - (value * 1e4).rounded()) < 1e-6) }
    }

    @Test(arguments: [(targets: 1, rate: 5.0, total: 15.0), (6, 5, 15), (3, 50, 20)])
    func `streams keep both rates on average`(targets: Int, rate: Double, total: Double) throws {
        var plan = try Self.plan(targets: targets)
        (plan.rate, plan.totalRate) = (rate, total)
        let mean = plan.gaps(ofTarget: 0).reciprocalLambda
        #expect(1 / mean <= rate && Double(targets) / mean <= total)
        plan.targetGroups = plan.targets.indices.map { _ in 0 }
        let shared = plan.gaps(ofTarget: 0).reciprocalLambda
        #expect(Double(targets) / shared <= min(rate, total))
    }

    @Test func `every target gets each question once per round, even if rounds overlap`() throws {
        let plan = try Self.plan(targets: 4, questions: 3, rounds: 200)
        let turns = Self.turns(plan)
        #expect(turns.map(\.probe.offset) == turns.map(\.probe.offset).sorted())
        let rounds = Dictionary(grouping: turns, by: \.probe.round)
        #expect(rounds.count == 200)
        for round in rounds.values {
            #expect(Set(round.map { [$0.probe.target, $0.probe.question] }).count == 12)
            #expect(round.map(\.position) == Array(0..<12))
            #expect(round.map(\.opens) == [12] + [Int?](repeating: nil, count: 11))
            for target in 1..<4 {
                let orders = [0, target].map { target in
                    round.filter { $0.probe.target == target }.map(\.probe.question)
                }
                #expect(orders[0] == orders[1])
            }
        }
        let opened = turns.filter { $0.opens != nil }.map(\.probe.round)
        #expect(opened == Array(1...200))
        #expect(turns.map(\.probe.round) != turns.map(\.probe.round).sorted())
        #expect(turns == Self.turns(plan))
        #expect(turns != Self.turns(try Self.plan(targets: 4, questions: 3, rounds: 200, seed: 1)))
    }

    @Test func `the estimated duration includes the last query`() throws {
        for seed in 1...50 as ClosedRange<UInt64> {
            let plan = try Self.plan(targets: 2, questions: 5, rounds: 20, seed: seed)
            let last = try #require(Self.turns(plan).last).probe.offset
            #expect(last < plan.estimatedDuration)
        }
        var plan = try Self.plan(targets: 2, questions: 5, rounds: 20)
        plan.interval = .seconds(30)
        #expect(abs(plan.gaps(ofTarget: 0).reciprocalLambda - 6) < 0.001)
        #expect(plan.lasting(.seconds(300)).rounds == 10)
    }

    @Test func `queries leave as planned, even after a silent resolver`() async throws {
        var plan = try Self.plan(targets: 3, questions: 4, rounds: 50)
        plan.warmup = 1
        let numbers = Mutex<[Int32]>([])
        let result = await simulation.measure(
            plan,
            onRound: { round in numbers.withLock { $0.append(round.rounds[0].number) } }
        ) { [simulation] probe, _ in
            guard probe.target == 0 else { return Observation(outcome: .answered) }
            try? await simulation.sleep(for: .seconds(5))
            return Observation(outcome: .timeout)
        }
        #expect(result.wholeRounds == 50 && !result.interrupted)
        #expect(numbers.withLock { $0 } == Array(1...50))
        #expect(result.samplingStart == start.advanced(by: plan.start(ofRound: 1)))
        #expect(result.recording.samples.allSatisfy { $0.observation.lateness == 0 })
        let planned = Self.turns(plan).map { start.advanced(by: $0.probe.offset) }
        #expect(result.recording.samples.map(\.scheduled).sorted() == planned)
    }

    @Test func `an open run ends with complete rounds`() async throws {
        var plan = try Self.plan(targets: 3, questions: 2, rounds: 100)
        plan.isOpenEnded = true
        let result = await simulation.measure(plan, choice: { $0 <= 40 ? .whole : .end }) { _, _ in
            Observation(outcome: .answered)
        }
        #expect(result.wholeRounds == 40 && !result.interrupted)
        #expect(result.recording.samples.count == 40 * 6)
    }

    @Test func `a single round of a schedule has its own gaps at the pace`() async throws {
        var plan = try Self.plan(targets: 2, questions: 5, rounds: 1)
        plan.interval = .seconds(300)
        let runner = Runner(plan: plan, run: .example, start: start)
        var gaps: [Duration] = []
        for number in 1...2 {
            let round = await withTaskExecutorPreference(simulation) {
                await runner.round(number, on: simulation) { _, _ in
                    Observation(outcome: .answered)
                }
            }
            let samples = try #require(round).samples
            #expect(samples.count == 10)
            let times = samples.map(\.scheduled)
            gaps.append(try #require(times.max()).since(start))
        }
        #expect(gaps[0] != gaps[1])
        #expect(gaps.allSatisfy { $0 < .seconds(20) })
    }
}

/// SciPy's values for the gaps, and their Kolmogorov-Smirnov test in Swift (Kolmogorov 1933;
/// Smirnov 1948).
private enum Reference {
    static func rows(_ kind: String) throws -> [[Double]] {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "Reference/poisson.tsv")
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        let cells = lines.map { $0.split(separator: "\t") }.filter { $0[0] == kind }
        return cells.map { $0.dropFirst().compactMap { Double($0) } }
    }

    static func critical(count: Int, p: Double) throws -> Double {
        try #require(try rows("critical").first { $0[0] == Double(count) && $0[1] == p })[2]
    }

    /// Returns the share of gaps that are at most `gap` seconds.
    static func share(_ gap: Double, _ gaps: PoissonGaps) -> Double {
        gap < gaps.truncation - 1e-9 ? 1 - exp(-gap / gaps.reciprocalLambda) : 1
    }

    /// Returns the greatest distance between the observed shares of `values` and the expected
    /// shares.
    static func statistic(_ values: [Double], _ gaps: PoissonGaps) -> Double {
        let sorted = values.sorted()
        let count = Double(sorted.count)
        return sorted.enumerated().map { rank, value in
            let expected = share(value, gaps)
            return max(expected - Double(rank) / count, Double(rank + 1) / count - expected)
        }.max() ?? 1
    }
}
