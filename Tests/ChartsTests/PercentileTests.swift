import Fixtures
import Statistics
import Testing

@testable import Charts

struct PercentileTests {
    static func line(answers: [Double], failed: Int = 0, sketched: Bool = false) -> PercentileLine {
        var subject = ChartSubject(
            label: "brook",
            summary: .fixture(answers: answers, failed: failed),
            answers: sketched ? [] : AnswerTimes(answers)
        )
        if sketched { for answer in answers { subject.sketch.insert(answer) } }
        return PercentileLine(DistributionLine(subject: subject, style: nil))
    }

    /// The definition of respdiff's histogram.py: the time at position ⌈n·p⌉ of all times, with the slowest
    /// time first.
    static func reference(_ answers: [Double], failed: Int, share: Double) -> Double? {
        let values = [Double](repeating: .infinity, count: failed) + answers.sorted(by: >)
        let rank = Int((share / 100 * Double(values.count) - 1e-9).rounded(.up))
        let value = values[max(rank, 1) - 1]
        return value.isFinite ? value : nil
    }

    @Test(arguments: [0, 1, 20, 400], [false, true])
    func `a line lists the times from the slowest query on`(failed: Int, sketched: Bool) throws {
        var random = SplitMix64(seed: UInt64(failed) + 7)
        let answers = (0..<800).map { _ in 5 + 200 * random.uniform() * random.uniform() }
        let line = Self.line(answers: answers, failed: failed, sketched: sketched)
        for share in [0.5, 1, 2.3, 5, 10, 33, 50, 77, 99.9] where share >= line.leastShare {
            let time = line.time(atSlowest: share)
            let exact = Self.reference(answers, failed: failed, share: share)
            #expect((time == nil) == (exact == nil), "\(share)")
            guard let time, let exact else { continue }
            // A bucket extends 1 % in each direction.
            #expect(abs(time - exact) <= (sketched ? exact * 0.0203 : 1e-9), "\(share)")
        }
    }

    @Test(arguments: [(5.0, 72), (1.0, 368)])
    func `a line ends where its queries no longer support a quantile`(share: Double, needed: Int) {
        for count in [needed - 1, needed] {
            let line = Self.line(answers: (1...count).map(Double.init))
            #expect((line.leastShare <= share) == (count == needed))
            #expect((line.time(atSlowest: share) != nil) == (count == needed))
        }
    }

    @Test func `a lossy resolver's curve continues past the timeout`() throws {
        let line = Self.line(answers: (1...190).map(Double.init), failed: 10)
        #expect(line.reachesTimeout)
        #expect(line.time(atSlowest: 4.9) == nil)
        #expect(line.time(atSlowest: 5.4) == 190)
        let drawing = Sheet(title: "t", charts: [Chart(.percentiles, of: [line.line.subject])])
            .svg()
        #expect(drawing.contains("&gt; 5 s"))
        #expect(drawing.contains("dotted"))
        let few = Self.line(answers: (1...199).map(Double.init), failed: 1)
        #expect(!few.reachesTimeout, "one of 200 is less than they tell")
    }

    @Test func `a resolver without answers has a line only beyond the timeout`() {
        let silent = Self.line(answers: [], failed: 100)
        #expect(silent.time(atSlowest: 50) == nil)
        let chart = Chart(.percentiles, of: [silent.line.subject])
        let text = TerminalPercentiles(chart, width: 60, height: 10)
        #expect(text.rows.first?.plot.hasPrefix("  > 5 s│") == true)
        #expect(text.rows.dropFirst().allSatisfy { !$0.plot.contains("▲") })
        #expect(Sheet(title: "t", charts: [chart]).svg().contains("no answer"))
    }

    @Test func `labels with many digits are complete`() {
        let answers = (0..<100).map { 10_000 + 300 * Double($0) }
        let summary = LatencySummary.fixture(answers: answers, failed: 0, timeout: 60_000)
        let slow = ChartSubject(label: "brook", summary: summary, answers: AnswerTimes(answers))
        let text = TerminalPercentiles(Chart(.percentiles, of: [slow]), width: 60, height: 10)
        let labels = text.rows.map { $0.plot.prefix { $0 != "│" } }
        #expect(labels.filter { $0.contains("ms") } == ["50000 ms", "20000 ms", "10000 ms"])
        #expect(text.rows.allSatisfy { $0.plot.count == 60 })
    }

    @Test(arguments: [0, 31, 32, 80, 200], [0, 4, 30])
    func `the terminal plot has the requested width`(width: Int, height: Int) {
        let chart = Chart(.percentiles, of: .lab(rounds: 20, names: 5))
        let text = TerminalPercentiles(chart, width: width, height: height)
        #expect(text.rows.allSatisfy { $0.plot.count == width })
        #expect(text.rows.isEmpty == (width < 32))
        #expect(text.axis.count <= width)
        #expect(text.rows.filter { !$0.label.isEmpty }.count == (width < 32 ? 0 : 6))
    }
}
