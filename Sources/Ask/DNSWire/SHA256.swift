import CLDNS

/// The SHA-256 hash function (FIPS 180-4) of ldns.
package enum SHA256 {
    /// The hash of `message`, 32 bytes.
    package static func hash(_ message: [UInt8]) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: Int(LDNS_SHA256_DIGEST_LENGTH))
        unsafe ldns_sha256(message, UInt32(message.count), &digest)
        return digest
    }
}
