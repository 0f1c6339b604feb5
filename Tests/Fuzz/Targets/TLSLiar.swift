#if DEBUG || TESTABLE
import CGnuTLS
import CSockets
import Foundation
import Synchronization

/// A server of DNS over TLS on a thread and a port of 127.0.0.1. It completes a valid handshake,
/// and then sends the bytes of an input.
final class TLSLiar: Sendable {
    let port: UInt16
    private let listener: Int32
    private let identity: SelfSigned
    private let ticketKey: [UInt8]
    private let state = Mutex(State())

    private struct State {
        var plan: [UInt8] = []
        var sent: Sent?
    }

    /// The received query, and all content that was sent as its answer.
    struct Sent {
        var query: [UInt8]
        var content: [UInt8] = []
    }

    init?() {
        listener = cs_lab_open(0, 1, 0)
        let port = cs_lab_port(listener)
        guard port > 0, let identity = SelfSigned() else { return nil }
        self.port = UInt16(truncatingIfNeeded: port)
        self.identity = identity
        ticketKey = [UInt8](repeating: 7, count: 64)
        _ = fcntl(listener, F_SETFL, 0)
        Thread.detachNewThread { [self] in
            while true { serve() }
        }
    }

    /// The query and the content of the last connection.
    var sent: Sent? { state.withLock { $0.sent } }

    /// Sets the behaviour on the next connection.
    func prepare(_ plan: [UInt8]) { state.withLock { $0 = State(plan: plan) } }

    private func serve() {
        let descriptor = accept(listener, nil, nil)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        // A client that stops during the handshake does not block the server.
        var patience = timeval(tv_sec: 0, tv_usec: 200_000)
        let size = socklen_t(MemoryLayout<timeval>.size)
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, size)
        var made: gnutls_session_t?
        guard unsafe gnutls_init(&made, UInt32(GNUTLS_SERVER | GNUTLS_NO_SIGNAL)) == 0,
            let session = unsafe made
        else { return }
        defer { unsafe gnutls_deinit(session) }
        unsafe gnutls_set_default_priority(session)
        let identity = unsafe UnsafeMutableRawPointer(identity.credentials)
        unsafe gnutls_credentials_set(session, GNUTLS_CRD_CERTIFICATE, identity)
        unsafe gnutls_transport_set_int2(session, descriptor, descriptor)
        var key = ticketKey
        _ = unsafe key.withUnsafeMutableBufferPointer { key in
            var datum = unsafe gnutls_datum_t(data: key.baseAddress, size: UInt32(key.count))
            return unsafe gnutls_session_ticket_enable_server(session, &datum)
        }
        var code: Int32
        repeat { code = unsafe gnutls_handshake(session) } while code == GNUTLS_E_INTERRUPTED
        guard code == 0 else { return }
        var buffer = [UInt8](repeating: 0, count: 2_048)
        let count = unsafe gnutls_record_recv(session, &buffer, buffer.count)
        guard count > 2 else { return }
        let query = Array(buffer[2..<count])
        let plan = state.withLock { state in
            state.sent = Sent(query: query)
            return state.plan
        }
        for step in TLSTarget.steps(of: plan) { unsafe take(step, query, session, descriptor) }
    }

    private func take(
        _ step: TLSTarget.Step,
        _ query: [UInt8],
        _ session: gnutls_session_t,
        _ descriptor: Int32
    ) {
        let octets = step.octets
        switch step.kind {
        case .answer:
            unsafe send([0, UInt8(min(255, octets.count + 2))] + query.prefix(2) + octets, session)
        case .content: unsafe send(octets, session)
        case .raw: _ = unsafe write(descriptor, octets, octets.count)
        case .keyUpdate: _ = unsafe gnutls_session_key_update(session, 0)
        case .ticket: _ = unsafe gnutls_session_ticket_send(session, 1, 0)
        case .alert:
            let alert = gnutls_alert_description_t(UInt32(octets.first ?? 0))
            _ = unsafe gnutls_alert_send(session, GNUTLS_AL_WARNING, alert)
        case .end: _ = unsafe gnutls_bye(session, GNUTLS_SHUT_WR)
        }
    }

    private func send(_ octets: [UInt8], _ session: gnutls_session_t) {
        state.withLock { $0.sent?.content += octets }
        _ = unsafe gnutls_record_send(session, octets, octets.count)
    }
}
#endif
