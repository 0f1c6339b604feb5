public import DNSWire
public import Measurement

/// How many queries to one resolver ended in which way.
public struct OutcomeCounts: Hashable, Sendable {
    public private(set) var answered = 0
    public private(set) var timeouts = 0
    /// Answers with another response code than NOERROR and NXDOMAIN, by its mnemonic.
    public private(set) var responseCodes: [String: Int] = [:]
    public private(set) var unreachable = 0
    public private(set) var malformed = 0
    public private(set) var filtered = 0
    /// Not sent.
    public private(set) var offline = 0
    /// Not sent.
    public private(set) var blocked = 0

    public init() {}

    /// Counts one more query.
    public mutating func count(_ outcome: Outcome, responseCode: ResponseCode?) {
        switch outcome {
        case .answered: answered += 1
        case .failed: responseCodes[responseCode?.description ?? "unknown", default: 0] += 1
        case .timeout: timeouts += 1
        case .unreachable: unreachable += 1
        case .malformed: malformed += 1
        case .filtered: filtered += 1
        case .offline: offline += 1
        case .blocked: blocked += 1
        }
    }

    /// Answers with another response code than NOERROR and NXDOMAIN.
    public var failed: Int { responseCodes.values.reduce(0, +) }

    /// Queries without an answer that could be used, in whichever way they failed.
    public var lost: Int { timeouts + failed + unreachable + malformed }

    /// Queries that left.
    public var sent: Int { answered + lost + filtered }

    /// Queries that say something of speed: a filtered answer does not.
    public var measured: Int { answered + lost }

    /// The share lost of those measured.
    var failureRate: Share { Share(part: lost, whole: measured) }
}
