#if QUIC
import CGnuTLS

extension ClientSession {
    /// A session of a QUIC connection (RFC 9001), which may begin before the handshake is complete
    /// where the ticket of an `earlier` one grants anything then.
    ///
    /// QUIC has nothing older than TLS 1.3, and no middle boxes to be compatible with.
    convenience init(overQUIC check: PeerCheck, earlier: SessionTicket?) throws(ConnectionEnd) {
        var flags = GNUTLS_CLIENT | Int32(GNUTLS_NO_END_OF_EARLY_DATA.rawValue)
        // GnuTLS itself would send early data with any ticket, whether that allows it or not.
        if earlier?.grants.isEmpty == false { flags |= Int32(GNUTLS_ENABLE_EARLY_DATA.rawValue) }
        try self.init(
            flags: flags,
            priorities: "NORMAL:-VERS-ALL:+VERS-TLS1.3:-CIPHER-ALL:+AES-128-GCM:+AES-256-GCM"
                + ":+CHACHA20-POLY1305:%DISABLE_TLS13_COMPAT_MODE",
            isProtocolRequired: true,
            check,
            earlier: earlier
        )
    }

    /// Why the handshake failed at this end, which told the other by `alert`.
    func failure(alert: UInt64) -> TLSError {
        distrust ?? TLSError("TLS handshake failed" + (Self.name(ofAlert: alert) ?? ""))
    }

    /// An alert's name behind a colon, where it has one.
    static func name(ofAlert alert: UInt64) -> String? {
        guard alert > 0, alert < 256 else { return nil }
        let name = unsafe gnutls_alert_get_name(gnutls_alert_description_t(UInt32(alert)))
        return unsafe name.map { unsafe ": \(String(cString: $0))" }
    }
}
#endif
