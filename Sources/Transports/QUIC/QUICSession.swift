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
    /// The other end's grants before the handshake is complete; empty for none.
    let grants: [UInt8]
    var session: gnutls_session_t { unsafe owner.handle }

    /// QUIC has nothing older than TLS 1.3, and no middle boxes to be compatible with.
    private static let priorities =
        "NORMAL:-VERS-ALL:+VERS-TLS1.3:-CIPHER-ALL:+AES-128-GCM:+AES-256-GCM:+CHACHA20-POLY1305"
        + ":%DISABLE_TLS13_COMPAT_MODE"

    /// A session with whoever passes `check`; with the ticket of an `earlier` one it goes on with
    /// that, and may begin before the handshake is complete where that grants anything then.
    init(_ check: PeerCheck, earlier: SessionTicket?) throws(ConnectionEnd) {
        // GnuTLS itself would send early data with any ticket, whether that allows it or not.
        let earlyData = earlier?.grants.isEmpty == false
        let flags =
            GNUTLS_CLIENT | GNUTLS_NO_END_OF_EARLY_DATA.bits
            | (earlyData ? GNUTLS_ENABLE_EARLY_DATA.bits : 0)
        owner = try ClientSession(
            .init(flags: flags, priorities: Self.priorities, isProtocolRequired: true),
            check,
            earlier: earlier
        )
        grants = owner.isContinued ? earlier?.grants ?? [] : []
    }

    var isResumed: Bool { owner.isResumed }

    /// Makes sure that the other end is believed, once the handshake is complete.
    func confirm() throws(ConnectionEnd) {
        guard owner.isBelieved else { throw ConnectionEnd(owner.distrust ?? .withoutCertificate) }
    }

    var ticket: SessionTicket? { owner.ticket }

    /// Why the handshake failed at this end, which told the other by `alert`.
    func failure(alert: UInt64) -> TLSError {
        owner.distrust
            ?? TLSError("TLS handshake failed" + (Self.name(ofAlert: alert) ?? ""))
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
