import CLDNS

/// A hash of octets (FIPS 180-4), as ldns computes it.
package enum SHA256 {
    /// The 32 octets for `message`.
    package static func hash(_ message: [UInt8]) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: Int(LDNS_SHA256_DIGEST_LENGTH))
        unsafe ldns_sha256(message, UInt32(message.count), &digest)
        return digest
    }
}
