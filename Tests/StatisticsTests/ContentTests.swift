import Foundation
import Testing

@testable import Statistics

/// Compares the time to content with Reference/content.py.
struct ContentTests {
    private func outcomes(_ times: [Double]) -> [QueryOutcome] {
        times.map { $0.isFinite ? .answered($0) : .failed }
    }

    @Test func `a round is the median of the look-ups and the mean of the connections`() throws {
        let round = try #require(
            ContentRound(
                baseline: outcomes([22, 23, 21, 300, .infinity]),
                candidate: outcomes([14, 15, 13.5, 16, 15]),
                connections: [(10, 10), (12, 12), (20, 60), (15, 400), (nil, 9)]
            )
        )
        #expect(agree(round.difference, -60.75, within: 1e-9))
        #expect(round.unconnected == (0, 1))
        #expect(round.lookUp == 8 && round.connection == -68.75 && round.connections == 4)
    }

    @Test(arguments: 1...40)
    func `the order of names in a round does not matter`(seed: UInt64) throws {
        var source = CongruentialGenerator(state: seed)
        let connections: [(baseline: Double?, candidate: Double?)] = (0..<10).map { _ in
            (Double(source.below(300_000)) / 1000, Double(source.below(300_000)) / 1000)
        }
        let answers = outcomes([Double](repeating: 20, count: 10))
        let rounds = [connections, connections.reversed()].map {
            ContentRound(baseline: answers, candidate: answers, connections: $0)
        }
        #expect(try #require(rounds[0]).connection == #require(rounds[1]).connection)
    }

    @Test func `a thousand rounds equal the reference`() throws {
        let file = ReferenceGolden.folder.appending(path: "content.tsv")
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        try #require(lines.count == 1001)
        for line in lines.dropFirst() {
            let columns = line.split(separator: "\t")
            let seed = try #require(UInt64(columns[0]))
            let found = Self.round(seed: seed)?.difference
            if let expected = Double(columns[1]), !expected.isFinite {
                // NaN is not equal to itself.
                #expect(expected.isNaN ? found?.isNaN == true : found == expected, "\(line)")
            } else {
                #expect(agree(found, Double(columns[1]), within: 1e-6), "\(line)")
            }
        }
    }

    /// Returns the round that the reference derives from the same seed.
    private static func round(seed: UInt64) -> ContentRound? {
        var source = CongruentialGenerator(state: seed)
        for _ in 0..<3 { _ = source.below(1) }
        let names = 1 + source.below(10)
        let losses = [0, 20, 300][source.below(3)]
        func lookUps() -> [QueryOutcome] {
            (0..<names).map { _ in
                let time = Double(5_000 + source.below(40_000)) / 1000
                let fate = source.below(1000)
                return fate < losses ? .failed : fate >= 980 ? .missing : .answered(time)
            }
        }
        func connections() -> [Double?] {
            (0..<names).map { _ in
                let time = Double(1_000 + source.below(300_000)) / 1000
                return source.below(1000) >= 900 ? nil : time
            }
        }
        let (baseline, candidate) = (lookUps(), lookUps())
        let (own, others) = (connections(), connections())
        return ContentRound(
            baseline: baseline,
            candidate: candidate,
            connections: Array(zip(own, others))
        )
    }

    /// Returns the verdict on a candidate after `rounds` rounds, of which `followed` have connections. The
    /// look-ups of the candidate are 8 ms faster. The connection to one of its two addresses takes `farther`
    /// milliseconds longer.
    private func conclusion(
        farther: Double,
        rounds: Int = 12,
        followed: Int
    ) -> (verdict: Verdict, reason: VerdictReason) {
        let rules = ComparisonRules(margin: 5)
        var process = ComparisonProcess(candidates: 1, rules: rules)
        var content = ContentEvidence(candidates: 1, rules: rules)
        content.awaited = [0]
        let (slow, fast) = (outcomes([20, 21, 22]), outcomes([12, 13, 14]))
        for round in 0..<rounds {
            process.add([PairedRound(baseline: slow, candidate: fast)])
            if round < followed {
                let connections: [(Double?, Double?)] = [(10, 10 + farther), (12, 12), (9, nil)]
                content.add([
                    ContentRound(baseline: slow, candidate: fast, connections: connections)
                ])
            }
            process.take(contents: [content.progress(of: 0)])
        }
        let comparison = process.comparisons(ending: .budgetSpent)[0]
        #expect(process.isDecided == (comparison.verdict == .switch || farther > 6 && followed > 6))
        return (comparison.verdict, comparison.reason)
    }

    @Test func `a faster look-up is no gain if the connection loses the time`() {
        #expect(conclusion(farther: 0, followed: 7) == (.switch, .faster))
        // The connection to one of two names takes 30 ms longer.
        #expect(conclusion(farther: 30, followed: 7) == (.undecided, .edge))
        #expect(conclusion(farther: 4, followed: 7) == (.switch, .faster))
        #expect(conclusion(farther: 8, followed: 7) == (.undecided, .edge))
    }

    @Test func `no candidate is recommended before the connections are known`() {
        #expect(conclusion(farther: 0, followed: 0) == (.undecided, .edge))
        #expect(conclusion(farther: 0, followed: 6) == (.undecided, .edge))
    }

    @Test func `look-ups alone decide if no answer leads to an address`() {
        let rules = ComparisonRules(margin: 5)
        var content = ContentEvidence(candidates: 2, rules: rules)
        #expect(content.progress(of: 0) == nil)
        content.awaited = [0, 1]
        #expect(content.progress(of: 0) == .open)
        let (slow, fast) = (outcomes([20]), outcomes([12]))
        content.add([ContentRound(baseline: slow, candidate: fast, connections: [(nil, nil)]), nil])
        #expect(content.progress(of: 0) == .open)
        content.awaited = [1]
        #expect(content.progress(of: 0) == nil && content.progress(of: 1) == .open)
        content.isComplete = true
        #expect(content.progress(of: 1) == nil)
        #expect(content.comparisons(ending: .budgetSpent) == [nil, nil])
    }

    @Test func `rounds that end without a decision are not faster`() {
        var content = ContentEvidence(candidates: 1, rules: ComparisonRules(margin: 5))
        let round = ContentRound(
            baseline: outcomes([20]),
            candidate: outcomes([12]),
            connections: [(10, 10)]
        )
        for _ in 0..<6 { content.add([round]) }
        #expect(content.progress(of: 0) == .open)
        content.isComplete = true
        #expect(content.progress(of: 0) == .notFaster)
    }
}
