import DNSWire
import Samples
import Testing

@testable import Measurement

struct VolleyTests {
    /// Returns the blocks of a round. A block contains one question to all targets.
    private func blocks(of plan: Plan, round: Int) -> [[Probe]] {
        plan.probes(inRound: round).reduce(into: []) { blocks, probe in
            if blocks.last?.last?.question == probe.question {
                blocks[blocks.count - 1].append(probe)
            } else {
                blocks.append([probe])
            }
        }
    }

    /// Returns the largest group of queries in a block that are sent at the same time.
    private func atOnce(_ block: [Probe]) -> [Probe] {
        Dictionary(grouping: block, by: \.offset).values.max { $0.count < $1.count } ?? []
    }

    @Test func `one of two blocks sends all queries at once, and the seed selects it`() throws {
        let plan = try Plan.example(targets: 5, questions: 10, rounds: 200)
        var first = 0
        for round in 1...200 {
            let blocks = blocks(of: plan, round: round)
            let isVolley = blocks.map { atOnce($0).count == 5 }
            for pair in stride(from: 0, to: 10, by: 2) {
                #expect(isVolley[pair] != isVolley[pair + 1])
                if isVolley[pair] { first += 1 }
            }
            for (place, block) in blocks.enumerated() {
                #expect(Set(block.map(\.target)) == Set(0..<5))
                let start = plan.start(ofRound: round) + plan.blockLength * place
                for (slot, probe) in block.enumerated() {
                    let share = (probe.offset - start) / plan.blockLength
                    #expect(
                        isVolley[place] ? (0.25...0.75).contains(share) : Int(share * 5) == slot
                    )
                }
            }
        }
        // Half of 1,000, with a tolerance of four standard deviations of 16.
        #expect((436...564).contains(first))
    }

    @Test func `each order within a volley is equally likely`() throws {
        let plan = try Plan.example(targets: 3, questions: 2)
        var counts: [[Int]: Int] = [:]
        for round in 1...6000 {
            for block in blocks(of: plan, round: round) where atOnce(block).count == 3 {
                counts[block.map(\.target), default: 0] += 1
            }
        }
        let chiSquare = counts.values.reduce(0.0) { $0 + Double(($1 - 1000) * ($1 - 1000)) / 1000 }
        // The 0.999 quantile of chi-square with 5 degrees of freedom.
        #expect(counts.count == 6 && chiSquare < 20.515)
    }

    @Test func `two labels of one address are never queried at the same time`() throws {
        var plan = try Plan.example(targets: 6, questions: 4)
        plan.targetGroups = [7, 7, 8, 9, 9, 9]
        var members: [Int: Int] = [:]
        for round in 1...100 {
            let volleys = blocks(of: plan, round: round).map(atOnce).filter { $0.count > 1 }
            #expect(volleys.count == 2)
            for volley in volleys {
                #expect(Set(volley.map { plan.targetGroups[$0.target] }) == [7, 8, 9])
                #expect(volley.count == 3)
                for probe in volley { members[probe.target, default: 0] += 1 }
            }
        }
        // Each label is in some volleys.
        #expect(members.count == 6 && members[2] == 200)
        plan.targetGroups = [Int](repeating: 1, count: 6)
        #expect(blocks(of: plan, round: 1).allSatisfy { atOnce($0).count == 1 })
    }

    @Test func `a query that opens a connection is not simultaneous`() throws {
        var plan = try Plan.example(targets: 4, questions: 2)
        plan.targets[0].series = .first
        plan.targets[3].series = .first
        let volleys = blocks(of: plan, round: 1).map(atOnce).filter { $0.count > 1 }
        #expect(volleys.map { Set($0.map(\.target)) } == [[1, 2]])
    }

    @Test func `a warm-up has no simultaneous queries`() throws {
        var plan = try Plan.example(targets: 4, questions: 6)
        plan.warmup = 2
        for round in -1...0 {
            #expect(blocks(of: plan, round: round).allSatisfy { atOnce($0).count == 1 })
        }
    }

    @Test func `the number of simultaneous queries is bounded`() throws {
        let plan = try Plan.example(targets: 100, questions: 2)
        let volleys = blocks(of: plan, round: 3).map(atOnce).filter { $0.count > 1 }
        #expect(volleys.map(\.count) == [16])
        let probes = plan.probes(inRound: 3)
        #expect(probes.map(\.offset) == probes.map(\.offset).sorted())
    }

    @Test(arguments: [(2, 1), (3, 1), (6, 1), (6, 3), (40, 1)])
    func `no second exceeds the permitted burst`(targets: Int, sharing: Int) throws {
        var plan = try Plan.example(targets: targets, questions: 10, rounds: 100)
        plan.targetGroups = (0..<targets).map { $0 < sharing ? -1 : $0 }
        var sent: [Int: [Duration]] = [:]
        for probe in (1...100).flatMap(plan.probes(inRound:)) {
            sent[plan.targetGroups[probe.target], default: []].append(probe.offset)
        }
        for times in sent.values {
            let most = times.indices.map { first in
                times[first...].prefix { $0 - times[first] < .seconds(1) }.count
            }
            #expect(Double(most.max() ?? 0) <= 2 * plan.rate + 1)
        }
    }

    @Test func `a zone with a fixed position is in half of the volleys`() throws {
        let example = try Plan.example(targets: 3, questions: 5)
        let targets = example.targets
        let uncached = targets.map { target in
            var target = target
            target.series = .uncached
            return target
        }
        let plan = Plan(
            targets: targets + uncached,
            targetGroups: [0, 1, 2, 0, 1, 2],
            questions: example.questions,
            zones: try (0..<5).map {
                Question(name: try DomainName("z\($0).example").wildcard(), type: .a)
            }
        )
        var volleys: [Int: Int] = [:]
        for round in 1...400 {
            for block in blocks(of: plan, round: round) where atOnce(block).count == 3 {
                volleys[block[0].question, default: 0] += 1
            }
        }
        for question in 0..<10 { #expect((160...240).contains(volleys[question] ?? 0)) }
    }
}
