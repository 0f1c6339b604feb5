import CGnuTLS
import CSockets
import LibC

/// One TLS session over TCP, of TLS 1.3 or 1.2.
@safe
final class TLSSession {
    /// Freed before the channel that it calls.
    let owner: ClientSession
    let channel: TLSChannel
    private var session: gnutls_session_t { unsafe owner.handle }

    /// A session over `channel` with whoever passes `check`; with a `ticket` it goes on with the
    /// session that gave it.
    init(over channel: TLSChannel, _ check: PeerCheck, ticket: SessionTicket?) throws(ConnectionEnd)
    {
        self.channel = channel
        owner = try ClientSession(
            flags: Int32(GNUTLS_CLIENT | GNUTLS_NONBLOCK),
            priorities: "NORMAL:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2",
            check,
            earlier: ticket
        )
        unsafe gnutls_transport_set_ptr(session, Unmanaged.passUnretained(channel).toOpaque())
        unsafe gnutls_transport_set_push_function(session) { channel, bytes, count in
            guard let channel = unsafe channel else { return -1 }
            unsafe Unmanaged<TLSChannel>.fromOpaque(channel).takeUnretainedValue()
                .collect(UnsafeRawBufferPointer(start: bytes, count: count))
            return count
        }
        unsafe gnutls_transport_set_pull_function(session) { channel, buffer, capacity in
            guard let channel = unsafe channel else { return -1 }
            let count = unsafe Unmanaged<TLSChannel>.fromOpaque(channel).takeUnretainedValue()
                .take(into: UnsafeMutableRawBufferPointer(start: buffer, count: capacity))
            // GnuTLS looks at errno; the channel keeps the reason of a failure.
            if count < 0 { errno = EAGAIN }
            return count
        }
        // There is always something to try: the event loop says when.
        unsafe gnutls_transport_set_pull_timeout_function(session) { _, _ in 1 }
    }

    /// As much may be sent with the beginning of the handshake. GnuTLS takes a ticket that says
    /// nothing of it for one that allows it; a server that does not take it is asked again.
    var mostEarlyOctets: Int { unsafe gnutls_record_get_max_early_data_size(session) }

    /// Has `bytes` sent with the beginning of the handshake (RFC 8446 §2.3); `false` where the ticket
    /// does not allow that, or not so many.
    func offerEarly(_ bytes: [UInt8]) -> Bool {
        unsafe bytes.withUnsafeBytes { bytes in
            unsafe gnutls_record_send_early_data(session, bytes.baseAddress, bytes.count) == 0
        }
    }

    /// Whether the other end took what was sent with the beginning of the handshake.
    var isEarlyAccepted: Bool {
        unsafe gnutls_session_get_flags(session) & UInt32(GNUTLS_SFLAGS_EARLY_DATA.rawValue) != 0
    }

    /// Goes on with the handshake; `true` once it is complete and the other end is believed.
    func handshake() throws(ConnectionEnd) -> Bool {
        while true {
            channel.mayHaveMore = false
            let code = unsafe gnutls_handshake(session)
            if code == 0 { break }
            if channel.failure == nil, code == GNUTLS_E_AGAIN, !channel.mayHaveMore { return false }
            if gnutls_error_is_fatal(code) != 0 || channel.failure != nil {
                throw ConnectionEnd(error(code))
            }
        }
        try owner.confirm()
        return true
    }

    /// Encrypts `bytes` into the channel, as one record where they fit into one.
    func send(_ bytes: [UInt8]) throws(ConnectionEnd) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { rest in
                unsafe gnutls_record_send(session, rest.baseAddress, rest.count)
            }
            // The channel collects whatever it is given.
            guard count > 0 else { throw ConnectionEnd(error(Int32(clamping: count))) }
            rest = rest.dropFirst(count)
        }
    }

    /// Takes what the next record holds: `nil` where none has come whole, 0 at the orderly end.
    func receive(into buffer: UnsafeMutableRawBufferPointer) throws(ConnectionEnd) -> Int? {
        while true {
            channel.mayHaveMore = false
            let count = unsafe gnutls_record_recv(session, buffer.baseAddress, buffer.count)
            if count >= 0 { return count }
            let code = Int32(clamping: count)
            // GnuTLS says so too where a record held a ticket and the next one is there already.
            if channel.failure == nil, code == GNUTLS_E_AGAIN, !channel.mayHaveMore { return nil }
            if gnutls_error_is_fatal(code) != 0 || channel.failure != nil {
                throw ConnectionEnd(error(code))
            }
        }
    }

    /// Says that no more will be sent.
    func finish() { _ = unsafe gnutls_bye(session, GNUTLS_SHUT_WR) }

    private func error(_ code: Int32) -> TLSError {
        if let distrust = owner.distrust { return distrust }
        if let failure = channel.failure { return TLSError(failure.reason) }
        switch code {
        case GNUTLS_E_PREMATURE_TERMINATION:
            return TLSError("connection closed")
        case GNUTLS_E_FATAL_ALERT_RECEIVED:
            let alert = unsafe gnutls_alert_get_name(gnutls_alert_get(session))
            let text = unsafe alert.map { unsafe String(cString: $0) } ?? "unknown"
            return TLSError("TLS alert: \(text)")
        default:
            return TLSError("TLS: \(unsafe String(cString: gnutls_strerror(code)))")
        }
    }
}
