import CGnuTLS
import CSockets
import Catalogue
import LibC

/// A TLS 1.3 or TLS 1.2 session over TCP.
@safe
final class TLSSession {
    /// The session is freed before the channel that it calls.
    let owner: ClientSession
    let channel: StreamChannel
    private var session: gnutls_session_t { unsafe owner.handle }

    /// A session over `channel` with a peer that passes `check`. With a `ticket` it resumes the session that
    /// issued the ticket.
    init(
        over channel: StreamChannel,
        _ check: PeerCheck,
        ticket: SessionTicket?
    ) throws(ConnectionEnd) {
        self.channel = channel
        owner = try ClientSession(
            flags: Int32(GNUTLS_CLIENT | GNUTLS_NONBLOCK),
            priorities: Self.priorities(for: check.version),
            check,
            earlier: ticket
        )
        unsafe gnutls_transport_set_ptr(session, Unmanaged.passUnretained(channel).toOpaque())
        unsafe gnutls_transport_set_push_function(session) { channel, bytes, count in
            guard let channel = unsafe channel else { return -1 }
            unsafe Unmanaged<StreamChannel>.fromOpaque(channel).takeUnretainedValue()
                .collect(UnsafeRawBufferPointer(start: bytes, count: count))
            return count
        }
        unsafe gnutls_transport_set_pull_function(session) { channel, buffer, capacity in
            guard let channel = unsafe channel else { return -1 }
            let count = unsafe Unmanaged<StreamChannel>.fromOpaque(channel).takeUnretainedValue()
                .take(into: UnsafeMutableRawBufferPointer(start: buffer, count: capacity))
            // GnuTLS reads errno; the channel keeps the reason of a failure.
            if count < 0 { errno = EAGAIN }
            return count
        }
        // Data is always reported as available, because the event loop decides when to read.
        unsafe gnutls_transport_set_pull_timeout_function(session) { _, _ in 1 }
    }

    private static func priorities(for version: TLSVersion?) -> String {
        let versions = version.map { [$0] } ?? [.v13, .v12]
        return "NORMAL:-VERS-ALL" + versions.map { ":+VERS-TLS\($0.rawValue)" }.joined()
    }

    /// Queues `bytes` as early data of the handshake (RFC 8446 §2.3). Returns `false` if the ticket does not
    /// allow early data of this size.
    func offerEarly(_ bytes: [UInt8]) -> Bool {
        unsafe bytes.withUnsafeBytes { bytes in
            unsafe gnutls_record_send_early_data(session, bytes.baseAddress, bytes.count) == 0
        }
    }

    /// Whether the peer accepted the early data.
    var isEarlyAccepted: Bool {
        unsafe gnutls_session_get_flags(session) & UInt32(GNUTLS_SFLAGS_EARLY_DATA.rawValue) != 0
    }

    /// Continues the handshake. Returns `true` once it is complete and the peer is verified.
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

    /// Encrypts `bytes` into the channel, in one record if they fit.
    func send(_ bytes: [UInt8]) throws(ConnectionEnd) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { rest in
                unsafe gnutls_record_send(session, rest.baseAddress, rest.count)
            }
            // The channel accepts all data.
            guard count > 0 else { throw ConnectionEnd(error(Int32(clamping: count))) }
            rest = rest.dropFirst(count)
        }
    }

    /// Reads the content of the next record: `nil` if no complete record has arrived, 0 at the orderly end.
    func receive(into buffer: UnsafeMutableRawBufferPointer) throws(ConnectionEnd) -> Int? {
        while true {
            channel.mayHaveMore = false
            let count = unsafe gnutls_record_recv(session, buffer.baseAddress, buffer.count)
            if count >= 0 { return count }
            let code = Int32(clamping: count)
            // GnuTLS also returns this code if a record held a ticket and the next record has already
            // arrived.
            if channel.failure == nil, code == GNUTLS_E_AGAIN, !channel.mayHaveMore { return nil }
            if gnutls_error_is_fatal(code) != 0 || channel.failure != nil {
                throw ConnectionEnd(error(code))
            }
        }
    }

    /// Sends the notice that no more data follows.
    func finish() { _ = unsafe gnutls_bye(session, GNUTLS_SHUT_WR) }

    private func error(_ code: Int32) -> TLSError {
        if let distrust = owner.distrust { return distrust }
        if let failure = channel.failure { return TLSError(failure.reason) }
        switch code {
        case GNUTLS_E_PREMATURE_TERMINATION:
            return TLSError("connection closed")
        case GNUTLS_E_FATAL_ALERT_RECEIVED:
            let alert = unsafe gnutls_alert_get(session)
            let text = unsafe gnutls_alert_get_name(alert).map { unsafe String(cString: $0) }
            return TLSError(
                "TLS alert: \(text ?? "unknown")",
                isOfProtocol: alert.rawValue == TLSError.noApplicationProtocol
            )
        default:
            return TLSError("TLS: \(unsafe String(cString: gnutls_strerror(code)))")
        }
    }
}
