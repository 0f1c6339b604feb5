package import DNSWire

/// How many queries to one resolver ended in which way.
package struct OutcomeCounts: Hashable, Sendable {
    /// By the number of the outcome.
    private var counts = SIMD16<Int>()
    /// Answers with another response code than NOERROR and NXDOMAIN, by its mnemonic.
    package private(set) var responseCodes: [String: Int] = [:]
    /// The causes of failures; none of hourly sums.
    package private(set) var causes = FailureCauses()

    package init() {}

    package subscript(outcome: Outcome) -> Int { counts[Int(outcome.rawValue)] }

    /// Counts one more query; hourly sums do so without its cause.
    package mutating func count(_ observation: Observation, withCause: Bool = true) {
        count(
            observation.outcome,
            responseCode: observation.responseCode,
            cause: withCause ? observation.extras?.cause : nil
        )
    }

    /// Counts one more query, or `times` of them.
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

    package var answered: Int { self[.answered] }

    /// Queries without an answer that could be used, in whichever way they failed.
    package var failed: Int {
        self[.timeout] + self[.unreachable] + errorResponses + self[.malformed] + self[.wrong]
    }

    /// Failed queries without any response.
    package var lost: Int { self[.timeout] + self[.unreachable] - causes.heard }

    /// Responses with another response code than NOERROR and NXDOMAIN.
    package var errorResponses: Int { self[.failed] }

    /// Queries that left.
    package var sent: Int { answered + failed + self[.filtered] }

    /// Queries that say something of speed: a filtered answer does not.
    package var measured: Int { answered + failed }

    package mutating func merge(_ other: OutcomeCounts) {
        counts &+= other.counts
        responseCodes.merge(other.responseCodes, uniquingKeysWith: +)
        causes.merge(other.causes)
    }
}
