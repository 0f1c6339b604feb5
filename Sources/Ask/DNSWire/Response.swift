/// A response as it was read, its records only as far as they are of use.
package struct Response: Hashable, Sendable {
    package var id: UInt16 = 0
    package var authoritative = false
    package var truncated = false
    package var recursionDesired = true
    package var recursionAvailable = true
    /// The resolver validated the answer (RFC 4035 §3.2.3).
    package var authenticData = false
    package var checkingDisabled = false
    /// The name of the question came back with other letter case than it was sent with.
    package var changesCase = false
    /// There are bytes after the last record that the header counts.
    package var hasTrailingBytes = false
    /// FORMERR or NOTIMP without EDNS to a query with EDNS: the resolver does not understand it
    /// (RFC 6891 §7).
    package var rejectsEDNS = false
    package var code: ResponseCode
    /// Smallest TTL of the answer section, in seconds; `nil` where that is empty.
    package var ttl: UInt32?
    /// Records in the answer section; those that were left where it is truncated.
    package var answerCount = 0
    /// The A and AAAA records of the answer section, in network order.
    package var addresses: [[UInt8]] = []
    /// Whether a signature is among the records (RFC 4034 §3): the zone is signed.
    package var hasSignatures = false
    /// The data of the answer section's records of the type that was asked for, as ``RecordText`` spells
    /// it; `nil` unless the query keeps it.
    package var data: [String]?
    /// The TXT records of the answer section: the character strings of each, escaped.
    package var texts: [[String]] = []
    /// The SVCB records of the answer section.
    package var services: [ServiceBinding] = []
    /// Whether there is an OPT record (RFC 6891 §6.1.1).
    package var hasEDNS = false
    /// Whether the OPT record has the DO bit, copied from the query (RFC 3225 §3).
    package var dnssecOK = false
    /// Which server answered, as it calls itself (RFC 5001); print it escaped.
    package var nsid: [UInt8]?
    package var extendedErrors: [ExtendedError] = []
    /// The client's cookie and the server's (RFC 7873 §4); `nil` unless the query had one.
    package var cookie: [UInt8]?
    /// For how much of the network given the answer holds, in bits (RFC 7871 §7.2.1).
    package var clientSubnetScope: UInt8?
    /// In octets.
    package var size = 0

    /// A response with a code and nothing else, for what judges responses that were not received.
    package init(code: ResponseCode) { self.code = code }

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

extension Response {
    /// The cause of a response code that has one; a truncated response is no answer.
    package var cause: FailureCause? {
        if truncated { return FailureCause(.message, "is truncated") }
        if code == .badVersion { return FailureCause(.ednsVersion) }
        return rejectsEDNS ? FailureCause(.edns) : nil
    }

    /// Whether the answer alone says that its name is blocked: every address is 0.0.0.0 or ::, or
    /// the resolver says so in an extended error, 15 (Blocked), 16 (Censored) or 17 (Filtered)
    /// ([RFC 8914 §4](https://www.rfc-editor.org/rfc/rfc8914#section-4)).
    package var isFiltered: Bool {
        if extendedErrors.contains(where: { (15...17).contains($0.infoCode) }) { return true }
        return !addresses.isEmpty && addresses.allSatisfy { $0.allSatisfy { $0 == 0 } }
    }
}

/// Why a resolver answered as it did (RFC 8914).
package struct ExtendedError: Hashable, Sendable, CustomStringConvertible {
    package var infoCode: UInt16
    /// The resolver's own words, escaped; empty where it gave none.
    package var text = ""

    /// Such as `15 (Blocked): by policy`.
    package var description: String {
        let purpose = Self.purposes[infoCode].map { " (\($0))" } ?? ""
        return "\(infoCode)\(purpose)" + (text.isEmpty ? "" : ": \(text)")
    }

    /// Source: the IANA registry "Extended DNS Error Codes".
    private static let purposes: [UInt16: String] = [
        0: "Other Error", 1: "Unsupported DNSKEY Algorithm", 2: "Unsupported DS Digest Type",
        3: "Stale Answer", 4: "Forged Answer", 5: "DNSSEC Indeterminate", 6: "DNSSEC Bogus",
        7: "Signature Expired", 8: "Signature Not Yet Valid", 9: "DNSKEY Missing",
        10: "RRSIGs Missing", 11: "No Zone Key Bit Set", 12: "NSEC Missing", 13: "Cached Error",
        14: "Not Ready", 15: "Blocked", 16: "Censored", 17: "Filtered", 18: "Prohibited",
        19: "Stale NXDOMAIN Answer", 20: "Not Authoritative", 21: "Not Supported",
        22: "No Reachable Authority", 23: "Network Error", 24: "Invalid Data",
        25: "Signature Expired before Valid", 26: "Too Early",
        27: "Unsupported NSEC3 Iterations Value", 28: "Unable to conform to policy",
        29: "Synthesized",
    ]
}
