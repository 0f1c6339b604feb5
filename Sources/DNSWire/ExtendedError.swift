/// Why a resolver answered as it did (RFC 8914).
package struct ExtendedError: Hashable, Sendable, CustomStringConvertible {
    package var infoCode: UInt16
    /// The resolver's own words, escaped; empty where it gave none.
    package var text: String

    package init(infoCode: UInt16, text: String = "") {
        self.infoCode = infoCode
        self.text = text
    }

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
