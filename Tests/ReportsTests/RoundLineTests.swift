import DNSWire
import Samples
import Testing

@testable import Reports

struct RoundLineTests {
    private let clock = LocalClock([LocalClock.Change(second: 0, offset: 3_600, name: "CET")])

    private func line(
        _ outcomes: [(Outcome, Int)],
        marks: RoundMarks = [],
        missed: Int = 0,
        unverified: Int = 0
    ) -> String {
        var counts = OutcomeCounts()
        for (outcome, times) in outcomes {
            counts.count(outcome, responseCode: .servFail, times: times)
        }
        return RoundLine.text(
            number: 12,
            start: Timestamp(nanoseconds: 1_795_232_112_900_000_000),
            on: clock,
            counts: counts,
            marks: marks,
            unverified: unverified,
            missed: missed,
            fate: "stored"
        )
    }

    @Test(arguments: [
        (outcomes: [(Outcome.answered, 60)], text: "60 answered"),
        ([(.answered, 57), (.timeout, 2), (.failed, 1)], "57 answered, 2 timed out, 1 SERVFAIL"),
        (
            [(.unreachable, 3), (.malformed, 4), (.filtered, 5), (.blocked, 6)],
            "0 answered, 3 unreachable, 4 malformed, 5 filtered, 6 not sent"
        ),
    ])
    func `the report counts queries by outcome`(outcomes: [(Outcome, Int)], text: String) {
        #expect(line(outcomes) == "round 12 at 2026-11-21 04:35:12 CET: \(text); stored")
    }

    @Test(arguments: [
        (marks: RoundMarks.offline, word: "offline"), (.outage, "outage"),
        (.suspended, "this machine was suspended"),
    ])
    func `the marks of an excluded round are shown`(marks: RoundMarks, word: String) {
        #expect(
            line([(.timeout, 9)], marks: marks).hasSuffix(
                ": 0 answered, 9 timed out; \(word); stored"
            )
        )
    }

    @Test func `answers without verification are counted`() {
        #expect(
            line([(.answered, 9)], unverified: 3).hasSuffix(": 9 answered; 3 not verified; stored")
        )
    }

    @Test(arguments: [(missed: 1, text: "1 missed slot"), (12, "12 missed slots")])
    func `slots without a round are counted`(missed: Int, text: String) {
        #expect(
            line([(.answered, 1)], missed: missed).contains(" CET, after \(text): 1 answered; ")
        )
    }
}
