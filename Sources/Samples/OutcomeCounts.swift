package import DNSWire

/// How many queries to one resolver ended in which way.
package struct OutcomeCounts: Hashable, Sendable {
    /// By the number of the outcome.
    private var counts = SIMD16<Int>()
    /// Answers with another response code than NOERROR and NXDOMAIN, by its mnemonic.
    package private(set) var responseCodes: [String: Int] = [:]

    package init() {}

    package subscript(outcome: Outcome) -> Int { counts[Int(outcome.rawValue)] }

    /// Counts one more query, or `times` of them.
    package mutating func count(_ outcome: Outcome, responseCode: ResponseCode?, times: Int = 1) {
        counts[Int(outcome.rawValue)] += times
        guard outcome == .failed else { return }
        responseCodes[responseCode?.description ?? "unknown", default: 0] += times
    }

    package var answered: Int { self[.answered] }

    package var failed: Int { self[.failed] }

    /// Queries without an answer that could be used, in whichever way they failed.
    package var lost: Int {
        self[.timeout] + failed + self[.unreachable] + self[.malformed] + self[.wrong]
    }

    /// Queries that left.
    package var sent: Int { answered + lost + self[.filtered] }

    /// Queries that say something of speed: a filtered answer does not.
    package var measured: Int { answered + lost }

    package mutating func merge(_ other: OutcomeCounts) {
        counts &+= other.counts
        responseCodes.merge(other.responseCodes, uniquingKeysWith: +)
    }
}
