import CGnuTLS

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Sole owner of one GnuTLS client session, whatever carries it; `deinit` frees it.
@safe
final class ClientSession {
    let handle: gnutls_session_t
    /// Lent to the session as long as that lives.
    private let name: UnsafeMutablePointer<CChar>
    private let credentials: TLSCredentials

    /// What is offered to the other end.
    struct Offer {
        /// Of `gnutls_init`.
        var flags: Int32
        /// Versions and ciphers, in GnuTLS's words.
        var priorities: String
        /// What is spoken inside (RFC 7301).
        var protocolName: String
        /// Whether an end that does not know the protocol ends the handshake.
        var isProtocolRequired = false
    }

    /// A session with whom `credentials` and `name` say; with the ticket of an `earlier` session it
    /// goes on with that one.
    init(
        _ offer: Offer,
        credentials: TLSCredentials,
        name: String,
        earlier: [UInt8]?
    ) throws(TLSError) {
        var opened: gnutls_session_t?
        guard unsafe gnutls_init(&opened, UInt32(offer.flags)) == 0, let handle = unsafe opened,
            let copy = unsafe strdup(name)
        else { throw TLSError(reason: "no TLS session could be made: memory is short") }
        self.credentials = credentials
        unsafe self.handle = handle
        unsafe self.name = copy
        try unsafe credentials.prepare(handle, name: copy)
        var octets = Array(offer.protocolName.utf8)
        let isRequired = offer.isProtocolRequired
        let offered = unsafe octets.withUnsafeMutableBufferPointer { buffer in
            var datum = unsafe gnutls_datum_t(data: buffer.baseAddress, size: UInt32(buffer.count))
            let flags = isRequired ? UInt32(GNUTLS_ALPN_MANDATORY.rawValue) : 0
            return unsafe gnutls_alpn_set_protocols(handle, &datum, 1, flags)
        }
        guard unsafe gnutls_priority_set_direct(handle, offer.priorities, nil) == 0, offered == 0
        else { throw TLSError(reason: "this GnuTLS has no TLS 1.3") }
        guard let earlier else { return }
        // What cannot be used is passed over: the handshake is then a full one.
        _ = unsafe earlier.withUnsafeBytes { bytes in
            unsafe gnutls_session_set_data(handle, bytes.baseAddress, bytes.count)
        }
    }

    deinit {
        unsafe gnutls_deinit(handle)
        unsafe free(name)
    }

    /// Whether it goes on with an earlier session.
    var isResumed: Bool { unsafe gnutls_session_is_resumed(handle) != 0 }

    /// Checks what GnuTLS does not, once the handshake is complete.
    func verify() throws(TLSError) { try unsafe credentials.verify(handle) }

    /// What a later session can go on with, where the other end has given a ticket.
    var ticket: [UInt8]? {
        let flags = unsafe gnutls_session_get_flags(handle)
        guard flags & UInt32(GNUTLS_SFLAGS_SESSION_TICKET.rawValue) != 0 else { return nil }
        var size = 0
        _ = unsafe gnutls_session_get_data(handle, nil, &size)
        var data = [UInt8](repeating: 0, count: size)
        guard unsafe gnutls_session_get_data(handle, &data, &size) == 0 else { return nil }
        return Array(data.prefix(size))
    }
}
