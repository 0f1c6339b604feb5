#if QUIC
import CNGTCP2
import Catalogue
import DNSWire

/// The sole owner of an ngtcp2 connection, without a socket: it reads and writes datagrams; `deinit` frees
/// it.
@safe
final class QUICPackets {
    enum Event {
        case completed
        /// The server rejected the early data: its streams no longer exist.
        case rejected
        /// The last byte of a stream is in the datagram that was written last.
        case sent(Int64)
        /// Bytes of a stream, in their order.
        case received(StreamBytes)
        /// The server abandoned a stream, with the application's code.
        case reset(Int64, code: UInt64)
        case closed(Int64)
    }

    /// Whether streams may be opened before the handshake is complete.
    let hasEarlyData: Bool
    private let connection: OpaquePointer
    let session: ClientSession
    private let record: Record

    /// Starts a connection through the connected socket `descriptor`, which resumes an `earlier` one. Nothing
    /// is sent before ``write(into:at:)``. See `cq_beginning`.
    // Many parameters: a connection begins with the facts of all layers.
    init(
        of session: ClientSession,
        through descriptor: Int32,
        version: UInt32,
        earlier: SessionTicket?,
        offeredIdle: Duration,
        at now: Int64
    ) throws(ConnectionEnd) {
        let record = Record()
        var handlers = unsafe handlers
        unsafe handlers.context = Unmanaged.passUnretained(record).toOpaque()
        let token = earlier?.token ?? []
        let grants = session.isContinued ? earlier?.grants ?? [] : []
        let opened = unsafe token.withUnsafeBufferPointer { token in
            unsafe grants.withUnsafeBufferPointer { grants in
                var start = unsafe cq_beginning(
                    session: session.handle,
                    descriptor: descriptor,
                    version: version,
                    token: cq_bytes(start: token.baseAddress, count: token.count),
                    grants: cq_bytes(start: grants.baseAddress, count: grants.count),
                    idle: UInt64(max(0, offeredIdle.nanoseconds))
                )
                return unsafe cq_begin(&start, &handlers, now)
            }
        }
        guard let opened = unsafe opened else {
            throw ConnectionEnd(TLSError("no QUIC connection could be made: memory is short"))
        }
        unsafe connection = opened
        hasEarlyData = !grants.isEmpty
        self.session = session
        self.record = record
        // QUIC permits no other size (RFC 9001 §4.6.1).
        session.ticketReceived = { size in unsafe cq_note_ticket(opened, size == .max ? 1 : 0) }
    }

    deinit { unsafe cq_free(connection) }

    /// Returns the events since the last call, in their order.
    func takeEvents() -> [Event] {
        defer { record.events.removeAll() }
        return record.events
    }

    func receive(_ datagram: UnsafeRawBufferPointer, at now: Int64) throws(ConnectionEnd) {
        let data = unsafe datagram.assumingMemoryBound(to: UInt8.self)
        try check(unsafe cq_receive(connection, data.baseAddress, data.count, now))
    }

    /// Writes the next datagram; `nil` if there is nothing to send now.
    func write(
        into buffer: UnsafeMutableRawBufferPointer,
        at now: Int64
    ) throws(ConnectionEnd) -> UnsafeRawBufferPointer? {
        let data = unsafe buffer.assumingMemoryBound(to: UInt8.self)
        let count = unsafe cq_write(connection, data.baseAddress, data.count, now)
        try check(Int32(clamping: min(count, 0)))
        return unsafe count > 0 ? UnsafeRawBufferPointer(rebasing: buffer[..<count]) : nil
    }

    /// Writes the datagram that reports the reason of the end to the server, if the server needs it.
    func close(
        into buffer: UnsafeMutableRawBufferPointer,
        _ cause: ConnectionEnd.Cause,
        at now: Int64
    ) -> UnsafeRawBufferPointer? {
        var (error, code): (Int32, UInt64) = (0, 0)
        switch cause {
        case .silent, .versions: return nil
        case .application(let own): code = own
        case .failure(let failure): error = failure
        case .handshake: error = cq_tls_error
        }
        let data = unsafe buffer.assumingMemoryBound(to: UInt8.self)
        let count = unsafe cq_close(connection, data.baseAddress, data.count, error, code, now)
        return unsafe count > 0 ? UnsafeRawBufferPointer(rebasing: buffer[..<count]) : nil
    }

    /// The time at which ``expire(at:)`` must be called; `nil` for never.
    var expiry: Int64? {
        let expiry = unsafe cq_expiry(connection)
        return expiry == .max ? nil : expiry
    }

    func expire(at now: Int64) throws(ConnectionEnd) {
        try check(unsafe cq_expire(connection, now))
    }

    /// Opens a stream; `nil` if the server allows no more streams at the moment.
    func openStream(bothDirections: Bool = true) -> Int64? {
        let stream = unsafe cq_open_stream(connection, bothDirections ? 1 : 0)
        return stream < 0 ? nil : stream
    }

    /// Queues bytes for the next datagrams.
    func send(_ data: StreamBytes) throws(ConnectionEnd) {
        let (bytes, end): ([UInt8], Int32) = (data.bytes, data.isEnd ? 1 : 0)
        try check(unsafe cq_send(connection, data.stream, bytes, bytes.count, end))
    }

