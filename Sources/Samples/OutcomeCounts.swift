package import DNSWire

/// How many queries to one resolver ended in which way.
package struct OutcomeCounts: Hashable, Sendable {
    package private(set) var answered = 0
    package private(set) var timeouts = 0
    /// Answers with another response code than NOERROR and NXDOMAIN, by its mnemonic.
    package private(set) var responseCodes: [String: Int] = [:]
    package private(set) var unreachable = 0
    package private(set) var malformed = 0
    package private(set) var filtered = 0
    /// Not sent.
    package private(set) var offline = 0
    /// Not sent.
    package private(set) var blocked = 0

    package init() {}

    /// Counts one more query, or `times` of them.
    package mutating func count(_ outcome: Outcome, responseCode: ResponseCode?, times: Int = 1) {
        switch outcome {
        case .answered: answered += times
        case .failed: responseCodes[responseCode?.description ?? "unknown", default: 0] += times
        case .timeout: timeouts += times
        case .unreachable: unreachable += times
        case .malformed: malformed += times
        case .filtered: filtered += times
        case .offline: offline += times
        case .blocked: blocked += times
        }
    }

    package var failed: Int { responseCodes.values.reduce(0, +) }

    /// Queries without an answer that could be used, in whichever way they failed.
    package var lost: Int { timeouts + failed + unreachable + malformed }

    /// Queries that left.
    package var sent: Int { answered + lost + filtered }

    /// Queries that say something of speed: a filtered answer does not.
    package var measured: Int { answered + lost }

    package mutating func merge(_ other: OutcomeCounts) {
        answered += other.answered
        timeouts += other.timeouts
        responseCodes.merge(other.responseCodes, uniquingKeysWith: +)
        unreachable += other.unreachable
        malformed += other.malformed
        filtered += other.filtered
        offline += other.offline
        blocked += other.blocked
    }
}
