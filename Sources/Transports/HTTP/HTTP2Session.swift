import CNGHTTP2

/// Sole owner of one nghttp2 client session, which turns requests into octets and octets into
/// events; `deinit` frees it.
///
/// It acknowledges settings and pings, opens windows again as they are used, and holds requests
/// back where the server allows no more streams at once.
@safe
final class HTTP2Session {
    /// What happened, on which stream; codes of errors as RFC 9113 §7 names them.
    enum Event {
        /// The octets given last hold the end of the request.
        case sent(Int32)
        case field(Int32, HTTPField)
        /// Too much of a header came, in words; the stream is reset.
        case excess(Int32, String)
        case content(Int32, [UInt8])
        /// The answer is complete.
        case answered(Int32)
        /// The other end wants no more of it.
        case reset(Int32, String)
        /// It has ended, in whatever way.
        case closed(Int32, String)
        /// The other end takes no more requests.
        case goAway(String)
    }

    private let session: OpaquePointer
    private let record: HTTP2Record

    /// Room for answers that come at once: nobody has to wait until the window is opened again.
    private static let window: Int32 = 1 << 24

    /// A session whose first octets greet the server; `nil` where memory is short.
    init?() {
        let record = HTTP2Record()
        var made: OpaquePointer?
        var callbacks: OpaquePointer?
        guard unsafe nghttp2_session_callbacks_new(&callbacks) == 0 else { return nil }
        defer { unsafe nghttp2_session_callbacks_del(callbacks) }
        unsafe HTTP2Record.set(callbacks)
        let context = unsafe Unmanaged.passUnretained(record).toOpaque()
        guard unsafe nghttp2_session_client_new(&made, callbacks, context) == 0,
            let session = unsafe made
        else { return nil }
        unsafe self.session = session
        self.record = record
        let settings = [
            nghttp2_settings_entry(
                settings_id: Int32(NGHTTP2_SETTINGS_ENABLE_PUSH.rawValue),
                value: 0
            ),
            nghttp2_settings_entry(
                settings_id: Int32(NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE.rawValue),
                value: UInt32(HTTPHeaderCount.mostOctets)
            ),
        ]
        let none = UInt8(NGHTTP2_FLAG_NONE.rawValue)
        guard unsafe nghttp2_submit_settings(session, none, settings, settings.count) == 0,
            unsafe nghttp2_session_set_local_window_size(session, none, 0, Self.window) == 0
        else { return nil }
    }

    deinit { unsafe nghttp2_session_del(session) }

    /// Whether it can carry another request.
    var takesMore: Bool { unsafe nghttp2_session_check_request_allowed(session) != 0 }

    /// Whether anything can come of it any more.
    var isOpen: Bool {
        unsafe nghttp2_session_want_read(session) != 0
            || nghttp2_session_want_write(session) != 0
    }

    /// What nghttp2 said last against the other end.
    var complaint: String? { record.complaint }

    /// The events since the last time.
    func takeEvents() -> [Event] {
        defer { record.events.removeAll(keepingCapacity: true) }
        return record.events
    }

    /// Has `request` sent, and returns its stream; `nil` where no more are possible.
    func submit(_ request: HTTPRequest) -> Int32? {
        let texts = request.fields.map { (Array($0.name.utf8), Array($0.value.utf8)) }
        var octets = texts.flatMap { $0.0 + $0.1 }
        let stream = unsafe octets.withUnsafeMutableBufferPointer { octets in
            var fields = unsafe [nghttp2_nv]()
            var rest = unsafe octets[...]
            func take(_ count: Int) -> UnsafeMutablePointer<UInt8>? {
                let part = unsafe UnsafeMutableBufferPointer(rebasing: rest.prefix(count))
                unsafe rest = rest.dropFirst(count)
                return part.baseAddress
            }
            for (name, value) in texts {
                let field = unsafe nghttp2_nv(
                    name: take(name.count),
                    value: take(value.count),
                    namelen: name.count,
                    valuelen: value.count,
                    flags: UInt8(NGHTTP2_NV_FLAG_NONE.rawValue)
                )
                unsafe fields.append(field)
            }
            guard !request.content.isEmpty else {
                return unsafe nghttp2_submit_request(
                    session,
                    nil,
                    fields,
                    fields.count,
                    nil,
                    nil
                )
            }
            var content = unsafe nghttp2_data_provider()
            unsafe content.read_callback = HTTP2Record.readContent
            return unsafe nghttp2_submit_request(
                session,
                nil,
                fields,
                fields.count,
                &content,
                nil
            )
        }
        guard stream > 0 else { return nil }
        record.contents[stream] = request.content[...]
        return stream
    }

    /// Gives up `stream`.
    func cancel(_ stream: Int32) {
        record.contents[stream] = nil
        _ = unsafe nghttp2_submit_rst_stream(
            session,
            UInt8(NGHTTP2_FLAG_NONE.rawValue),
            stream,
            NGHTTP2_CANCEL.rawValue
        )
    }

    /// Says that no more requests will come.
    func finish() { _ = unsafe nghttp2_session_terminate_session(session, 0) }

    /// What is to be sent next, up to the end of one request; empty where there is nothing.
    func outgoing() -> [UInt8] {
        var bytes: [UInt8] = []
        while true {
            let before = record.sent
            var part: UnsafePointer<UInt8>?
            let count = unsafe nghttp2_session_mem_send(session, &part)
            guard count > 0 else { return bytes }
            unsafe bytes.append(contentsOf: UnsafeBufferPointer(start: part, count: count))
            if record.sent != before { return bytes }
        }
    }

    /// Takes octets of the other end; `false` where nothing can be made of them.
    func take(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let octets = unsafe bytes.bindMemory(to: UInt8.self)
        let count = unsafe nghttp2_session_mem_recv(session, octets.baseAddress, octets.count)
        guard count < 0 else { return true }
        let words = unsafe nghttp2_strerror(Int32(clamping: count))
        record.complaint = unsafe words.map { unsafe String(cString: $0) } ?? record.complaint
        return false
    }
}