    /// Stops sending and receiving on `stream`, with the application's code.
    func abandon(_ stream: Int64, code: UInt64) { unsafe cq_abandon(connection, stream, code) }

    /// The ticket for a later connection, if the server has sent one.
    var ticket: SessionTicket? {
        guard var ticket = session.ticket else { return nil }
        ticket.grants = unsafe [UInt8](unsafeUninitializedCapacity: 1_024) { buffer, count in
            count = unsafe cq_grants(connection, buffer.baseAddress, buffer.count)
        }
        ticket.token = record.token
        return ticket
    }

    /// The idle timeout of the server (RFC 9000 §18.2); `nil` before the handshake and without a timeout.
    var statedIdle: Duration? {
        let idle = unsafe cq_stated_idle(connection)
        return idle == 0 ? nil : .nanoseconds(Int64(clamping: idle))
    }

    /// A version that both ends support, after the connection ended because of its version.
    var commonVersion: UInt32? {
        let version = unsafe cq_common_version(connection)
        return version == 0 ? nil : version
    }

    private func check(_ code: Int32) throws(ConnectionEnd) {
        guard code < 0 else { return }
        throw unsafe ConnectionEnd(cq_end(connection, code), error: code, of: session)
    }
}

/// The events so far, recorded by ngtcp2's callbacks.
private final class Record {
    var events: [QUICPackets.Event] = []
    var token: [UInt8] = []
}

// MARK: Callbacks of ngtcp2

// Safe because it is never changed, and its functions keep no state.
nonisolated(unsafe) private let handlers = unsafe cq_handlers(
    context: nil,
    completed: { unsafe note(.completed, in: $0) },
    rejected: { unsafe note(.rejected, in: $0) },
    sent: { unsafe note(.sent($1), in: $0) },
    received: { context, stream, data, count, end in
        let bytes = unsafe [UInt8](UnsafeBufferPointer(start: data, count: count))
        let data = StreamBytes(stream: stream, bytes: bytes, isEnd: end != 0)
        unsafe note(.received(data), in: context)
    },
    reset: { unsafe note(.reset($1, code: $2), in: $0) },
    closed: { unsafe note(.closed($1), in: $0) },
    token: { context, data, count in
        guard let context = unsafe context else { return }
        unsafe Unmanaged<Record>.fromOpaque(context).takeUnretainedValue().token =
            [UInt8](UnsafeBufferPointer(start: data, count: count))
    }
)

private func note(_ event: QUICPackets.Event, in context: UnsafeMutableRawPointer?) {
    guard let context = unsafe context else { return }
    unsafe Unmanaged<Record>.fromOpaque(context).takeUnretainedValue().events.append(event)
}

extension ConnectionEnd {
    /// The end of a QUIC connection that ngtcp2 reports.
    init(_ end: cq_end, error: Int32, of session: ClientSession) {
        switch unsafe end.kind {
        case CQ_END_IDLE:
            self.init(.unreachable("connection idle for too long"))
            signal = .idle
        case CQ_END_TLS:
            self.init(unsafe session.failure(alert: end.code))
            cause = .failure(error)
        case CQ_END_VERSIONS:
            self.init(
                handshake: "the server speaks no version of QUIC that is known here",
                .versions
            )
        case CQ_END_RESET:
            self.init(.unreachable("connection reset: the server knows nothing of it"))
            signal = .reset
        case CQ_END_CLOSED, CQ_END_CLOSED_BY_APPLICATION:
            let isOwn = unsafe end.kind == CQ_END_CLOSED_BY_APPLICATION
            let name = unsafe isOwn ? "error \(end.code)" : Self.name(of: end.code)
            self.init(
                handshake: "connection closed by the server: \(name)\(unsafe end.words)",
                // A TLS alert as an error of QUIC (RFC 9001 §4.8).
                isOfProtocol: unsafe !isOwn
                    && end.code == 0x100 + UInt64(TLSError.noApplicationProtocol)
            )
            signal = .connectionClose
        default:
            let text = unsafe cq_error_text(error).map { unsafe String(cString: $0) }
            self.init(handshake: "QUIC: \(text ?? "error \(error)")", .failure(error))
        }
    }

    /// The name of an error (RFC 9000 §20.1), or of the TLS alert that it represents (RFC 9001 §4.8).
    private static func name(of code: UInt64) -> String {
        let names = [
            "no error", "internal error", "connection refused", "flow control error",
            "stream limit error", "stream state error", "final size error",
            "frame encoding error", "transport parameter error", "connection ID limit error",
            "protocol violation", "invalid token", "application error",
            "crypto buffer exceeded", "key update error", "AEAD limit reached",
            "no viable path",
        ]
        if code < names.count { return names[Int(code)] }
        if code >= 0x100, let alert = ClientSession.name(ofAlert: code - 0x100) {
            return "TLS alert\(alert)"
        }
        return "error \(code)"
    }
}

extension cq_end {
    /// The printable part of the server's reason phrase, in brackets.
    fileprivate var words: String {
        let data = unsafe UnsafeBufferPointer(start: reason.start, count: reason.count)
        let shown = unsafe data.prefix(80).filter { (0x20...0x7e).contains($0) }
        return shown.isEmpty ? "" : " (\(String(decoding: shown, as: UTF8.self)))"
    }
}
#endif
