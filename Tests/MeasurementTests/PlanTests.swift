import Catalogue
import DNSWire
import Failures
import Statistics
import Testing

@testable import Measurement
@testable import Samples

struct PlanTests {
    @Test func `a seed gives the published sequence`() {
        // Values from the tests of rand_xoshiro, which uses the reference implementations of
        // SplitMix64 and xoshiro256**.
        var random = RandomSequence(seed: 0)
        let first = (0..<4).map { _ in random.next() }
        #expect(
            first == [
                11_091_344_671_253_066_420, 13_793_997_310_169_335_082, 1_900_383_378_846_508_768,
                7_684_712_102_626_143_532,
            ]
        )
    }

    @Test func `the same seed gives the same plan, another seed a different plan`() throws {
        var plan = try Plan.example(targets: 5, questions: 4, rounds: 3)
        let probes = (1...3).map(plan.probes(inRound:))
        #expect(probes == (1...3).map(plan.probes(inRound:)))
        #expect(probes[0].map(\.target) != probes[1].map(\.target))
        plan.seed = 1
        #expect(probes[0] != plan.probes(inRound: 1))
    }

    @Test func `questions of a group go to a resolver at once, at the same pace`() throws {
        var plan = try Plan.example(targets: 4, questions: 9)
        let period = plan.period
        plan.questionsAtOnce = 3
        let probes = plan.probes(inRound: 1)
        #expect(plan.period == period)
        #expect(Set(probes.map { [$0.target, $0.question] }).count == 36)
        #expect(probes.map(\.offset) == probes.map(\.offset).sorted())
        for start in stride(from: 0, to: 36, by: 3) {
            let group = probes[start..<start + 3]
            #expect(Set(group.map(\.target)).count == 1 && Set(group.map(\.offset)).count == 1)
            #expect(group.map { $0.question % 3 } == [0, 1, 2])
        }
        #expect(try #require(probes.last).offset < plan.start(ofRound: 1) + plan.period)
    }

    @Test func `every target gets each question once per round, in blocks`() throws {
        let plan = try Plan.example(targets: 7, questions: 9)
        let probes = plan.probes(inRound: 1)
        #expect(Set(probes.map { [$0.target, $0.question] }).count == 63)
        #expect(probes.map(\.offset) == probes.map(\.offset).sorted())
        for block in stride(from: 0, to: 63, by: 7) {
            #expect(Set(probes[block..<block + 7].map(\.question)).count == 1)
        }
    }

    @Test func `each order of targets is equally likely`() throws {
        let plan = try Plan.example(targets: 4, questions: 5)
        var counts: [[Int]: Int] = [:]
        for round in 1...4800 {
            let probes = plan.probes(inRound: round)
            for block in stride(from: 0, to: 20, by: 4) {
                counts[probes[block..<block + 4].map(\.target), default: 0] += 1
            }
        }
        #expect(counts.count == 24)
        let chiSquare = counts.values.reduce(0.0) { $0 + Double(($1 - 1000) * ($1 - 1000)) / 1000 }
        // The 0.999 quantile of chi-square with 23 degrees of freedom.
        #expect(chiSquare < 49.728)
    }

    @Test(arguments: [
        (targets: 2, sharing: 1, rate: 5.0, total: 15.0),
        (targets: 6, sharing: 1, rate: 5, total: 15),
        (targets: 3, sharing: 2, rate: 2, total: 1000),
        (targets: 1000, sharing: 1, rate: 50, total: 200),
    ])
    func `no address exceeds its rate, and the total rate is never exceeded`(
        targets: Int,
        sharing: Int,
        rate: Double,
        total: Double
    ) throws {
        var plan = try Plan.example(targets: targets, questions: 20, rounds: 10)
        plan.targetGroups = (0..<targets).map { $0 < sharing ? -1 : $0 }
        plan.rate = rate
        plan.totalRate = total
        let probes = (1...10).flatMap(plan.probes(inRound:))
        let seconds = Double(plan.period.nanoseconds) * 10e-9
        #expect(Double(probes.count) / seconds <= total * 1.000_001)
        var sent: [Int: Int] = [:]
        for probe in probes { sent[plan.targetGroups[probe.target], default: 0] += 1 }
        let most = try #require(sent.values.max())
        #expect(Double(most) / seconds <= rate * 1.000_001)
        // The plan uses one of the two limits completely.
        let needed = max(Double(targets) / total, Double(sharing) / rate) * 200
        #expect(abs(seconds - needed) < 1e-3)
        for block in stride(from: 0, to: 20 * targets, by: targets) {
            let start = plan.blockLength * (block / targets)
            for probe in probes[block..<block + targets] {
                #expect(probe.offset >= start - .nanoseconds(targets))
                #expect(probe.offset <= start + plan.blockLength + .nanoseconds(targets))
            }
        }
    }

    @Test func `rounds start at the interval, or after the previous round`() throws {
        var plan = try Plan.example(targets: 3, questions: 10, rounds: 4)
        #expect(plan.period == .seconds(2))
        plan.interval = .seconds(30)
        plan.warmup = 1
        #expect(plan.roundNumbers == 0..<5)
        #expect(plan.start(ofRound: 0) == .zero)
        #expect(plan.start(ofRound: 1) == .seconds(2))
        #expect(plan.start(ofRound: 3) == .seconds(62))
        #expect(plan.estimatedDuration == .seconds(2 + 90 + 2))
        #expect(plan.probes(inRound: 3)[0].offset >= .seconds(62))
    }

    @Test(arguments: [(29, 1), (30, 1), (31, 2), (3600, 120)])
    func `a duration allows rounds that start before its end`(seconds: Int, rounds: Int) throws {
        var plan = try Plan.example(targets: 3, questions: 10)
        plan.interval = .seconds(30)
        #expect(plan.lasting(.seconds(seconds)).rounds == rounds)
    }

    private static let refusals: [(names: String, change: @Sendable (inout Plan) -> Void)] = [
        ("0 addresses", { $0.targetGroups = [] }),
        ("no resolver", { $0.targets = [] }),
        ("--domain", { $0.questions = [] }),
        ("--rounds 0", { $0.rounds = 0 }),
        ("--rounds 9223372036854775807", { $0.rounds = .max }),
        ("--rate 0.0", { $0.rate = 0 }),
        ("--rate nan", { $0.rate = .nan }),
        ("--total-rate inf", { $0.totalRate = .infinity }),
        ("--total-rate -1.0", { $0.totalRate = -1 }),
        ("--rate 1e-300", { $0.rate = 1e-300 }),
        ("100 years", { ($0.rate, $0.rounds) = (0.001, Int(Int32.max)) }),
        ("--timeout", { $0.timeout = .zero }),
        ("--interval", { $0.interval = .seconds(-1) }),
        ("--interval", { $0.interval = .seconds(Int64.max) }),
        ("--warmup -1", { $0.warmup = -1 }),
    ]

    @Test(arguments: refusals.indices)
    func `an impossible plan is rejected by option name, without a crash`(index: Int) throws {
        var plan = try Plan.example(targets: 2, questions: 2)
        _ = try plan.validated()
        Self.refusals[index].change(&plan)
        let error = #expect(throws: Failure.self) { try plan.validated() }
        #expect(error?.description.contains(Self.refusals[index].names) == true)
        _ = (plan.probes(inRound: 1), plan.estimatedDuration, plan.lasting(.seconds(1)))
    }
}
