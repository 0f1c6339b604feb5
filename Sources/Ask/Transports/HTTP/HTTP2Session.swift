import CNGHTTP2

/// The sole owner of an nghttp2 client session, which converts requests to bytes and bytes to
/// events; `deinit` frees it.
///
/// nghttp2 acknowledges settings and pings, and reopens windows as they are used. It holds requests
/// back if the server allows no more concurrent streams.
@safe
final class HTTP2Session {
    private let session: OpaquePointer
    private let record: HTTP2Record

    /// The window for concurrent answers. It is large enough that no answer waits for a window update.
    private static let window: Int32 = 1 << 24
    private static let noFlags = UInt8(NGHTTP2_FLAG_NONE.rawValue)

    /// A session whose first bytes are the connection preface; `nil` if memory is exhausted.
    init?() {
        let record = HTTP2Record()
        var made: OpaquePointer?
        var callbacks: OpaquePointer?
        guard unsafe nghttp2_session_callbacks_new(&callbacks) == 0 else { return nil }
        defer { unsafe nghttp2_session_callbacks_del(callbacks) }
        unsafe Self.set(callbacks)
        let context = unsafe Unmanaged.passUnretained(record).toOpaque()
        guard unsafe nghttp2_session_client_new(&made, callbacks, context) == 0,
            let session = unsafe made
        else { return nil }
        unsafe self.session = session
        self.record = record
        let settings = [
            (NGHTTP2_SETTINGS_ENABLE_PUSH, 0),
            (NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE, HTTPHeaderCount.mostBytes),
        ].map { nghttp2_settings_entry(settings_id: Int32($0.rawValue), value: UInt32($1)) }
        let none = Self.noFlags
        guard unsafe nghttp2_submit_settings(session, none, settings, settings.count) == 0,
            unsafe nghttp2_session_set_local_window_size(session, none, 0, Self.window) == 0
        else { return nil }
    }

    deinit { unsafe nghttp2_session_del(session) }

    /// Whether the session accepts another request.
    var takesMore: Bool { unsafe nghttp2_session_check_request_allowed(session) != 0 }

    /// Whether the session can still send or receive.
    var isOpen: Bool {
        unsafe nghttp2_session_want_read(session) != 0
            || nghttp2_session_want_write(session) != 0
    }

    var complaint: String? { record.complaint }
    func takeEvents() -> [HTTPEvent] { record.takeEvents() }

    /// Submits `request` and returns its stream; `nil` if no more requests are possible.
    func submit(_ request: HTTPRequest) -> Int64? {
        var content = unsafe nghttp2_data_provider()
        unsafe content.read_callback = { _, stream, buffer, capacity, flags, _, context in
            let room = unsafe UnsafeMutableBufferPointer(start: buffer, count: capacity)
            let record = unsafe HTTP2Record.of(context)
            guard let part = unsafe record?.giveContent(of: Int64(stream), into: room) else {
                return 0
            }
            if part.isEnd { unsafe flags?.pointee |= NGHTTP2_DATA_FLAG_EOF.rawValue }
            return part.count
        }
        // nghttp2 copies the fields.
        let stream = unsafe request.lendFields { name, value in
            unsafe nghttp2_nv(
                name: name.baseAddress,
                value: value.baseAddress,
                namelen: name.count,
                valuelen: value.count,
                flags: UInt8(NGHTTP2_NV_FLAG_NONE.rawValue)
            )
        } _: { fields in
            let count = unsafe fields.count
            return unsafe withUnsafePointer(to: &content) { content in
                let content = unsafe request.content.isEmpty ? nil : content
                return unsafe nghttp2_submit_request(session, nil, fields, count, content, nil)
            }
        }
        guard stream > 0 else { return nil }
        record.contents[Int64(stream)] = request.content[...]
        return Int64(stream)
    }

    func cancel(_ stream: Int64) {
        record.contents[stream] = nil
        let (number, code) = (Int32(clamping: stream), NGHTTP2_CANCEL.rawValue)
        _ = unsafe nghttp2_submit_rst_stream(session, Self.noFlags, number, code)
    }

    func finish() { _ = unsafe nghttp2_session_terminate_session(session, 0) }

    /// The bytes to send next, up to the end of one request; empty without any.
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

    /// Processes received bytes. Returns `false` if they are invalid.
    func take(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let data = unsafe bytes.bindMemory(to: UInt8.self)
        let count = unsafe nghttp2_session_mem_recv(session, data.baseAddress, data.count)
        guard count < 0 else { return true }
        let words = unsafe nghttp2_strerror(Int32(clamping: count))
        record.complaint = unsafe words.map { unsafe String(cString: $0) } ?? record.complaint
        return false
    }
}

