package import DNSWire

/// The number of queries to one resolver by outcome.
package struct OutcomeCounts: Hashable, Sendable {
    /// The counts, by the outcome's number.
    private var counts = SIMD16<Int>()
    /// The number of answers per response code other than NOERROR and NXDOMAIN, by mnemonic.
    package private(set) var responseCodes: [String: Int] = [:]
    /// The causes of failures; empty for hourly sums.
    package private(set) var causes = FailureCauses()

    package init() {}

    package subscript(outcome: Outcome) -> Int { counts[Int(outcome.rawValue)] }

    /// Counts one more query. Hourly sums count it without its cause.
    package mutating func count(_ observation: Observation, withCause: Bool = true) {
        count(
            observation.outcome,
            responseCode: observation.responseCode,
            cause: withCause ? observation.extras?.cause : nil
        )
    }

    /// Counts `times` more queries.
    package mutating func count(
        _ outcome: Outcome,
        responseCode: ResponseCode?,
        cause: FailureCause? = nil,
        times: Int = 1
    ) {
        counts[Int(outcome.rawValue)] += times
        if let cause, outcome != .answered, outcome.isMeasured {
            causes.count(cause, of: outcome, times: times)
        }
        guard outcome == .failed else { return }
        responseCodes[responseCode?.description ?? "unknown", default: 0] += times
    }

    /// The number of queries, with those that were not sent.
    package var all: Int { counts.wrappedSum() }

    package var answered: Int { self[.answered] }

    /// The number of queries without a usable answer, for any failure.
    package var failed: Int {
        self[.timeout] + self[.unreachable] + errorResponses + self[.malformed] + self[.wrong]
    }

    /// The number of failed queries without any response.
    package var lost: Int { self[.timeout] + self[.unreachable] - causes.heard }

    /// The number of responses with a response code other than NOERROR and NXDOMAIN.
    package var errorResponses: Int { self[.failed] }

    /// The number of queries that were sent.
    package var sent: Int { answered + failed + self[.filtered] }

    /// The number of queries that contribute to latency figures. Filtered answers do not.
    package var measured: Int { answered + failed }

    package mutating func merge(_ other: OutcomeCounts) {
        counts &+= other.counts
        responseCodes.merge(other.responseCodes, uniquingKeysWith: +)
        causes.merge(other.causes)
    }
}
