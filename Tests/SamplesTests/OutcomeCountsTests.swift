import DNSWire
import Samples
import Testing

struct OutcomeCountsTests {
    private func counts(_ outcomes: [(Outcome, ResponseCode?)]) -> OutcomeCounts {
        var counts = OutcomeCounts()
        for (outcome, code) in outcomes { counts.count(outcome, responseCode: code) }
        return counts
    }

    @Test func `merged counts are those of all queries together`() {
        let first: [(Outcome, ResponseCode?)] = [
            (.answered, .noError), (.failed, .servFail), (.timeout, nil), (.offline, nil),
            (.filtered, .noError), (.unreachable, nil),
        ]
        let second: [(Outcome, ResponseCode?)] = [
            (.answered, .nxDomain), (.failed, .servFail), (.failed, .refused), (.blocked, nil),
            (.malformed, nil), (.timeout, nil), (.wrong, .noError),
        ]
        var merged = counts(first)
        merged.merge(counts(second))
        #expect(merged == counts(first + second))
        #expect(merged.responseCodes == ["SERVFAIL": 2, "REFUSED": 1])
        #expect(merged.sent == 11)
        #expect(merged.lost == 8)
        #expect(merged.measured == 10)
    }

    @Test(arguments: Outcome.allCases)
    func `several queries count as often as one by one`(outcome: Outcome) {
        var together = OutcomeCounts()
        together.count(outcome, responseCode: .servFail, times: 3)
        #expect(
            together == counts([(outcome, .servFail), (outcome, .servFail), (outcome, .servFail)])
        )
    }
}
