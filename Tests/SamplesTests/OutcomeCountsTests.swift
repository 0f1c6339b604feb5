import DNSWire
import Samples
import Testing

struct OutcomeCountsTests {
    private func counts(_ outcomes: [(Outcome, ResponseCode?)]) -> OutcomeCounts {
        var counts = OutcomeCounts()
        for (outcome, code) in outcomes { counts.count(outcome, responseCode: code) }
        return counts
    }

    @Test func `merged counts equal the counts of all queries`() {
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
        #expect(merged.failed == 8)
        #expect(merged.lost == 3)
        #expect(merged.errorResponses == 3)
        #expect(merged.measured == 10)
    }

    @Test func `a query is not lost if its cause is a response`() {
        let causes: [(Outcome, FailureCause?)] = [
            (.timeout, nil), (.timeout, FailureCause(.otherSource, "192.0.2.2:53")),
            (.timeout, FailureCause(.handshake)), (.unreachable, FailureCause(.certificate)),
            (.malformed, FailureCause(.httpStatus, "404")),
        ]
        var counts = OutcomeCounts()
        for (outcome, cause) in causes { counts.count(outcome, responseCode: nil, cause: cause) }
        #expect(counts.failed == 5)
        #expect(counts.lost == 2)
    }

    @Test func `the number of causes is limited, and their kinds are kept`() {
        var causes = OutcomeCounts()
        for number in 0..<1000 {
            let cause = FailureCause(.httpStatus, "301 /\(number)")
            causes.count(.malformed, responseCode: nil, cause: cause)
        }
        for _ in 0..<999 {
            causes.count(.malformed, responseCode: nil, cause: FailureCause(.contentType, "a/b"))
        }
        #expect(causes.causes.sorted.count <= FailureCauses.most + 2)
        #expect(causes.causes.main?.cause.kind == .httpStatus)
        #expect(causes.causes.main?.count == 1000)
        var twice = causes
        twice.merge(causes)
        #expect(twice.causes.main?.count == 2000)
    }

    @Test(arguments: Outcome.allCases)
    func `counting several queries equals counting them one by one`(outcome: Outcome) {
        var together = OutcomeCounts()
        together.count(outcome, responseCode: .servFail, times: 3)
        #expect(
            together == counts([(outcome, .servFail), (outcome, .servFail), (outcome, .servFail)])
        )
    }
}