extension HTTP2Session {
    /// Sets the callbacks with which nghttp2 reports events to a session's record.
    private static func set(_ callbacks: OpaquePointer?) {
        let willSend: nghttp2_before_frame_send_callback = { _, frame, context in
            // A request without content ends with its header. Other requests end with their content.
            if let header = unsafe frame?.pointee.hd, header.isOf(NGHTTP2_HEADERS), header.isEnd {
                unsafe HTTP2Record.of(context)?.noteSent(header.stream)
            }
            return 0
        }
        unsafe nghttp2_session_callbacks_set_before_frame_send_callback(callbacks, willSend)
        let couldNotSend: nghttp2_on_frame_not_send_callback = { _, frame, code, context in
            if let header = unsafe frame?.pointee.hd, header.isOf(NGHTTP2_HEADERS) {
                let words = unsafe String(cString: nghttp2_strerror(code))
                unsafe HTTP2Record.of(context)?.events.append(.closed(header.stream, words))
            }
            return 0
        }
        unsafe nghttp2_session_callbacks_set_on_frame_not_send_callback(callbacks, couldNotSend)
        let field: nghttp2_on_header_callback = { _, frame, name, size, value, length, _, context in
            guard let stream = unsafe frame?.pointee.hd.stream else { return 0 }
            let name = unsafe UnsafeBufferPointer(start: name, count: size)
            let value = unsafe UnsafeBufferPointer(start: value, count: length)
            let isExcess = unsafe HTTP2Record.of(context)?.take(name, value, on: stream) == false
            // The stream is reset, and the rest of its header is ignored.
            return isExcess ? NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue : 0
        }
        unsafe nghttp2_session_callbacks_set_on_header_callback(callbacks, field)
        let content: nghttp2_on_data_chunk_recv_callback = { _, _, stream, bytes, count, context in
            unsafe HTTP2Record.of(context)?.takeContent(bytes, count, on: Int64(stream))
            return 0
        }
        unsafe nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks, content)
        let received: nghttp2_on_frame_recv_callback = { _, frame, context in
            if let frame = unsafe frame?.pointee {
                unsafe HTTP2Record.of(context)?.noteReceived(frame)
            }
            return 0
        }
        unsafe nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks, received)
        let closed: nghttp2_on_stream_close_callback = { _, stream, code, context in
            unsafe HTTP2Record.of(context)?.noteClosed(Int64(stream), code)
            return 0
        }
        unsafe nghttp2_session_callbacks_set_on_stream_close_callback(callbacks, closed)
        let complained: nghttp2_error_callback2 = { _, _, text, _, context in
            unsafe HTTP2Record.of(context)?.complaint = text.map { unsafe String(cString: $0) }
            return 0
        }
        unsafe nghttp2_session_callbacks_set_error_callback2(callbacks, complained)
    }
}

/// The state of one session's callbacks.
private final class HTTP2Record: HTTPRecord {
    /// The unsent parts of the requests' contents.
    var contents: [Int64: ArraySlice<UInt8>] = [:]
    /// The number of completely sent requests.
    private(set) var sent = 0
    var complaint: String?

    func noteSent(_ stream: Int64) {
        sent += 1
        events.append(.sent(stream))
        contents[stream] = nil
    }

    func giveContent(
        of stream: Int64,
        into room: UnsafeMutableBufferPointer<UInt8>
    ) -> (count: Int, isEnd: Bool) {
        let left = contents[stream] ?? []
        let part = left.prefix(room.count)
        _ = unsafe room.update(fromContentsOf: part)
        let isEnd = part.count == left.count
        if isEnd { noteSent(stream) } else { contents[stream] = left.dropFirst(part.count) }
        return (part.count, isEnd)
    }

    func noteReceived(_ frame: nghttp2_frame) {
        let header = unsafe frame.hd
        switch nghttp2_frame_type(UInt32(header.type)) {
        case NGHTTP2_HEADERS, NGHTTP2_DATA:
            if header.isEnd { events.append(.answered(header.stream)) }
        case NGHTTP2_RST_STREAM:
            let code = unsafe frame.rst_stream.error_code
            events.append(.reset(header.stream, Self.name(of: code)))
        case NGHTTP2_GOAWAY:
            let (last, code) = unsafe (frame.goaway.last_stream_id, frame.goaway.error_code)
            events.append(.goAway(from: Int64(last) + 1, Self.name(of: code)))
        default: break
        }
    }

    func noteClosed(_ stream: Int64, _ code: UInt32) {
        contents[stream] = nil
        forget(stream)
        events.append(.closed(stream, Self.name(of: code)))
    }

    private static func name(of code: UInt32) -> String {
        unsafe String(cString: nghttp2_http2_strerror(code))
    }
}

extension nghttp2_frame_hd {
    fileprivate func isOf(_ kind: nghttp2_frame_type) -> Bool { type == UInt8(kind.rawValue) }
    fileprivate var stream: Int64 { Int64(stream_id) }

    /// Whether this frame is the last on its stream.
    fileprivate var isEnd: Bool { flags & UInt8(NGHTTP2_FLAG_END_STREAM.rawValue) != 0 }
}
