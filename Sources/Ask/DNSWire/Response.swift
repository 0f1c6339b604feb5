/// A response as it was read. It keeps only the records that are used.
package struct Response: Hashable, Sendable {
    package var id: UInt16 = 0
    package var authoritative = false
    package var truncated = false
    package var recursionDesired = true
    package var recursionAvailable = true
    /// Whether the resolver validated the answer (RFC 4035 §3.2.3).
    package var authenticData = false
    package var checkingDisabled = false
    /// Whether the letter case of the question's name differs from the query.
    package var changesCase = false
    /// Whether bytes follow the last record that the header counts.
    package var hasTrailingBytes = false
    /// Whether the response is FORMERR or NOTIMP without EDNS to a query with EDNS: the resolver
    /// does not support EDNS (RFC 6891 §7).
    package var rejectsEDNS = false
    package var code: ResponseCode
    /// The smallest TTL of the answer section, in seconds; `nil` if the section is empty.
    package var ttl: UInt32?
    /// The number of records in the answer section; in a truncated response, the number of complete
    /// records.
    package var answerCount = 0
    /// The A and AAAA records of the answer section, in network order.
    package var addresses: [[UInt8]] = []
    /// Whether the records include a signature (RFC 4034 §3): the zone is signed.
    package var hasSignatures = false
    /// The data of the answer section's records of the queried type, in the spelling of
    /// ``RecordText``; `nil` unless the query keeps it.
    package var data: [String]?
    /// The TXT records of the answer section, each with its character strings, escaped.
    package var texts: [[String]] = []
    /// The SVCB records of the answer section.
    package var services: [ServiceBinding] = []
    /// Whether the response has an OPT record (RFC 6891 §6.1.1).
    package var hasEDNS = false
    /// Whether the OPT record has the DO bit, copied from the query (RFC 3225 §3).
    package var dnssecOK = false
    /// The server's name for itself (RFC 5001). Escape it before printing.
    package var nsid: [UInt8]?
    package var extendedErrors: [ExtendedError] = []
    /// The client's and the server's cookie (RFC 7873 §4); `nil` unless the query had a cookie.
    package var cookie: [UInt8]?
    /// The prefix length of the client network for which the answer is valid, in bits (RFC 7871
    /// §7.2.1).
    package var clientSubnetScope: UInt8?
    /// The idle timeout of the connection that the server states, in milliseconds (RFC 7828 §3.1).
    package var keepalive: Int?
    /// The size in bytes.
    package var size = 0

    /// Creates a response with a code only, for code that evaluates responses that were not
    /// received.
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
    /// The cause that belongs to the response code, if there is one. A truncated response is not an
    /// answer.
    package var cause: FailureCause? {
        if truncated { return FailureCause(.message, "is truncated") }
        if code == .badVersion { return FailureCause(.ednsVersion) }
        return rejectsEDNS ? FailureCause(.edns) : nil
    }

    /// Whether the answer itself shows that its name is blocked. Either every address is 0.0.0.0 or
    /// ::, or the resolver sends an extended error: 15 (Blocked), 16 (Censored) or 17 (Filtered)
    /// ([RFC 8914 §4](https://www.rfc-editor.org/rfc/rfc8914#section-4)).
    package var isFiltered: Bool {
        if extendedErrors.contains(where: { (15...17).contains($0.infoCode) }) { return true }
        return !addresses.isEmpty && addresses.allSatisfy { $0.allSatisfy { $0 == 0 } }
    }
}

/// The reason for a resolver's answer (RFC 8914).
package struct ExtendedError: Hashable, Sendable, CustomStringConvertible {
    package var infoCode: UInt16
    /// The resolver's own text, escaped; empty if it sent no text.
    package var text = ""

    /// Text such as `15 (Blocked): by policy`.
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
