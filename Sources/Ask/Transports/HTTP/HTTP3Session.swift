#if QUIC
import CNGHTTP3
import DNSWire

/// The sole owner of an nghttp3 client connection, which converts requests to the bytes of streams, and bytes
/// to events; `deinit` frees it.
@safe
final class HTTP3Session {
    /// The control stream and the two QPACK streams (RFC 9114 §6.2).
    static let controlStreams = 3

    private let connection: OpaquePointer
    private let record: HTTP3Record

    /// A session with its control streams; `nil` if memory is exhausted.
    init?(on streams: [Int64]) {
        guard streams.count == Self.controlStreams else { return nil }
        let record = HTTP3Record()
        var callbacks = nghttp3_callbacks()
        unsafe callbacks.recv_header = { _, stream, _, name, value, _, context, _ in
            _ = unsafe HTTP3Record.of(context)?.take(bytes(name), bytes(value), on: stream)
            return 0
        }
        unsafe callbacks.recv_data = { _, stream, bytes, count, context, _ in
            unsafe HTTP3Record.of(context)?.takeContent(bytes, count, on: stream)
            return 0
        }
        unsafe callbacks.end_stream = { _, stream, context, _ in
            unsafe HTTP3Record.of(context)?.events.append(.answered(stream))
            return 0
        }
        unsafe callbacks.shutdown = { _, stream, context in
            unsafe HTTP3Record.of(context)?.events.append(.goAway(from: stream, ""))
            return 0
        }
        var settings = nghttp3_settings()
        unsafe nghttp3_settings_default_versioned(NGHTTP3_SETTINGS_VERSION, &settings)
        settings.max_field_section_size = UInt64(HTTPHeaderCount.mostBytes)
        var made: OpaquePointer?
        let error = unsafe nghttp3_conn_client_new_versioned(
            &made,
            NGHTTP3_CALLBACKS_VERSION,
            &callbacks,
            NGHTTP3_SETTINGS_VERSION,
            &settings,
            nil,
            Unmanaged.passUnretained(record).toOpaque()
        )
        guard error == 0, let connection = unsafe made else { return nil }
        unsafe self.connection = connection
        self.record = record
        guard unsafe nghttp3_conn_bind_control_stream(connection, streams[0]) == 0,
            unsafe nghttp3_conn_bind_qpack_streams(connection, streams[1], streams[2]) == 0
        else { return nil }
    }

    deinit { unsafe nghttp3_conn_del(connection) }

    func takeEvents() -> [HTTPEvent] { record.takeEvents() }

    /// Submits `request` on `stream`. Returns `false` if this is impossible.
    func submit(_ request: HTTPRequest, on stream: Int64) -> Bool {
        if !request.content.isEmpty { record.contents[stream] = HTTP3Content(request.content) }
        var reader = unsafe nghttp3_data_reader { _, stream, parts, capacity, flags, context, _ in
            unsafe flags?.pointee |= UInt32(NGHTTP3_DATA_FLAG_EOF)
            guard let content = unsafe HTTP3Record.of(context)?.contents[stream],
                !content.isRead, capacity > 0
            else { return 0 }
            content.isRead = true
            unsafe parts?.pointee = nghttp3_vec(
                base: content.bytes.baseAddress,
                len: content.bytes.count
            )
            return 1
        }
        // nghttp3 copies the fields.
        let error = unsafe request.lendFields { name, value in
            unsafe nghttp3_nv(
                name: name.baseAddress,
                value: value.baseAddress,
                namelen: name.count,
                valuelen: value.count,
                flags: UInt8(NGHTTP3_NV_FLAG_NONE)
            )
        } _: { fields in
            let count = unsafe fields.count
            return unsafe withUnsafePointer(to: &reader) { reader in
                let reader = unsafe request.content.isEmpty ? nil : reader
                return unsafe nghttp3_conn_submit_request(
                    connection,
                    stream,
                    fields,
                    count,
                    reader,
                    nil
                )
            }
        }
        return error == 0
    }

    /// The bytes to send next; `nil` without any. They count as sent and acknowledged.
    func outgoing() throws(ConnectionEnd) -> StreamBytes? {
        var data = StreamBytes(stream: -1, bytes: [], isEnd: false)
        var end: Int32 = 0
        let capacity = 16
        let count = unsafe withUnsafeTemporaryAllocation(of: nghttp3_vec.self, capacity: capacity) {
            parts in
            let count = unsafe nghttp3_conn_writev_stream(
                connection,
                &data.stream,
                &end,
                parts.baseAddress,
                capacity
            )
            for index in 0..<max(0, count) {
                let part = unsafe parts[index]
                unsafe data.bytes.append(
                    contentsOf: UnsafeBufferPointer(start: part.base, count: part.len)
                )
            }
            return count
        }
        guard count >= 0 else { throw ConnectionEnd(http3: count) }
        guard data.stream >= 0 else { return nil }
        data.isEnd = end != 0
        _ = unsafe nghttp3_conn_add_write_offset(connection, data.stream, data.bytes.count)
        let sent = UInt64(data.bytes.count)
        _ = unsafe nghttp3_conn_add_ack_offset(connection, data.stream, sent)
        if data.isEnd { record.contents[data.stream] = nil }
        return data
    }

    func take(_ data: StreamBytes) throws(ConnectionEnd) {
        let (stream, bytes, end) = (data.stream, data.bytes, data.isEnd ? 1 as Int32 : 0)
        let count = unsafe nghttp3_conn_read_stream(connection, stream, bytes, bytes.count, end)
        guard count >= 0 else { throw ConnectionEnd(http3: count) }
    }

    /// Abandons `stream`, or records that the server has abandoned it.
    func abandon(_ stream: Int64) {
        unsafe nghttp3_conn_shutdown_stream_write(connection, stream)
        _ = unsafe nghttp3_conn_shutdown_stream_read(connection, stream)
        record.forget(stream)
    }

    func forget(_ stream: Int64) {
        _ = unsafe nghttp3_conn_close_stream(connection, stream, UInt64(NGHTTP3_H3_NO_ERROR))
        record.forget(stream)
    }
}

extension ConnectionEnd {
    /// The server's violation of HTTP/3, from nghttp3's error, and its code (RFC 9114 §8.1).
    fileprivate init(http3 error: Int) {
        let error = Int32(clamping: error)
        let words = unsafe nghttp3_strerror(error).map { unsafe String(cString: $0) } ?? ""
        self.init(
            .malformed("HTTP/3: \(words)"),
            .application(nghttp3_err_infer_quic_app_error_code(error))
        )
    }
}

/// The state of one connection's callbacks.
private final class HTTP3Record: HTTPRecord {
    /// The requests' contents until they are sent.
    var contents: [Int64: HTTP3Content] = [:]

    override func forget(_ stream: Int64) {
        super.forget(stream)
        contents[stream] = nil
    }
}

/// A request's content at an address that nghttp3 can keep.
@safe
private final class HTTP3Content {
    let bytes: UnsafeMutableBufferPointer<UInt8>
    var isRead = false

    init(_ content: [UInt8]) {
        unsafe bytes = .allocate(capacity: content.count)
        _ = unsafe bytes.initialize(fromContentsOf: content)
    }

    deinit { unsafe bytes.deallocate() }
}

/// The bytes of an nghttp3 buffer with reference count.
private func bytes(_ buffer: OpaquePointer?) -> UnsafeBufferPointer<UInt8> {
    let data = unsafe nghttp3_rcbuf_get_buf(buffer)
    return unsafe UnsafeBufferPointer(start: data.base, count: data.len)
}
#endif
