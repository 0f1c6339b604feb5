import CGnuTLS
import DNSWire

/// The trust anchors and conditions for the verification of a server's certificate.
///
/// Reading the system's roots takes some milliseconds. They are read once, outside the event
/// loop, and shared by all sessions.
@safe
package struct TLSCredentials: Equatable, Sendable {
    /// The authorities whose certificates are trusted.
    package enum Trust: Hashable, Sendable {
        /// Certificates that a root of the system has signed.
        case system
        /// Certificates that a certificate in this file (PEM) has signed.
        case file(String)
        case anybody
    }

    let trust: Trust
    /// The SHA-256 of the accepted public keys (SPKI). The server must have one of them; empty accepts any
    /// key.
    private var pins: Set<[UInt8]>
    /// The SHA-256 of signed parts of certificates. The chain must contain one of them; empty accepts any
    /// chain.
    private var hashes: Set<[UInt8]> = []
    /// An address that the certificate must name as well, in network byte order.
    private var address: [UInt8]?
    private let owner: Owner

    /// Frees GnuTLS's credentials after the last use.
    @safe
    private final class Owner: Equatable, @unchecked Sendable {
        // Safe because GnuTLS only reads credentials once they are set up.
        let credentials: gnutls_certificate_credentials_t

        init(_ credentials: gnutls_certificate_credentials_t) {
            unsafe self.credentials = credentials
        }

        deinit { unsafe gnutls_certificate_free_credentials(credentials) }

        static func == (one: Owner, other: Owner) -> Bool { one === other }
    }

    package init(_ trust: Trust = .system, pins: Set<[UInt8]> = []) throws(TLSError) {
        var made: gnutls_certificate_credentials_t?
        guard unsafe gnutls_certificate_allocate_credentials(&made) == 0,
            let credentials = unsafe made
        else { throw TLSError("no TLS credentials could be made: memory is short") }
        self.trust = trust
        self.pins = pins
        owner = unsafe Owner(credentials)
        switch trust {
        case .anybody: break
        case .system:
            guard unsafe gnutls_certificate_set_x509_system_trust(credentials) > 0 else {
                throw TLSError("this system has no root certificates; install ca-certificates")
            }
        case .file(let path):
            let format = GNUTLS_X509_FMT_PEM
            guard unsafe gnutls_certificate_set_x509_trust_file(credentials, path, format) > 0
            else {
                throw TLSError("'\(path)' has no certificate that can be read; give a PEM file")
            }
        }
    }

    /// The trust of `other` with further conditions. If `hashes` is not empty, the chain must contain a
    /// certificate with one of the hashes. The certificate must also name `address`, of four or sixteen
    /// bytes.
    package init(_ other: TLSCredentials, hashes: Set<[UInt8]> = [], address: [UInt8]? = nil) {
        self = other
        self.hashes = hashes
        self.address = address
    }

    /// Sets these credentials in `session`, which calls the verification at its own time.
    func lend(to session: gnutls_session_t) throws(ConnectionEnd) {
        let pointer = unsafe UnsafeMutableRawPointer(owner.credentials)
        guard unsafe gnutls_credentials_set(session, GNUTLS_CRD_CERTIFICATE, pointer) == 0 else {
            throw ConnectionEnd(TLSError("TLS credentials are refused"))
        }
    }

    /// Verifies the certificates that the peer of `session` presented. They must lead to a trusted root and
    /// be valid for a server with `name`, a host name or an address. All further conditions must hold.
    func verify(_ session: gnutls_session_t, is name: String) throws(TLSError) {
        if trust != .anybody { try unsafe verifyChain(session, name) }
        guard !pins.isEmpty || !hashes.isEmpty || address != nil else { return }
        var count: UInt32 = 0
        guard let sent = unsafe gnutls_certificate_get_peers(session, &count), count > 0,
            let own = unsafe TLSCertificate(sent[0])
        else { throw TLSError.withoutCertificate }
        if !pins.isEmpty, !(own.publicKeyDigest.map(pins.contains) ?? false) {
            throw .distrust("the certificate's key is not the pinned one")
        }
        if let address, !own.names(address) {
            throw .distrust("the certificate does not name the address that was asked for it")
        }
        let chain = unsafe UnsafeBufferPointer(start: sent, count: min(Int(count), Self.longest))
        if !hashes.isEmpty, unsafe !hasNamedCertificate(chain) {
            throw .distrust("no certificate of the chain is one that the DNS stamp names")
        }
    }

    /// The longest chain that GnuTLS verifies. Without trust conditions GnuTLS does not verify the chain.
    private static let longest = 16

    /// Rejects keys in the chain of `session` that need much computation. GnuTLS accepts certificates whose
    /// key takes minutes, which would stop all measurements.
    static func checkKeys(of session: gnutls_session_t) throws(TLSError) {
        var count: UInt32 = 0
        guard let sent = unsafe gnutls_certificate_get_peers(session, &count) else { return }
        for index in 0..<min(Int(count), Self.longest) {
            guard let certificate = unsafe TLSCertificate(sent[index]) else { continue }
            guard certificate.hasBoundedKey else {
                let reason = "the certificate cannot be verified: its chain has too large a key"
                throw TLSError(Distrust(reason, isFinal: true))
            }
        }
    }

    private func verifyChain(_ session: gnutls_session_t, _ name: String) throws(TLSError) {
        var status: UInt32 = 0
        // RFC 5280 §4.2.1.12: a certificate without a stated purpose is valid for every purpose.
        let purpose = GNUTLS_KP_TLS_WWW_SERVER
        let code = unsafe name.withCString { name in
            unsafe purpose.withCString { purpose in
                let demands = unsafe [
                    (GNUTLS_DT_DNS_HOSTNAME, name), (GNUTLS_DT_KEY_PURPOSE_OID, purpose),
                ]
                var data = unsafe demands.map { type, text in
                    // GnuTLS only reads the text. Without a size the text ends with a zero byte.
                    let text = unsafe UnsafeMutableRawPointer(mutating: text)
                    return unsafe gnutls_typed_vdata_st(
                        type: type,
                        data: text.assumingMemoryBound(to: UInt8.self),
                        size: 0
                    )
                }
                let count = unsafe UInt32(data.count)
                return unsafe gnutls_certificate_verify_peers(session, &data, count, &status)
            }
        }
        guard code == 0 else {
            let words = unsafe String(cString: gnutls_strerror(code))
            throw .distrust("the certificate cannot be verified: \(words)")
        }
        guard status != 0 else { return }
        var count: UInt32 = 0
        guard let sent = unsafe gnutls_certificate_get_peers(session, &count), count > 0,
            let own = unsafe TLSCertificate(sent[0])
        else { throw TLSError.withoutCertificate }
        throw TLSError(Distrust(of: own, status, asFor: name))
    }

    /// Whether the verified path from the server's certificate to a root contains a certificate with an
    /// accepted hash. Other certificates in `sent` prove nothing.
    private func hasNamedCertificate(_ sent: UnsafeBufferPointer<gnutls_datum_t>) -> Bool {
        guard var last = unsafe TLSCertificate(sent[0]) else { return false }
        if isNamed(last) { return true }
        var left = Array(sent.indices.dropFirst())
        while let next = left.first(where: { index in
            guard let issuer = unsafe TLSCertificate(sent[index]) else { return false }
            return last.isSigned(by: issuer)
        }) {
            guard let issuer = unsafe TLSCertificate(sent[next]) else { return false }
            if isNamed(issuer) { return true }
            last = issuer
            left.removeAll { $0 == next }
        }
        guard let root = unsafe TLSCertificate(rootOf: last, in: owner.credentials) else {
            return false
        }
        return isNamed(root)
    }

    private func isNamed(_ certificate: borrowing TLSCertificate) -> Bool {
        certificate.signedPartDigest.map(hashes.contains) ?? false
    }
}

