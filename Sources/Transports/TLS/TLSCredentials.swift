import CGnuTLS

/// What the certificates of other ends are verified against; sole owner of GnuTLS's credentials.
///
/// Reading the system's roots takes some milliseconds: they are made once, away from the event
/// loop, and shared by all sessions.
@safe
public final class TLSCredentials: @unchecked Sendable {
    // Safe because GnuTLS only reads credentials once they are set up.

    /// Whose certificates are believed.
    public enum Trust: Hashable, Sendable {
        /// Those that a root of the system has signed.
        case system
        /// Those that a certificate in this file (PEM) has signed.
        case file(String)
        /// Anybody's.
        case anybody
    }

    let trust: Trust
    /// The SHA-256 of the public keys (SPKI) of which the other end has to have one; empty for any.
    private let pins: Set<[UInt8]>
    private let credentials: gnutls_certificate_credentials_t

    public init(_ trust: Trust = .system, pins: Set<[UInt8]> = []) throws(TLSError) {
        var made: gnutls_certificate_credentials_t?
        guard unsafe gnutls_certificate_allocate_credentials(&made) == 0,
            let credentials = unsafe made
        else { throw TLSError(reason: "no TLS credentials could be made: memory is short") }
        self.trust = trust
        self.pins = pins
        unsafe self.credentials = credentials
        switch trust {
        case .anybody: break
        case .system:
            guard unsafe gnutls_certificate_set_x509_system_trust(credentials) > 0 else {
                throw TLSError(
                    reason: "this system has no root certificates; install ca-certificates"
                )
            }
        case .file(let path):
            let count = unsafe gnutls_certificate_set_x509_trust_file(
                credentials,
                path,
                GNUTLS_X509_FMT_PEM
            )
            guard count > 0 else {
                throw TLSError(
                    reason: "'\(path)' has no certificate that can be read; give a PEM file"
                )
            }
        }
    }

    deinit { unsafe gnutls_certificate_free_credentials(credentials) }

    /// Has `session` verify that the other end is `name`, a host name or an address, which has to
    /// live as long as the session.
    func prepare(
        _ session: gnutls_session_t,
        name: UnsafePointer<CChar>
    ) throws(TLSError) {
        let pointer = unsafe UnsafeMutableRawPointer(credentials)
        guard unsafe gnutls_credentials_set(session, GNUTLS_CRD_CERTIFICATE, pointer) == 0 else {
            throw TLSError(reason: "TLS credentials are refused")
        }
        if trust != .anybody { unsafe gnutls_session_set_verify_cert(session, name, 0) }
        let text = unsafe String(cString: name)
        // RFC 6066 §3: no addresses.
        guard !text.contains(":"), text.contains(where: \.isLetter) else { return }
        _ = unsafe gnutls_server_name_set(session, GNUTLS_NAME_DNS, name, text.utf8.count)
    }

    /// Checks the public key of the other end against the pins, after the handshake. A session that
    /// goes on with an earlier one was checked then.
    func verify(_ session: gnutls_session_t) throws(TLSError) {
        guard !pins.isEmpty, unsafe gnutls_session_is_resumed(session) == 0 else { return }
        guard let key = unsafe publicKeyDigest(of: session), pins.contains(key) else {
            throw TLSError(reason: "the certificate's key is not the pinned one", isDistrust: true)
        }
    }

    private func publicKeyDigest(of session: gnutls_session_t) -> [UInt8]? {
        var count: UInt32 = 0
        var certificate: gnutls_x509_crt_t?
        guard let chain = unsafe gnutls_certificate_get_peers(session, &count), count > 0,
            unsafe gnutls_x509_crt_init(&certificate) == 0,
            let certificate = unsafe certificate
        else { return nil }
        defer { unsafe gnutls_x509_crt_deinit(certificate) }
        var digest = [UInt8](repeating: 0, count: 32)
        var size = digest.count
        guard unsafe gnutls_x509_crt_import(certificate, chain, GNUTLS_X509_FMT_DER) == 0,
            unsafe gnutls_x509_crt_get_key_id(
                certificate,
                UInt32(GNUTLS_KEYID_USE_SHA256.rawValue),
                &digest,
                &size
            ) == 0
        else { return nil }
        return digest
    }
}

extension TLSError {
    /// What GnuTLS's verification says against a certificate, the most telling first.
    init(distrusting status: UInt32) {
        let reasons: [(gnutls_certificate_status_t, String)] = [
            (GNUTLS_CERT_REVOKED, "has been revoked"),
            (GNUTLS_CERT_EXPIRED, "has expired"),
            (GNUTLS_CERT_NOT_ACTIVATED, "is not valid yet"),
            (GNUTLS_CERT_UNEXPECTED_OWNER, "is for another name"),
            (GNUTLS_CERT_SIGNER_NOT_FOUND, "is not signed by a trusted root"),
            (GNUTLS_CERT_SIGNER_NOT_CA, "is signed by one that may not sign"),
            (GNUTLS_CERT_INSECURE_ALGORITHM, "is signed with an insecure algorithm"),
        ]
        let found = reasons.filter { status & UInt32($0.0.rawValue) != 0 }.map(\.1)
        let words = found.isEmpty ? "is not valid" : found.joined(separator: " and ")
        self.init(reason: "the certificate \(words)", isDistrust: true)
    }
}
