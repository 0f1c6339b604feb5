/// What is read from one response.
package struct Response: Hashable, Sendable {
    package var id: UInt16
    package var authoritative: Bool
    package var truncated: Bool
    package var recursionDesired: Bool
    package var recursionAvailable: Bool
    /// The resolver validated the answer (RFC 4035 §3.2.3).
    package var authenticData: Bool
    package var checkingDisabled: Bool
    package var code: ResponseCode
    /// Smallest TTL of the answer section, in seconds; `nil` where that is empty.
    package var ttl: UInt32?
    /// Records in the answer section; those that were left where it is truncated.
    package var answerCount = 0
    /// The A and AAAA records of the answer section, in network order.
    package var addresses: [[UInt8]] = []
    /// Whether a signature is among the records (RFC 4034 §3): the zone is signed.
    package var hasSignatures = false
    /// The TXT records of the answer section: the character strings of each, escaped.
    package var texts: [[String]] = []
    /// What the SVCB records of the answer section say.
    package var services: [ServiceBinding] = []
    /// Whether there is an OPT record (RFC 6891 §6.1.1).
    package var hasEDNS = false
    /// Whether the OPT record has the DO bit, copied from the query (RFC 3225 §3).
    package var dnssecOK = false
    /// Which server answered, as it calls itself (RFC 5001); print it escaped.
    package var nsid: [UInt8]?
    package var extendedErrors: [ExtendedError] = []
    /// For how much of the network given the answer holds, in bits (RFC 7871 §7.2.1).
    package var clientSubnetScope: UInt8?
    /// In octets.
    package var size: Int

    /// A response with a code and nothing else, for what judges responses that were not received.
    package init(code: ResponseCode) {
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