extension TLSError {
    static let withoutCertificate = TLSError.distrust("there is no certificate")
}

extension Distrust {
    /// The faults that GnuTLS's verification found in `certificate` for `name`, the most informative first.
    fileprivate init(of certificate: borrowing TLSCertificate, _ status: UInt32, asFor name: String)
    {
        func isSet(_ flag: gnutls_certificate_status_t) -> Bool {
            status & UInt32(flag.rawValue) != 0
        }
        let names = certificate.names
        let issuer =
            certificate.isSelfSigned
            ? "is self-signed" : "is signed by an unknown issuer (\(certificate.issuer))"
        let reasons: [(gnutls_certificate_status_t, String)] = [
            (GNUTLS_CERT_REVOKED, "has been revoked"),
            (GNUTLS_CERT_EXPIRED, "expired on \(certificate.lastDay)"),
            (GNUTLS_CERT_NOT_ACTIVATED, "is not valid before \(certificate.firstDay)"),
            (GNUTLS_CERT_UNEXPECTED_OWNER, "is for \(names.text), not for \(name)"),
            (GNUTLS_CERT_PURPOSE_MISMATCH, "is not for a server"),
            (GNUTLS_CERT_SIGNER_NOT_FOUND, issuer),
            (GNUTLS_CERT_SIGNER_NOT_CA, "is signed by a certificate that may not sign"),
            (GNUTLS_CERT_INSECURE_ALGORITHM, "is signed with an insecure algorithm"),
        ]
        let found = reasons.filter { isSet($0.0) }.map(\.1)
        let words = found.isEmpty ? "is not valid" : found.joined(separator: " and ")
        self.init(
            "the certificate \(words)",
            isIssuerUnknown: isSet(GNUTLS_CERT_SIGNER_NOT_FOUND),
            otherName: isSet(GNUTLS_CERT_UNEXPECTED_OWNER) ? names.host : nil
        )
    }
}
