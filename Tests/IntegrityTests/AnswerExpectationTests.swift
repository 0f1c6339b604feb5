import DNSWire
import Integrity
import Testing

@Suite struct AnswerExpectationTests {
    private func response(_ data: [String], _ code: ResponseCode = .noError) -> Response {
        var response = Response(code: code)
        response.data = data
        return response
    }

    @Test func `addresses are compared as a set`() {
        var expectation = AnswerExpectation()
        expectation.data = ["192.0.2.1", "192.0.2.2"]
        #expect(expectation.fault(of: response(["192.0.2.2", "192.0.2.1", "192.0.2.2"])) == nil)
        #expect(
            expectation.fault(of: response(["192.0.2.1"]))
                == "192.0.2.1, expected 192.0.2.1 192.0.2.2"
        )
        #expect(expectation.fault(of: response([])) == "no data, expected 192.0.2.1 192.0.2.2")
        #expect(
            expectation.fault(of: response([], .nxDomain))
                == "no answer, expected 192.0.2.1 192.0.2.2"
        )
        let many = (1...9).map { "198.51.100.\($0)" }
        #expect(
            expectation.fault(of: response(many))
                == "198.51.100.1 198.51.100.2 198.51.100.3 and 6 more, expected 192.0.2.1 192.0.2.2"
        )
    }

    @Test(arguments: [
        (2...2, 2, nil), (2...2, 3, "3 answers, expected 2"), (0...0, 0, nil),
        (2 ... .max, 9, nil), (2 ... .max, 1, "1 answer, expected at least 2"),
    ])
    func `the number of answers is checked`(count: ClosedRange<Int>, found: Int, fault: String?) {
        var expectation = AnswerExpectation()
        expectation.count = count
        let data = (0..<found).map { "192.0.2.\($0)" }
        #expect(expectation.fault(of: response(data)) == fault)
    }

    @Test func `an expected response code is combined with other conditions`() {
        var expectation = AnswerExpectation()
        expectation.responseCode = .nxDomain
        #expect(expectation.fault(of: response([], .nxDomain)) == nil)
        #expect(expectation.fault(of: response(["192.0.2.1"])) == "NOERROR, expected NXDOMAIN")
        expectation.count = 1...1
        #expect(expectation.fault(of: response([], .nxDomain)) == "0 answers, expected 1")
    }

    @Test func `one answer that matches is enough`() throws {
        var expectation = AnswerExpectation()
        expectation.pattern = try TextPattern("^\"v=spf1 .*-all\"$")
        #expect(expectation.fault(of: response(["\"x\"", "\"v=spf1 a -all\""])) == nil)
        #expect(
            expectation.fault(of: response(["\"v=spf1 a ~all\""]))
                == "\"v=spf1 a ~all\", expected '^\"v=spf1 .*-all\"$'"
        )
        #expect(expectation.fault(of: response([])) != nil)
    }

    @Test(arguments: ["(", "[a", "(a)\\1", String(repeating: "a", count: 201)])
    func `invalid and slow expressions are rejected`(text: String) {
        #expect(throws: TextPattern.Fault.self) { try TextPattern(text) }
    }

    /// A matcher with backtracking would take about 2^4000 steps.
    @Test func `a hostile text does not slow down an expression`() throws {
        let pattern = try TextPattern("^(a+)+$")
        #expect(!pattern.matches(String(repeating: "a", count: 4_000) + "!"))
    }
}
