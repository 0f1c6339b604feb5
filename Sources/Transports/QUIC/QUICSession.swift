#if QUIC
import CGnuTLS

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Sole owner of the GnuTLS session of one QUIC connection, of TLS 1.3 (RFC 9001); `deinit` frees
/// it.
@safe
final class QUICSession {
    let session: gnutls_session_t
    /// Lent to the session as long as that lives.
    private let name: UnsafeMutablePointer<CChar>
    private let credentials: TLSCredentials

    /// QUIC has nothing older than TLS 1.3, and no middle boxes to be compatible with.
    private static let priorities =
        "NORMAL:-VERS-ALL:+VERS-TLS1.3:-CIPHER-ALL:+AES-128-GCM:+AES-256-GCM:+CHACHA20-POLY1305"
        + ":%DISABLE_TLS13_COMPAT_MODE"

    /// A session with whom `credentials` and `name` say, which speaks `protocolName` (RFC 7301);
    /// with the data of an `earlier` session it goes on with that, and with early data may begin
    /// before the handshake is complete.
    init(
        credentials: TLSCredentials,
        name: String,
        protocolName: String,
        earlier: [UInt8]?,
        earlyData: Bool
    ) throws(TLSError) {
        var opened: gnutls_session_t?
        // GnuTLS itself would send early data with any ticket, whether that allows it or not.
        let flags =
            GNUTLS_CLIENT | GNUTLS_NO_END_OF_EARLY_DATA.bits
            | (earlyData ? GNUTLS_ENABLE_EARLY_DATA.bits : 0)
        guard unsafe gnutls_init(&opened, UInt32(flags)) == 0, let session = unsafe opened,
            let copy = unsafe strdup(name)
        else { throw TLSError(reason: "no TLS session could be made: memory is short") }
        self.credentials = credentials
        unsafe self.session = session
        unsafe self.name = copy
        try unsafe credentials.prepare(session, name: copy)
        var octets = Array(protocolName.utf8)
        let offered = unsafe octets.withUnsafeMutableBufferPointer { buffer in
            var datum = unsafe gnutls_datum_t(data: buffer.baseAddress, size: UInt32(buffer.count))
            let mandatory = UInt32(GNUTLS_ALPN_MANDATORY.rawValue)
            return unsafe gnutls_alpn_set_protocols(session, &datum, 1, mandatory)
        }
        guard unsafe gnutls_priority_set_direct(session, Self.priorities, nil) == 0, offered == 0
        else { throw TLSError(reason: "this GnuTLS has no TLS 1.3") }
        guard let earlier else { return }
        // What cannot be used is passed over: the handshake is then a full one.
        _ = unsafe earlier.withUnsafeBytes { bytes in
            unsafe gnutls_session_set_data(session, bytes.baseAddress, bytes.count)
        }
    }

    deinit {
        unsafe gnutls_deinit(session)
        unsafe free(name)
    }

    /// Whether it goes on with an earlier session.
    var isResumed: Bool { unsafe gnutls_session_is_resumed(session) != 0 }

    /// Checks what GnuTLS does not, once the handshake is complete.
    func verify() throws(TLSError) { try unsafe credentials.verify(session) }

    /// What a later session can go on with, where the other end has given a ticket.
    var ticket: [UInt8]? {
        let flags = unsafe gnutls_session_get_flags(session)
        guard flags & UInt32(GNUTLS_SFLAGS_SESSION_TICKET.rawValue) != 0 else { return nil }
        var size = 0
        _ = unsafe gnutls_session_get_data(session, nil, &size)
        var data = [UInt8](repeating: 0, count: size)
        guard unsafe gnutls_session_get_data(session, &data, &size) == 0 else { return nil }
        return Array(data.prefix(size))
    }

    /// Why the handshake failed at this end, which told the other by `alert`.
    func failure(alert: UInt64) -> TLSError {
        let status = unsafe gnutls_session_get_verify_cert_status(session)
        // All bits are set until a certificate has been verified.
        if status != 0, status != .max { return TLSError(distrusting: status) }
        return TLSError(reason: "TLS handshake failed" + (Self.name(ofAlert: alert) ?? ""))
    }

    /// An alert's name behind a colon, where it has one.
    static func name(ofAlert alert: UInt64) -> String? {
        guard alert > 0, alert < 256 else { return nil }
        let name = unsafe gnutls_alert_get_name(gnutls_alert_description_t(UInt32(alert)))
        return unsafe name.map { unsafe ": \(String(cString: $0))" }
    }
}

extension gnutls_init_flags_t {
    fileprivate var bits: Int32 { Int32(rawValue) }
}
#endif
