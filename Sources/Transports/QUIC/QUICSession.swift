#if QUIC
import CGnuTLS

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The TLS session of one QUIC connection, of TLS 1.3 (RFC 9001).
@safe
final class QUICSession {
    private let owner: ClientSession
    var session: gnutls_session_t { unsafe owner.handle }

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
        // GnuTLS itself would send early data with any ticket, whether that allows it or not.
        let flags =
            GNUTLS_CLIENT | GNUTLS_NO_END_OF_EARLY_DATA.bits
            | (earlyData ? GNUTLS_ENABLE_EARLY_DATA.bits : 0)
        owner = try ClientSession(
            .init(
                flags: flags,
                priorities: Self.priorities,
                protocolName: protocolName,
                isProtocolRequired: true
            ),
            credentials: credentials,
            name: name,
            earlier: earlier
        )
    }

    /// Whether it goes on with an earlier session.
    var isResumed: Bool { owner.isResumed }

    /// Checks what GnuTLS does not, once the handshake is complete.
    func verify() throws(TLSError) { try owner.verify() }

    /// What a later session can go on with, where the other end has given a ticket.
    var ticket: [UInt8]? { owner.ticket }

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
