import CGnuTLS

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A public key of minisign (jedisct1.github.io/minisign): an Ed25519 key (RFC 8032), and the
/// number that identifies its signatures.
package struct MinisignKey: Hashable, Sendable, CustomStringConvertible {
    let number: [UInt8]
    private let bytes: [UInt8]

    /// Reads the second line of a `.pub` file, such as `RWQf6LRCGA9i53mlYecO…`.
    package init(parsing text: String) throws(SignatureError) {
        guard let all = Base64.bytes(of: text), all.count == 42,
            all.starts(with: [UInt8(ascii: "E"), UInt8(ascii: "d")])
        else {
            throw SignatureError(
                kind: .key,
                description: "this is not a public key of minisign; give 56 characters such as"
                    + " RWQf6LRCGA9i53mlYecO…"
            )
        }
        number = Array(all[2..<10])
        bytes = Array(all[10...])
    }

    /// The key number in the notation of minisign.
    package var description: String {
        number.reversed().map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }
            .joined()
    }

    /// Whether `signature`, 64 bytes, is this key's signature of `message` (RFC 8032 §5.1.7).
    func hasSigned(_ message: [UInt8], as signature: [UInt8]) -> Bool {
        var made: gnutls_pubkey_t?
        guard unsafe gnutls_pubkey_init(&made) == 0, let key = unsafe made else { return false }
        defer { unsafe gnutls_pubkey_deinit(key) }
        return Self.withDatum(bytes) { point in
            guard
                unsafe gnutls_pubkey_import_ecc_raw(key, GNUTLS_ECC_CURVE_ED25519, point, nil) == 0
            else { return false }
            return Self.withDatum(message) { message in
                Self.withDatum(signature) { signature in
                    let kind = GNUTLS_SIGN_EDDSA_ED25519
                    return unsafe gnutls_pubkey_verify_data2(key, kind, 0, message, signature) >= 0
                }
            }
        }
    }

    /// Lends the bytes to GnuTLS, which only reads them.
    @safe
    private static func withDatum(
        _ bytes: [UInt8],
        _ body: (UnsafePointer<gnutls_datum_t>) -> Bool
    ) -> Bool {
        var bytes = bytes
        return unsafe bytes.withUnsafeMutableBufferPointer { buffer in
            var datum = unsafe gnutls_datum_t(data: buffer.baseAddress, size: UInt32(buffer.count))
            return unsafe body(&datum)
        }
    }
}

/// Bytes as letters, digits, `+` and `/`, with padding (RFC 4648 §4).
enum Base64 {
    /// The bytes that `text` encodes; `nil` if it is not valid, or longer than any text of
    /// minisign.
    static func bytes(of text: some StringProtocol) -> [UInt8]? {
        guard text.utf8.count <= 200, let data = Data(base64Encoded: String(text)) else {
            return nil
        }
        // Each byte sequence has one text only: the unused bits of the last character are zero.
        return data.base64EncodedString() == text ? Array(data) : nil
    }
}
