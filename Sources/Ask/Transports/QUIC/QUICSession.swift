#if QUIC
import CGnuTLS

extension ClientSession {
    /// The TLS session of a QUIC connection (RFC 9001). It may send early data if the ticket
    /// of an `earlier` session allows it.
    ///
    /// QUIC uses no version before TLS 1.3, and needs no compatibility with middleboxes.
    convenience init(overQUIC check: PeerCheck, earlier: SessionTicket?) throws(ConnectionEnd) {
        var flags = GNUTLS_CLIENT | Int32(GNUTLS_NO_END_OF_EARLY_DATA.rawValue)
        // GnuTLS would send early data with any ticket, even if the ticket does not allow it.
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

    /// The reason why the handshake failed at the client, which reported it with `alert`.
    func failure(alert: UInt64) -> TLSError {
        distrust
            ?? TLSError(
                "TLS handshake failed" + (Self.name(ofAlert: alert) ?? ""),
                isOfProtocol: alert == UInt64(TLSError.noApplicationProtocol)
            )
    }

    /// The name of an alert after a colon, if the alert has a name.
    static func name(ofAlert alert: UInt64) -> String? {
        guard alert > 0, alert < 256 else { return nil }
        let name = unsafe gnutls_alert_get_name(gnutls_alert_description_t(UInt32(alert)))
        return unsafe name.map { unsafe ": \(String(cString: $0))" }
    }
}
#endif
