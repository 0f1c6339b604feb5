/// What is read from one response.
public struct Response: Hashable, Sendable {
    public var id: UInt16
    public var authoritative: Bool
    public var truncated: Bool
    public var recursionDesired: Bool
    public var recursionAvailable: Bool
    /// The resolver validated the answer (RFC 4035 §3.2.3).
    public var authenticData: Bool
    public var checkingDisabled: Bool
    public var code: ResponseCode
    /// Smallest TTL of the answer section, in seconds; `nil` where that is empty.
    public var ttl: UInt32?
    /// Records in the answer section; those that were left where it is truncated.
    public var answerCount = 0
    /// The A and AAAA records of the answer section, in network order.
    public var addresses: [[UInt8]] = []
    /// Whether a signature is among the records (RFC 4034 §3): the zone is signed.
    public var hasSignatures = false
    /// The TXT records of the answer section: the character strings of each, escaped.
    public var texts: [[String]] = []
    /// What the SVCB records of the answer section say.
    public var services: [ServiceBinding] = []
    /// Whether there is an OPT record (RFC 6891 §6.1.1).
    public var hasEDNS = false
    /// Whether the OPT record has the DO bit, copied from the query (RFC 3225 §3).
    public var dnssecOK = false
    /// Which server answered, as it calls itself (RFC 5001); print it escaped.
    public var nsid: [UInt8]?
    public var extendedErrors: [ExtendedError] = []
    /// For how much of the network given the answer holds, in bits (RFC 7871 §7.2.1).
    public var clientSubnetScope: UInt8?
    /// In octets.
    public var size: Int

    /// A response with a code and nothing else, for what judges responses that were not received.
    public init(code: ResponseCode) {
        id = 0
        authoritative = false
        truncated = false
        recursionDesired = true
        recursionAvailable = true
        authenticData = false
        checkingDisabled = false
        self.code = code
        size = 0
    }

    init(header: MessageHeader, size: Int) {
        id = header.id
        authoritative = header.has(.authoritative)
        truncated = header.has(.truncated)
        recursionDesired = header.has(.recursionDesired)
        recursionAvailable = header.has(.recursionAvailable)
        authenticData = header.has(.authenticData)
        checkingDisabled = header.has(.checkingDisabled)
        code = header.code
        self.size = size
    }
}
