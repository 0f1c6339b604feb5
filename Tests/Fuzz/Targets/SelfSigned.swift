#if DEBUG || TESTABLE
import CGnuTLS

/// A self-signed certificate and its key, created at the start of the program.
@safe
final class SelfSigned: Sendable {
    // Safe because GnuTLS only reads credentials after their setup.
    nonisolated(unsafe) let credentials: gnutls_certificate_credentials_t

    init?() {
        var key: gnutls_x509_privkey_t?
        var certificate: gnutls_x509_crt_t?
        var made: gnutls_certificate_credentials_t?
        // GNUTLS_CURVE_TO_BITS, a macro that Swift does not import.
        let curve = UInt32(1) << 31 | GNUTLS_ECC_CURVE_SECP256R1.rawValue
        var serial: UInt8 = 1
        let begin = 1_700_000_000
        defer {
            unsafe gnutls_x509_crt_deinit(certificate)
            unsafe gnutls_x509_privkey_deinit(key)
        }
        guard unsafe gnutls_x509_privkey_init(&key) == 0,
            unsafe gnutls_x509_privkey_generate(key, GNUTLS_PK_ECDSA, curve, 0) == 0,
            unsafe gnutls_x509_crt_init(&certificate) == 0,
            unsafe gnutls_x509_crt_set_version(certificate, 3) == 0,
            unsafe gnutls_x509_crt_set_serial(certificate, &serial, 1) == 0,
            unsafe gnutls_x509_crt_set_activation_time(certificate, begin) == 0,
            unsafe gnutls_x509_crt_set_expiration_time(certificate, begin * 2) == 0,
            unsafe gnutls_x509_crt_set_key(certificate, key) == 0,
            unsafe gnutls_x509_crt_sign2(certificate, certificate, key, GNUTLS_DIG_SHA256, 0) == 0,
            unsafe gnutls_certificate_allocate_credentials(&made) == 0,
            let credentials = unsafe made,
            unsafe gnutls_certificate_set_x509_key(credentials, &certificate, 1, key) == 0
        else { return nil }
        unsafe self.credentials = credentials
    }
}
#endif
