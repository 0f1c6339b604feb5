import Analysis
import Samples
import Statistics
import Testing

@testable import Reports

/// Tests with random runs that check whether the statements of a report agree.
struct ContradictionTests {
    @Test(arguments: 0..<40)
    func `no statement of a report contradicts another`(block: UInt64) throws {
        for seed in (25 * block)..<(25 * block + 25) {
            let report = try Self.fixture(seed: seed).report
            let found = Self.contradictions(in: report)
            #expect(found.isEmpty, "\(seed): \(found)")
        }
    }

    @Test func `resolvers that tie with the best need not tie with each other`() throws {
        var fixture = try Fixture(rounds: 20)
        fixture.context.baseline = "base"
        fixture.add("base") { _ in .answer(30) }
        // Best is faster than the other two resolvers for half of the ten names of a round.
        fixture.add("best") { .answer($0 % 10 < 5 ? 9 : 13) }
        fixture.add("two") { _ in .answer(10) }
        fixture.add("three") { _ in .answer(11) }
        let report = fixture.report
        #expect(Self.contradictions(in: report).isEmpty)
        let details = report.findings.flatMap(\.finding.details)
        #expect(
            details.contains("two and three: no significant difference from best."),
            "\(details)"
        )
    }

    /// Two to five random resolvers. Some are near the margin, some are lossy, and some have long tails.
    private static func fixture(seed: UInt64) throws -> Fixture {
        var drawn = seed &* 7_919
        func draw(_ count: Int) -> Int {
            drawn += 1
            return Int(Fixture.unit(drawn) * Double(count))
        }
        var fixture = try Fixture(rounds: 4 + draw(40), names: 2 + draw(9))
        fixture.context.baseline = "one"
        fixture.context.isBaselineInUse = draw(2) == 0
        for label in ["one", "two", "three", "four", "five"].prefix(2 + draw(4)) {
            let base = [3, 9, 10, 14.5, 15, 15.5, 20, 60][draw(8)]
            let lost = [0, 0, 0, 1, 3, 8, 30, 90][draw(8)]
            let isLongTailed = draw(5) == 0
            let noise = Fixture.noise(
                base,
                [0.2, 1, 3, 12][draw(4)],
                seed: seed &* 31 &+ UInt64(label.count) &* 7 &+ UInt64(draw(1_000)),
                lost: lost
            )
            fixture.add(label) { number in
                isLongTailed && number % 11 == 3 ? .answer(400) : noise(number)
            }
        }
        return fixture
    }

    private static func contradictions(in report: ComparisonReport) -> [String] {
        guard let evidence = report.evidence.first, let base = evidence.baseline else { return [] }
        let sentences = VerdictSentences(in: .cached, of: report)
        let words = ([sentences?.headline] + (sentences?.details ?? [])).compactMap(\.self)
        let ties = words.filter { isFalseTie($0, evidence, in: report) }
        return ties
            + evidence.candidates.flatMap { candidate in
                let told = report.row(ofTarget: candidate.target)?.said ?? ""
                return order(of: candidate, before: base, in: report)
                    + words.filter { $0.contains(told) }.compactMap {
                        contradiction(of: candidate.comparison, told: told, in: $0)
                    }
            }
    }

    /// Returns whether a sentence reports no difference between two resolvers that differ significantly.
    private static func isFalseTie(
        _ sentence: String,
        _ evidence: SeriesEvidence,
        in report: ComparisonReport
    ) -> Bool {
        let pattern = #/(.+): no significant difference(?: from (.+))?\./#
        guard let match = sentence.wholeMatch(of: pattern) else { return false }
        func targets(_ list: Substring) -> [Int] {
            let names = list.replacing(" and ", with: ", ").split(separator: ", ").map(String.init)
            return report.recording.targets.indices.filter {
                names.contains(report.recording.targets[$0].label)
            }
        }
        let named = targets(match.1)
        let others = match.2.map(targets) ?? named
        return named.contains { one in others.contains { evidence.tellsApart(one, $0) } }
    }

    /// Returns contradictions between a verdict and the ranks. A faster resolver has neither a lower rank nor
    /// a lower row than the baseline.
    private static func order(
        of candidate: SeriesEvidence.Candidate,
        before baseline: Int,
        in report: ComparisonReport
    ) -> [String] {
        guard let isFaster = candidate.comparison.isFaster,
            let mine = report.row(ofTarget: candidate.target)?.rank,
            let theirs = report.row(ofTarget: baseline)?.rank,
            let place = report.places[candidate.target], let other = report.places[baseline]
        else { return [] }
        // Other candidates can have any rank. They are neither faster by more than the margin nor clearly
        // slower.
        guard isFaster || candidate.comparison.interval.upper.map({ $0 < 0 }) == true
        else { return [] }
        let isBehind =
            isFaster ? mine.lowerBound > theirs.lowerBound : mine.upperBound < theirs.upperBound
        let isBelow = isFaster ? place > other : place < other
        return (isBehind ? ["ranked \(mine) with \(theirs)"] : [])
            + (isBelow ? ["at \(place), \(other)"] : [])
    }

    private static func contradiction(
        of comparison: Comparison,
        told name: String,
        in sentence: String
    ) -> String? {
        let margin = comparison.margin
        let (lower, upper) = (
            comparison.interval.lower ?? -.infinity, comparison.interval.upper ?? .infinity
        )
        let isOfOne = sentence.hasPrefix(name) || sentence.contains("to \(name):")
        let isFalse =
            sentence.hasPrefix("Yes, ") && isOfOne && comparison.verdict != .switch
            || sentence.contains("about the same") && (lower < -margin || upper > margin) && isOfOne
            || sentence.contains("not more than") && upper > margin && isOfOne
            || sentence.contains("slower than") && upper > margin && isOfOne
            || sentence.contains("also faster") && lower < margin
                && comparison.reason != .baselineSilent
            || sentence.contains("recommended") && comparison.verdict == .switch
            || sentence.contains("faster, but") && comparison.isFaster != true && isOfOne
        return isFalse ? "\(sentence) at \(lower)...\(upper)" : nil
    }
}
