import CGnuTLS

/// Sole owner of one GnuTLS client session, whatever carries it; `deinit` frees it.
///
/// Whoever does not pass its check ends the handshake before that is complete.
@safe
final class ClientSession {
    let handle: gnutls_session_t
    private let check: PeerCheck
    /// Whether a ticket was offered to the other end.
    private(set) var isContinued = false
    /// The certificates that the other end has shown are those that were asked for.
    private var isVerified = false
    /// Why they are not.
    private(set) var distrust: TLSError?
    /// The reader of tickets (RFC 8446 §4.6.1), which is lent each before GnuTLS cuts it up.
    var readTicket: ((UnsafeBufferPointer<UInt8>) -> Void)?

    /// A session with whoever passes `check`, begun with `flags` of `gnutls_init` and the versions and
    /// ciphers of `priorities`; with `isProtocolRequired` an end that does not know it ends the
    /// handshake. With the ticket of an `earlier` one that asked for the same it goes on with that.
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
        // Over QUIC the session's own pointer is ngtcp2's; the one for a database is free, which
        // clients have none of.
        unsafe gnutls_db_set_ptr(handle, Unmanaged.passUnretained(self).toOpaque())
        unsafe gnutls_session_set_verify_function(handle, verifyPeer)
        // A session has one hook only: it is for all messages (`GNUTLS_HANDSHAKE_ANY`, a macro that
        // is not imported).
        unsafe gnutls_handshake_set_hook_function(handle, .max, GNUTLS_HOOK_PRE, messageReceived)
        guard nameHost(), offerProtocol(isRequired: isProtocolRequired),
            unsafe gnutls_priority_set_direct(handle, priorities, nil) == 0
        else { throw ConnectionEnd(TLSError("this GnuTLS has no TLS 1.3")) }
        guard let earlier, earlier.check == check else { return }
        // What cannot be used is passed over: the handshake is then a full one.
        isContinued = unsafe earlier.data.withUnsafeBytes { bytes in
            unsafe gnutls_session_set_data(handle, bytes.baseAddress, bytes.count) == 0
        }
    }

    deinit { unsafe gnutls_deinit(handle) }

    /// Says who is asked, for servers with many names (RFC 6066 §3: no addresses).
    private func nameHost() -> Bool {
        let name = check.name
        guard !name.contains(":"), name.contains(where: \.isLetter) else { return true }
        return unsafe gnutls_server_name_set(handle, GNUTLS_NAME_DNS, name, name.utf8.count) == 0
    }

    private func offerProtocol(isRequired: Bool) -> Bool {
        let names = check.protocolNames
        var octets = names.flatMap { Array($0.utf8) }
        return unsafe octets.withUnsafeMutableBufferPointer { buffer in
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

    /// The protocol that the other end has chosen (RFC 7301); `nil` where it chose none.
    var protocolName: String? {
        var datum = unsafe gnutls_datum_t()
        guard unsafe gnutls_alpn_get_selected_protocol(handle, &datum) == 0,
            let data = unsafe datum.data
        else { return nil }
        let octets = unsafe UnsafeBufferPointer(start: data, count: Int(datum.size))
        return unsafe String(decoding: octets, as: UTF8.self)
    }

    var isResumed: Bool { unsafe isContinued && gnutls_session_is_resumed(handle) != 0 }

    /// Whether the other end has passed the check, now or in the session that this one goes on with.
    private var isBelieved: Bool { isVerified || isResumed }

    /// Makes sure of that, once the handshake is complete.
    func confirm() throws(ConnectionEnd) {
        guard isBelieved else { throw ConnectionEnd(distrust ?? .withoutCertificate) }
    }

    /// The ticket for a later session, where the other end is believed and has given one.
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
            protocolName: protocolName
        )
    }

    fileprivate func verify() -> Bool {
        isVerified = isPassed { () throws(TLSError) in
            try unsafe TLSCredentials.checkKeys(of: handle)
            try unsafe check.credentials.verify(handle, is: check.name)
        }
        return isVerified
    }

    /// Looks at what the other end sends, before GnuTLS does; `false` where that is not to be read.
    fileprivate func allows(_ message: gnutls_datum_t, type: UInt32) -> Bool {
        switch gnutls_handshake_description_t(type) {
        case GNUTLS_HANDSHAKE_CERTIFICATE_VERIFY:
            // In TLS 1.3 GnuTLS computes with the key before it asks whose it is.
            return isPassed { () throws(TLSError) in
                try unsafe TLSCredentials.checkKeys(of: handle)
            }
        case GNUTLS_HANDSHAKE_NEW_SESSION_TICKET:
            unsafe readTicket?(UnsafeBufferPointer(start: message.data, count: Int(message.size)))
            return true
        default: return true
        }
    }

    /// Whether `check` throws nothing; keeps what it throws.
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

/// GnuTLS calls it when the other end has shown its certificates, before the handshake is complete.
private func verifyPeer(_ handle: gnutls_session_t?) -> Int32 {
    unsafe owner(of: handle)?.verify() == true ? 0 : GNUTLS_E_CERTIFICATE_VERIFICATION_ERROR
}

/// GnuTLS calls it with each message of a handshake, one that came before it is read.
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
