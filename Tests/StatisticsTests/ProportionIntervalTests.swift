import Statistics
import Testing

struct ProportionIntervalTests {
    @Test(arguments: [(0, 100, 5.7), (0, 300, 2.1), (1, 200, 4.5)])
    func `the upper bound shows which losses a run cannot exclude`(
        lost: Int,
        count: Int,
        percent: Double
    ) {
        let upper = ProportionInterval.anytime(successes: lost, of: count).upperBound
        #expect((upper * 1000).rounded() / 10 == percent)
    }

    @Test(arguments: [0, 1, 3, 50, 99, 100])
    func `an interval that is valid at any time is wider`(successes: Int) {
        let fixed = ProportionInterval.wilson(successes: successes, of: 100)
        let anytime = ProportionInterval.anytime(successes: successes, of: 100)
        #expect(anytime.lowerBound <= fixed.lowerBound && fixed.upperBound <= anytime.upperBound)
        #expect(fixed.contains(Double(successes) / 100))
    }

    @Test func `the complement of a rate has the mirrored interval`() {
        for successes in 0...20 {
            let left = ProportionInterval.anytime(successes: successes, of: 20)
            let right = ProportionInterval.anytime(successes: 20 - successes, of: 20)
            #expect(agree(left.lowerBound, 1 - right.upperBound, within: 1e-12))
        }
    }

    @Test func `an interval without observations excludes nothing`() {
        for (successes, count) in [(0, 0), (3, 2), (-1, 5)] {
            #expect(ProportionInterval.wilson(successes: successes, of: count) == 0...1)
            #expect(ProportionInterval.anytime(successes: successes, of: count) == 0...1)
        }
        #expect(ProportionInterval.anytime(successes: 1, of: .max).upperBound < 1e-9)
    }
}
