#if (DEBUG || TESTABLE) && QUIC
import CGnuTLS

/// The TLS of a QUIC server (RFC 9001 §4), with arbitrary bytes as transport parameters.
@safe
final class QUICHandshake {
    /// The handshake bytes to send, by encryption level.
    private(set) var octets: [UInt32: [UInt8]] = [:]
    /// The secrets that protect the server's packets, by encryption level.
    private(set) var secrets: [UInt32: [UInt8]] = [:]
    fileprivate let parameters: [UInt8]
    private var session: gnutls_session_t?
    private let identity: SelfSigned

    init?(_ identity: SelfSigned, parameters: [UInt8]) {
        self.identity = identity
        self.parameters = parameters
        let priorities =
            "NORMAL:-VERS-ALL:+VERS-TLS1.3:-CIPHER-ALL:+AES-128-GCM:%DISABLE_TLS13_COMPAT_MODE"
        let flags = UInt32(GNUTLS_SERVER | GNUTLS_NO_SIGNAL) | GNUTLS_NO_AUTO_SEND_TICKET.rawValue
        guard unsafe gnutls_init(&session, flags) == 0, let session = unsafe session,
            unsafe gnutls_priority_set_direct(session, priorities, nil) == 0
        else { return nil }
        let credentials = unsafe UnsafeMutableRawPointer(identity.credentials)
        unsafe gnutls_credentials_set(session, GNUTLS_CRD_CERTIFICATE, credentials)
        unsafe gnutls_session_set_ptr(session, Unmanaged.passUnretained(self).toOpaque())
        unsafe gnutls_handshake_set_read_function(session, said)
        unsafe gnutls_handshake_set_secret_function(session, agreed)
        let places =
            GNUTLS_EXT_FLAG_TLS.rawValue | GNUTLS_EXT_FLAG_CLIENT_HELLO.rawValue
            | GNUTLS_EXT_FLAG_EE.rawValue
        _ = unsafe gnutls_session_ext_register(
            session,
            "QUIC",
            0x39,
            GNUTLS_EXT_TLS,
            ignored,
            sent,
            nil,
            nil,
            nil,
            places
        )
        offer("doq")
    }

    deinit { if let session = unsafe session { unsafe gnutls_deinit(session) } }

    /// Takes the client's first handshake message, and produces the server's complete response.
    func take(_ hello: [UInt8]) {
        guard let session = unsafe session else { return }
        _ = unsafe gnutls_handshake_write(
            session,
            GNUTLS_ENCRYPTION_LEVEL_INITIAL,
            hello,
            hello.count
        )
        _ = unsafe gnutls_handshake(session)
    }

    private func offer(_ name: String) {
        var name = Array(name.utf8)
        unsafe name.withUnsafeMutableBufferPointer { name in
            var datum = unsafe gnutls_datum_t(data: name.baseAddress, size: UInt32(name.count))
            _ = unsafe gnutls_alpn_set_protocols(session, &datum, 1, 0)
        }
    }

    fileprivate func note(_ said: [UInt8], _ level: gnutls_record_encryption_level_t) {
        octets[level.rawValue, default: []] += said
    }

    fileprivate func note(secret: [UInt8], _ level: gnutls_record_encryption_level_t) {
        secrets[level.rawValue] = secret
    }
}

// MARK: Callbacks of GnuTLS

private func handshake(_ session: gnutls_session_t?) -> QUICHandshake? {
    guard let context = unsafe gnutls_session_get_ptr(session) else { return nil }
    return unsafe Unmanaged<QUICHandshake>.fromOpaque(context).takeUnretainedValue()
}

private func said(
    _ session: gnutls_session_t?,
    _ level: gnutls_record_encryption_level_t,
    _ kind: gnutls_handshake_description_t,
    _ data: UnsafeRawPointer?,
    _ size: Int
) -> Int32 {
    // QUIC does not use this message (RFC 9001 §8.4).
    guard kind != GNUTLS_HANDSHAKE_CHANGE_CIPHER_SPEC else { return 0 }
    let octets = unsafe [UInt8](UnsafeRawBufferPointer(start: data, count: size))
    unsafe handshake(session)?.note(octets, level)
    return 0
}

private func agreed(
    _ session: gnutls_session_t?,
    _ level: gnutls_record_encryption_level_t,
    _ read: UnsafeRawPointer?,
    _ write: UnsafeRawPointer?,
    _ size: Int
) -> Int32 {
    guard let write = unsafe write else { return 0 }
    let secret = unsafe [UInt8](UnsafeRawBufferPointer(start: write, count: size))
    unsafe handshake(session)?.note(secret: secret, level)
    return 0
}

private func ignored(
    _ session: gnutls_session_t?,
    _ data: UnsafePointer<UInt8>?,
    _ size: Int
) -> Int32 { 0 }

private func sent(_ session: gnutls_session_t?, _ buffer: gnutls_buffer_t?) -> Int32 {
    guard let parameters = unsafe handshake(session)?.parameters else { return 0 }
    _ = unsafe gnutls_buffer_append_data(buffer, parameters, parameters.count)
    return Int32(parameters.count)
}
#endif
