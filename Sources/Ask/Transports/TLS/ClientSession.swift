import CGnuTLS

/// The sole owner of a GnuTLS client session over any carrier; `deinit` frees it.
///
/// A peer that fails the check ends the handshake before it is complete.
@safe
final class ClientSession {
    let handle: gnutls_session_t
    private let check: PeerCheck
    /// Whether a ticket was offered to the peer.
    private(set) var isContinued = false
    /// Whether the peer's certificates passed the check.
    private var isVerified = false
    /// The reason why the peer's certificates failed the check.
    private(set) var distrust: TLSError?
    /// The size of early data in bytes that the last ticket allows.
    private var earlyDataSize: UInt32 = 0
    /// Receives this size with each ticket, before GnuTLS parses the ticket.
    var ticketReceived: ((_ earlyDataSize: UInt32) -> Void)?

    /// A session with a peer that passes `check`. It uses `flags` for `gnutls_init` and the versions and
    /// ciphers of `priorities`. With `isProtocolRequired`, a peer that does not know the protocol ends the
    /// handshake. The session resumes with the ticket of `earlier`, if that session had the same check.
    init(
        flags: Int32,
        priorities: String,
        isProtocolRequired: Bool = false,
        _ check: PeerCheck,
        earlier: SessionTicket?
    ) throws(ConnectionEnd) {
        var opened: gnutls_session_t?
        guard unsafe gnutls_init(&opened, UInt32(flags)) == 0, let handle = unsafe opened
        else { throw ConnectionEnd(TLSError("no TLS session could be made: memory is short")) }
        unsafe self.handle = handle
        self.check = check
        try unsafe check.credentials.lend(to: handle)
        // Over QUIC, ngtcp2 uses the session's own pointer. The database pointer is free, because clients
        // have no database.
        unsafe gnutls_db_set_ptr(handle, Unmanaged.passUnretained(self).toOpaque())
        unsafe gnutls_session_set_verify_function(handle, verifyPeer)
        // A session has only one hook. It is set for all messages (`GNUTLS_HANDSHAKE_ANY`, a macro that is
        // not imported).
        unsafe gnutls_handshake_set_hook_function(handle, .max, GNUTLS_HOOK_PRE, messageReceived)
        guard nameHost(), offerProtocol(isRequired: isProtocolRequired),
            unsafe gnutls_priority_set_direct(handle, priorities, nil) == 0
        else { throw ConnectionEnd(TLSError("this GnuTLS has no TLS 1.3")) }
        guard let earlier, earlier.check == check else { return }
        // An unusable ticket is ignored: the handshake is then a full one.
        isContinued = unsafe earlier.data.withUnsafeBytes { bytes in
            unsafe gnutls_session_set_data(handle, bytes.baseAddress, bytes.count) == 0
        }
    }

    deinit { unsafe gnutls_deinit(handle) }

    /// Sends the server's name, for servers with many names (RFC 6066 §3: no addresses).
    private func nameHost() -> Bool {
        let name = check.name
        guard !name.contains(":"), name.contains(where: \.isLetter) else { return true }
        return unsafe gnutls_server_name_set(handle, GNUTLS_NAME_DNS, name, name.utf8.count) == 0
    }

    private func offerProtocol(isRequired: Bool) -> Bool {
        let names = check.protocolNames
        var content = names.flatMap { Array($0.utf8) }
        return unsafe content.withUnsafeMutableBufferPointer { buffer in
            guard var start = buffer.baseAddress else { return false }
            var data: [gnutls_datum_t] = unsafe []
            for name in names {
                let size = UInt32(name.utf8.count)
                unsafe data.append(unsafe gnutls_datum_t(data: start, size: size))
                unsafe start += Int(size)
            }
            let flags = isRequired ? UInt32(GNUTLS_ALPN_MANDATORY.rawValue) : 0
            let count = UInt32(names.count)
            return unsafe gnutls_alpn_set_protocols(handle, data, count, flags) == 0
        }
    }

