import Foundation
import Testing

@testable import Statistics

/// Compares the resolvers that remain in a run with Reference/elimination.py.
struct EliminationTests {
    /// Times from the formula of the reference's `Example`.
    private struct Example {
        let number: Int
        let path: [Double]
        let step: Double
        let margin: Double

        init(_ number: Int) {
            self.number = number
            guard number > 0 else {
                path = [40, 8, 9, 9.5, 12, 15.5, 30, 45, 60]
                (step, margin) = (0.2, 5)
                return
            }
            var path = [20 + Double(number % 5)]
            for k in 1...(2 + number % 8) {
                path.append(4 + Double((number * 31 + k * k * 17 + 7 * k) % 41))
            }
            self.path = path
            step = 0.2 * Double(1 + number % 9)
            margin = [0, 1, 5][number % 3]
        }

        private func fails(_ k: Int, _ round: Int, _ name: Int) -> Bool {
            if number == 0 { return k == 2 && (5 * round + 3 * name) % 11 == 0 }
            if k == number % path.count {
                return (5 * round + 3 * name + number) % (7 + number % 60) == 0
            }
            return (round + 10 * name + 13 * k + number) % 197 == 0
        }

        func outcome(_ k: Int, _ round: Int, _ name: Int) -> QueryOutcome {
            if fails(k, round, name) { return .failed }
            let more = number == 0 ? 0 : round * k * number
            let noise = (37 * round + 101 * name + 17 * k + more) % 23
            return .answered(path[k] + Double(noise) * step)
        }

        /// Returns a row of the reference's table.
        func row() -> (text: String, evidence: Double) {
            let rules = ComparisonRules(margin: margin)
            var elimination = Elimination(candidates: path.count - 1, rules: rules)
            var process = ComparisonProcess(candidates: path.count - 1, rules: rules)
            var trace: [(start: Int, asked: [Int])] = []
            var round = 0
            while elimination.answer == nil, round < 120 {
                let asked = elimination.asked
                if trace.last?.asked != asked { trace.append((round + 1, asked)) }
                let wanted = Elimination.names(asking: asked.count, inUse: 10, totalRate: 15)
                let names = (0..<wanted).map { (round * wanted + $0) % 10 }
                let outcomes = path.indices.map { k in
                    names.map { asked.contains(k) ? outcome(k, round, $0) : .missing }
                }
                process.add(
                    outcomes.dropFirst().map { PairedRound(baseline: outcomes[0], candidate: $0) }
                )
                elimination.add(outcomes, process)
                round += 1
            }
            let asked = trace.map { "\($0.start):\(Self.list($0.asked))" }
            let left = elimination.departures.sorted { $0.key < $1.key }
                .map { "\($0.key)@\($0.value.round):\(Self.list($0.value.betters))" }
            let answer =
                switch elimination.answer {
                case .recommended(let k): "\(k)"
                case .stay: "stay"
                case .some(.none): "none"
                case nil: "-"
                }
            var evidence = 0.0
            for first in path.indices {
                for second in path.indices where first != second && second > 0 {
                    evidence += elimination.logEvidence(that: second, isNoBetterThan: first)
                }
            }
            let leavings = left.isEmpty ? "-" : left.joined(separator: " ")
            return (
                "\(number)\t\(asked.joined(separator: " "))\t\(leavings)\t\(answer)\t\(round)",
                evidence
            )
        }

        private static func list(_ numbers: [Int]) -> String {
            numbers.map(String.init).joined(separator: ",")
        }
    }

    @Test func `a thousand runs have the reference's queries and answers`() throws {
        let file = ReferenceGolden.folder.appending(path: "elimination.tsv")
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        try #require(lines.count == 1001)
        for (number, line) in lines.enumerated() {
            let (text, evidence) = Example(number).row()
            let columns = line.split(separator: "\t", omittingEmptySubsequences: false)
            #expect(text == columns.dropLast().joined(separator: "\t"))
            #expect(agree(evidence, columns.last.flatMap { Double($0) }, within: 1e-6), "\(number)")
        }
    }

    @Test(arguments: [(2, 10), (3, 10), (4, 8), (5, 6), (6, 5), (9, 4), (13, 3), (20, 2), (65, 1)])
    func `a round lasts two seconds for any number of resolvers`(asked: Int, names: Int) {
        #expect(Elimination.names(asking: asked, inUse: 10, totalRate: 15) == names)
    }

    @Test func `a resolver without a pair does not delay the answer`() {
        var elimination = Elimination(candidates: 2)
        var process = ComparisonProcess(candidates: 2)
        for _ in 0..<20 where elimination.answer == nil {
            let rows = [QueryOutcome.answered(30), .answered(10), .missing].map {
                [QueryOutcome](repeating: $0, count: 10)
            }
            process.add(rows.dropFirst().map { PairedRound(baseline: rows[0], candidate: $0) })
            elimination.add(rows, process)
        }
        #expect(elimination.answer == .recommended(1))
    }

    @Test func `twenty thousand candidates need no memory per pair`() {
        let count = 20_000
        var elimination = Elimination(candidates: count)
        let process = ComparisonProcess(candidates: count)
        for _ in 0..<2 {
            elimination.add((0...count).map { [.answered(Double($0))] }, process)
        }
        #expect(elimination.asked.count == count + 1)
        #expect(elimination.answer == nil)
    }

    /// Returns the resolvers that are set aside. Each candidate is slower than the one before.
    private func departures(of count: Int, mostPairs: Int) -> [Int: Elimination.Departure] {
        var elimination = Elimination(
            candidates: count,
            rules: ComparisonRules(margin: 0),
            mostPairs: mostPairs
        )
        // Without verdicts, only the comparisons between candidates decide.
        let process = ComparisonProcess(candidates: count)
        for round in 0..<30 {
            let outcomes = (0...count).map { resolver -> [QueryOutcome] in
                guard elimination.asked.contains(resolver) else { return [.missing] }
                return [.answered(Double(3 * resolver + (7 * round + 5 * resolver) % 11))]
            }
            elimination.add(outcomes, process)
        }
        return elimination.departures
    }

    @Test func `of many resolvers, each is compared with the best`() {
        let (all, best) = (departures(of: 60, mostPairs: 3_721), departures(of: 60, mostPairs: 0))
        #expect(all.count > 40)
        #expect(all == departures(of: 60, mostPairs: .max))
        #expect(best.keys == all.keys)
        // A departure names the last three of the resolvers that are better, by number.
        #expect(all[60]?.betters.max().map { $0 > 16 } == true)
        #expect(best.values.allSatisfy { $0.betters.allSatisfy { $0 <= 16 } })
        for (resolver, departure) in best {
            #expect(all[resolver].map { $0.round <= departure.round } == true)
        }
    }

    @Test func `all claims of a run share its error level`() {
        for (candidates, threshold) in [(1, 3.688879454), (5, 5.298317367), (64, 7.847762537)] {
            let logE = Elimination.logThreshold(candidates: candidates, alpha: 0.05)
            #expect(agree(logE, threshold, within: 1e-9))
        }
    }
}
