import Foundation
import Testing

@testable import Statistics

/// Compares the results of asking each name once with Reference/found.py.
struct FoundTests {
    /// A linear congruential generator that gives the same numbers in every language.
    private struct Numbers {
        var state: Int

        mutating func below(_ bound: Int) -> Int {
            state = (state * 1_103_515_245 + 12_345) % (1 << 31)
            return (state >> 8) % bound
        }
    }

    /// Returns a row of the reference's table: its words and its figures.
    private func row(_ number: Int) throws -> (text: String, figures: [Double]) {
        var random = Numbers(state: number)
        let again = (0..<(20 + number % 20)).map { _ in 10 + Double(random.below(1000)) / 100 }
        let latest = try #require(CacheRule.latestHit(again))
        let names = 20 + random.below(100)
        let ages = random.below(3)
        var answers: [(ttl: UInt32, largest: UInt32, time: Double)] = []
        for _ in 0..<names {
            let largest = 60 * (1 + random.below(60))
            var ttl = largest
            if ages > 0, random.below(2) == 1 {
                ttl = max(1, largest - random.below(largest) / (ages == 1 ? 1 : 60))
            } else if random.below(10) == 0 {
                ttl = 60
            }
            answers.append((UInt32(ttl), UInt32(largest), 10 + Double(random.below(6000)) / 100))
        }
        let countsDown = CacheRule.countsDown(answers.map(\.ttl))
        var share = HitShare()
        var states = ""
        for answer in answers {
            let isHit = CacheRule.isHit(
                ttl: answer.ttl,
                largest: answer.largest,
                time: answer.time,
                latest: latest,
                countsDown: countsDown
            )
            share.note(isHit)
            states += isHit.map { $0 ? "h" : "m" } ?? "?"
        }
        let blocks = (0..<(20 + number % 60)).map { _ in
            Double(random.below(20_001) - 10_000) / 100
        }
        let mean = try #require(
            MeanInterval(ofBlocks: blocks, alpha: 0.05 / Double(1 + number % 5))
        )
        let (bounds, interval) = (share.bounds, share.interval())
        return (
            "\(number)\t\(countsDown ? "yes" : "no")\t\(states)",
            [
                latest, bounds.lowerBound, bounds.upperBound, interval.lowerBound,
                interval.upperBound, mean.mean, mean.lower, mean.upper,
            ]
        )
    }

    @Test func `a thousand lists have the reference's results`() throws {
        let file = ReferenceGolden.folder.appending(path: "found.tsv")
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        try #require(lines.count == 1000)
        for (index, line) in lines.enumerated() {
            let columns = line.split(separator: "\t")
            let (text, figures) = try row(index + 1)
            #expect(text == columns.prefix(3).joined(separator: "\t"))
            for (figure, column) in zip(figures, columns.dropFirst(3)) {
                #expect(agree(figure, Double(column), within: 1e-6), "\(index + 1)")
            }
        }
    }

    @Test(
        arguments: [
            (300, 300, 12, true, nil), (300, 300, 80, true, false), (287, 300, 12, true, true),
            (287, 300, 80, true, true), (240, 300, 12, true, true), (240, 300, 80, true, false),
            (300, 3600, 12, true, true), (300, 300, 12, false, nil), (300, 300, 80, false, false),
            (0, 300, 12, true, nil), (0, 300, 80, true, false), (0, 0, 12, true, nil),
            (287, 300, 12, false, nil),
        ] as [(UInt32, UInt32, Double, Bool, Bool?)]
    )
    func `TTL and time distinguish a hit from a miss`(
        ttl: UInt32,
        largest: UInt32,
        time: Double,
        countsDown: Bool,
        isHit: Bool?
    ) {
        let found = CacheRule.isHit(
            ttl: ttl,
            largest: largest,
            time: time,
            latest: 20,
            countsDown: countsDown
        )
        #expect(found == isHit)
    }

    @Test func `without a TTL or a time limit, few answers are classified`() {
        func isHit(_ ttl: UInt32?, _ latest: Double?) -> Bool? {
            CacheRule.isHit(ttl: ttl, largest: 300, time: 30, latest: latest, countsDown: true)
        }
        #expect(isHit(nil, 20) == false && isHit(nil, 40) == true && isHit(nil, nil) == nil)
        #expect(isHit(300, nil) == nil && isHit(287, nil) == true)
        #expect(CacheRule.latestHit(Array(repeating: 1, count: 19)) == nil)
    }

    @Test func `ten counted-down answers in a hundred show a cache that counts`() {
        let few: [UInt32] = Array(repeating: 300, count: 9) + [287]
        #expect(CacheRule.countsDown(few) && !CacheRule.countsDown(few + [300]))
        #expect(!CacheRule.countsDown([60, 60, 300, 3600]))
        // A TTL of 0 is no evidence, because no cache keeps the answer.
        #expect(!CacheRule.countsDown([]) && !CacheRule.countsDown(Array(repeating: 0, count: 50)))
        #expect(CacheRule.countsDown(few + Array(repeating: 0, count: 50)))
    }

    @Test(arguments: [(20, 5, true), (20, 4, false), (100, 15, true), (100, 14, false)])
    func `new entries with a common expiry show one cache`(fetched: Int, together: Int, isOne: Bool)
    {
        #expect(CacheRule.isOneCache(fetched: fetched, expiringTogether: together) == isOne)
    }

    @Test func `quantiles of t equal the golden values`() {
        for (freedom, quantile) in [
            (19, 2.093011548), (29, 2.045227358), (49, 2.009574959), (99, 1.984216935),
        ] {
            let found = StudentT.quantile(0.975, freedom: freedom)
            #expect(agree(found, quantile, within: 1e-9))
        }
    }

    /// Fifty rounds with the means of the golden example.
    private func comparison(
        margin: Double,
        ending: ComparisonProcess.Ending = .budgetSpent,
        tampering: Set<Int> = [],
        losing: Double = 0
    ) -> Comparison {
        let means = (0..<50).map {
            [1.0, 4, 7, 10, 13, 16, 2, 5, 8, 11, 14, 17, 3, 6, 9, 12, 15][$0 % 17]
        }
        var rules = ComparisonRules(margin: margin)
        rules.statistic = .mean
        var process = ComparisonProcess(candidates: 1, rules: rules)
        process.tampering = tampering
        for mean in means {
            process.add([PairedRound([mean - 1, mean + 1] + (losing > 0 ? [-.infinity] : []))])
        }
        #expect(!process.isDecided)
        return process.comparisons(ending: ending)[0]
    }

    @Test func `the golden blocks have the golden interval and verdicts`() {
        let five = comparison(margin: 5)
        #expect(agree(five.difference ?? .nan, 8.88, within: 1e-9))
        #expect(agree(five.interval.lower ?? .nan, 7.481064329, within: 1e-9))
        #expect(agree(five.interval.upper ?? .nan, 10.278935671, within: 1e-9))
        #expect(five.verdict == .switch && five.reason == .faster && five.statistic == .mean)
        #expect(comparison(margin: 9).verdict == .tooClose)
        #expect(comparison(margin: 12).verdict == .keep)
        #expect(comparison(margin: 12).reason == .withinMargin)
    }

    @Test func `an incomplete list, false answers and losses prevent a recommendation`() {
        let cut = comparison(margin: 5, ending: .interrupted)
        #expect(cut.verdict == .undecided && cut.reason == .interrupted)
        let liar = comparison(margin: 5, tampering: [0])
        #expect(liar.verdict == .keep && liar.reason == .tampering)
        let lossy = comparison(margin: 5, losing: 1)
        #expect(lossy.verdict == .keep && lossy.reason == .reliability)
    }

    @Test func `fewer than twenty blocks have no interval`() {
        #expect(MeanInterval(ofBlocks: Array(repeating: 9, count: 19)) == nil)
        #expect(MeanInterval(ofBlocks: Array(repeating: 9, count: 20))?.lower == 9)
    }
}