    /// The protocol that the peer selected (RFC 7301); `nil` if it selected none.
    var protocolName: String? {
        var datum = unsafe gnutls_datum_t()
        guard unsafe gnutls_alpn_get_selected_protocol(handle, &datum) == 0,
            let data = unsafe datum.data
        else { return nil }
        let content = unsafe UnsafeBufferPointer(start: data, count: Int(datum.size))
        return unsafe String(decoding: content, as: UTF8.self)
    }

    var isResumed: Bool { unsafe isContinued && gnutls_session_is_resumed(handle) != 0 }

    /// Whether the peer passed the check, in this session or in the resumed one.
    private var isBelieved: Bool { isVerified || isResumed }

    /// Throws if the peer is not verified, once the handshake is complete.
    func confirm() throws(ConnectionEnd) {
        guard isBelieved else { throw ConnectionEnd(distrust ?? .withoutCertificate) }
    }

    /// The ticket for a later session, if the peer is verified and has sent a ticket.
    var ticket: SessionTicket? {
        let flags = unsafe gnutls_session_get_flags(handle)
        guard isBelieved, flags & UInt32(GNUTLS_SFLAGS_SESSION_TICKET.rawValue) != 0 else {
            return nil
        }
        var size = 0
        _ = unsafe gnutls_session_get_data(handle, nil, &size)
        var data = [UInt8](repeating: 0, count: size)
        guard unsafe gnutls_session_get_data(handle, &data, &size) == 0 else { return nil }
        return SessionTicket(
            check: check,
            data: Array(data.prefix(size)),
            protocolName: protocolName,
            earlyDataSize: earlyDataSize
        )
    }

    fileprivate func verify() -> Bool {
        isVerified = isPassed { () throws(TLSError) in
            try unsafe TLSCredentials.checkKeys(of: handle)
            try unsafe check.credentials.verify(handle, is: check.name)
        }
        return isVerified
    }

    /// Checks a message of the peer before GnuTLS reads it. Returns `false` if GnuTLS must not read it.
    fileprivate func allows(_ message: gnutls_datum_t, type: UInt32) -> Bool {
        switch gnutls_handshake_description_t(type) {
        case GNUTLS_HANDSHAKE_CERTIFICATE_VERIFY:
            // In TLS 1.3 GnuTLS computes with the key before it verifies the certificate.
            return isPassed { () throws(TLSError) in
                try unsafe TLSCredentials.checkKeys(of: handle)
            }
        case GNUTLS_HANDSHAKE_NEW_SESSION_TICKET:
            let data = unsafe UnsafeBufferPointer(start: message.data, count: Int(message.size))
            earlyDataSize = unsafe TicketMessage.earlyDataSize(in: data)
            ticketReceived?(earlyDataSize)
            return true
        default: return true
        }
    }

    /// Whether `check` succeeds. Stores the error if it throws.
    private func isPassed(_ check: () throws(TLSError) -> Void) -> Bool {
        do throws(TLSError) {
            try check()
            return true
        } catch {
            distrust = error
            return false
        }
    }
}

/// GnuTLS calls this function when the peer has presented its certificates, before the handshake is complete.
private func verifyPeer(_ handle: gnutls_session_t?) -> Int32 {
    unsafe owner(of: handle)?.verify() == true ? 0 : GNUTLS_E_CERTIFICATE_VERIFICATION_ERROR
}

/// GnuTLS calls this function with each handshake message, before it reads a received one.
private func messageReceived(
    _ handle: gnutls_session_t?,
    type: UInt32,
    when: UInt32,
    isIncoming: UInt32,
    message: UnsafePointer<gnutls_datum_t>?
) -> Int32 {
    guard isIncoming != 0, let message = unsafe message else { return 0 }
    let isAllowed = unsafe owner(of: handle)?.allows(message.pointee, type: type) == true
    return isAllowed ? 0 : GNUTLS_E_CERTIFICATE_VERIFICATION_ERROR
}

private func owner(of handle: gnutls_session_t?) -> ClientSession? {
    guard let handle = unsafe handle, let owner = unsafe gnutls_db_get_ptr(handle) else {
        return nil
    }
    return unsafe Unmanaged<ClientSession>.fromOpaque(owner).takeUnretainedValue()
}
