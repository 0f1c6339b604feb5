import DNSWire
import Failures
import Measurement
import Samples
import Testing

struct UncachedPlanTests {
    /// Returns a plan of resolvers in both series, with `cached` names and five zones.
    private func plan(targets count: Int, rounds: Int, cached: Int = 3) throws -> Plan {
        let targets = [Series.cached, .uncached].flatMap { series in
            (0..<count).map {
                Recording.Target(
                    label: "r\($0)",
                    endpoint: "192.0.2.\($0):53",
                    transport: "udp",
                    series: series
                )
            }
        }
        var plan = Plan(
            targets: cached > 0 ? targets : Array(targets[count...]),
            targetGroups: Array(0..<count) + (cached > 0 ? Array(0..<count) : []),
            questions: try (0..<cached).map {
                Question(name: try DomainName("n\($0).example"), type: .a)
            },
            zones: try (0..<5).map {
                Question(name: try DomainName("z\($0).example").wildcard(), type: .a)
            }
        )
        plan.rounds = rounds
        plan.warmup = 1
        return plan
    }

    @Test func `each series asks its own questions, and the warm-up asks the cached ones`() throws {
        let plan = try plan(targets: 4, rounds: 3)
        for round in plan.roundNumbers {
            let probes = plan.probes(inRound: round)
            #expect(probes.count == (round < 1 ? 12 : 32))
            for probe in probes {
                #expect(
                    plan.series(ofQuestion: probe.question) == plan.targets[probe.target].series
                )
            }
            #expect(Set(probes.map { [$0.target, $0.question] }).count == probes.count)
        }
        #expect(plan.probeCount == 96)
    }

    @Test(arguments: [(1, 3, 20.0), (4, 3, 5), (3, 0, 1000), (30, 3, 2)])
    func `a zone is queried once a second at most`(targets: Int, cached: Int, rate: Double) throws {
        var plan = try plan(targets: targets, rounds: 6, cached: cached)
        plan.rate = rate
        plan.totalRate = rate * Double(targets)
        var last: [[Int]: Duration] = [:]
        for round in 1...6 {
            for probe in plan.probes(inRound: round)
            where plan.series(ofQuestion: probe.question) == .uncached {
                let place = [probe.target, probe.question]
                if let before = last[place] {
                    #expect(probe.offset - before >= .seconds(0.999_999))
                }
                last[place] = probe.offset
            }
        }
        #expect(last.count == targets * 5)
    }

    @Test func `the uncached series ends at its limit, and the cached series gets faster`() throws {
        let plan = try plan(targets: 2, rounds: 100).limitingUncached(to: 240)
        #expect(plan.uncachedRounds == 48)
        let all = (1...100).flatMap { plan.probes(inRound: $0) }
        let uncached = all.filter { plan.targets[$0.target].series == .uncached }
        #expect(uncached.count == 2 * 240)
        #expect(all.count == plan.probeCount)
        #expect(all.map(\.offset) == all.map(\.offset).sorted())
        #expect(plan.start(ofRound: 60) - plan.start(ofRound: 59) < plan.period)
        #expect(plan.estimatedDuration >= (all.last?.offset ?? .zero))
        let sixty = plan.start(ofRound: 61) - plan.start(ofRound: 1) - .milliseconds(1)
        #expect(plan.lasting(sixty).rounds == 60)
    }

    @Test func `without a cached series, the run ends at the limit`() throws {
        #expect(try plan(targets: 2, rounds: 100, cached: 0).limitingUncached().rounds == 50)
        let plan = try plan(targets: 2, rounds: 1)
        #expect(throws: Failure.self) { try plan.limitingUncached(to: 4) }
        #expect(plan.uncachedInterval() == .seconds(72))
    }

    @Test func `an uncached series without a zone is rejected with the option's name`() throws {
        var plan = try plan(targets: 1, rounds: 1)
        plan = Plan(targets: plan.targets, targetGroups: [0, 0], questions: plan.questions)
        let error = #expect(throws: Failure.self) { try plan.validated() }
        #expect(error?.description.contains("--zone") == true)
    }
}
