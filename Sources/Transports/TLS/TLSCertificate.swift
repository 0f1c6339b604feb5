import CGnuTLS
import DNSWire

/// Sole owner of one certificate of GnuTLS's; `deinit` frees it.
@safe
struct TLSCertificate: ~Copyable {
    private let certificate: gnutls_x509_crt_t

    /// Reads a certificate in DER; `nil` where it is none.
    init?(_ encoded: gnutls_datum_t) {
        var made: gnutls_x509_crt_t?
        guard unsafe gnutls_x509_crt_init(&made) == 0, let certificate = unsafe made else {
            return nil
        }
        var encoded = unsafe encoded
        guard unsafe gnutls_x509_crt_import(certificate, &encoded, GNUTLS_X509_FMT_DER) == 0 else {
            unsafe gnutls_x509_crt_deinit(certificate)
            return nil
        }
        unsafe self.certificate = certificate
    }

    /// The one of a trusted root that has signed `other`; `nil` where there is none.
    init?(rootOf other: borrowing TLSCertificate, in roots: gnutls_certificate_credentials_t) {
        var found: gnutls_x509_crt_t?
        let flags = UInt32(GNUTLS_TL_GET_COPY.rawValue)
        let code = unsafe gnutls_certificate_get_issuer(roots, other.certificate, &found, flags)
        guard code == 0, let certificate = unsafe found else { return nil }
        unsafe self.certificate = certificate
    }

    deinit { unsafe gnutls_x509_crt_deinit(certificate) }

    /// The SHA-256 of its public key (SPKI).
    var publicKeyDigest: [UInt8]? {
        var digest = [UInt8](repeating: 0, count: 32)
        var size = digest.count
        let kind = UInt32(GNUTLS_KEYID_USE_SHA256.rawValue)
        guard unsafe gnutls_x509_crt_get_key_id(certificate, kind, &digest, &size) == 0 else {
            return nil
        }
        return digest
    }

    /// The SHA-256 of what its issuer has signed (the TBSCertificate of RFC 5280 §4.1).
    var signedPartDigest: [UInt8]? {
        var size = 0
        // Without room it says how much is needed.
        _ = unsafe gnutls_x509_crt_export(certificate, GNUTLS_X509_FMT_DER, nil, &size)
        var octets = [UInt8](repeating: 0, count: size)
        let code = unsafe gnutls_x509_crt_export(certificate, GNUTLS_X509_FMT_DER, &octets, &size)
        guard code == 0, let whole = DERElement(at: 0, in: octets),
            let part = DERElement(at: whole.content.lowerBound, in: octets)
        else { return nil }
        return SHA256.hash(Array(octets[part.range]))
    }

    /// Whether it is for `address`, four or sixteen octets (RFC 5280 §4.2.1.6, iPAddress).
    func names(_ address: [UInt8]) -> Bool {
        unsafe gnutls_x509_crt_check_ip(certificate, address, UInt32(address.count), 0) != 0
    }

    func isSigned(by issuer: borrowing TLSCertificate) -> Bool {
        guard unsafe gnutls_x509_crt_check_issuer(certificate, issuer.certificate) == 1 else {
            return false
        }
        var authority: gnutls_x509_crt_t? = unsafe issuer.certificate
        var status: UInt32 = 0
        // Whether it is still valid was looked at with the whole chain.
        let flags = UInt32(GNUTLS_VERIFY_DISABLE_TIME_CHECKS.rawValue)
        let code = unsafe gnutls_x509_crt_verify(certificate, &authority, 1, flags, &status)
        return code == 0 && status == 0
    }
}

/// Where one element of DER lies (X.690 §8.1), all of it inside.
private struct DERElement {
    let range: Range<Int>
    let content: Range<Int>

    init?(at start: Int, in octets: [UInt8]) {
        guard start + 2 <= octets.count else { return nil }
        var position = start + 2
        var length = Int(octets[start + 1])
        if length >= 0x80 {
            let count = length & 0x7f
            guard (1...4).contains(count), position + count <= octets.count else { return nil }
            length = octets[position..<position + count].reduce(0) { $0 << 8 | Int($1) }
            position += count
        }
        guard length <= octets.count - position else { return nil }
        content = position..<position + length
        range = start..<position + length
    }
}
