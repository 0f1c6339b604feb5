import CNGHTTP2

/// What the callbacks note of one session.
final class HTTP2Record {
    var events: [HTTP2Session.Event] = []
    /// What is left to send of the requests' contents.
    var contents: [Int32: ArraySlice<UInt8>] = [:]
    /// What has come of the headers of answers that are not complete.
    fileprivate var headers: [Int32: HTTPHeaderCount] = [:]
    /// How many requests have been sent.
    var sent = 0
    var complaint: String?

    fileprivate func noteSent(_ stream: Int32) {
        sent += 1
        events.append(.sent(stream))
        contents[stream] = nil
    }

    /// Has `callbacks` note everything in the record that is the session's context.
    static func set(_ callbacks: OpaquePointer?) {
        unsafe nghttp2_session_callbacks_set_before_frame_send_callback(callbacks, willSend)
        unsafe nghttp2_session_callbacks_set_on_frame_not_send_callback(callbacks, couldNotSend)
        unsafe nghttp2_session_callbacks_set_on_header_callback(callbacks, receivedField)
        unsafe nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks, receivedContent)
        unsafe nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks, receivedFrame)
        unsafe nghttp2_session_callbacks_set_on_stream_close_callback(callbacks, closedStream)
        unsafe nghttp2_session_callbacks_set_error_callback2(callbacks, complained)
    }

    /// Gives the content of a request.
    static let readContent: nghttp2_data_source_read_callback = unsafe giveContent
}

/// The name of an error code.
private func name(of code: UInt32) -> String {
    unsafe String(cString: nghttp2_http2_strerror(code))
}

// MARK: What nghttp2 calls

private func record(_ context: UnsafeMutableRawPointer?) -> HTTP2Record? {
    unsafe context.map { unsafe Unmanaged<HTTP2Record>.fromOpaque($0).takeUnretainedValue() }
}

/// A request without content ends with its header; the end of one with content is that.
private func willSend(
    _ session: OpaquePointer?,
    _ frame: UnsafePointer<nghttp2_frame>?,
    _ context: UnsafeMutableRawPointer?
) -> Int32 {
    guard let header = unsafe frame?.pointee.hd,
        header.type == UInt8(NGHTTP2_HEADERS.rawValue), endsStream(header)
    else { return 0 }
    unsafe record(context)?.noteSent(header.stream_id)
    return 0
}

private func giveContent(
    _ session: OpaquePointer?,
    _ stream: Int32,
    _ buffer: UnsafeMutablePointer<UInt8>?,
    _ capacity: Int,
    _ flags: UnsafeMutablePointer<UInt32>?,
    _ source: UnsafeMutablePointer<nghttp2_data_source>?,
    _ context: UnsafeMutableRawPointer?
) -> Int {
    let record = unsafe record(context)
    let left = record?.contents[stream] ?? []
    let room = unsafe UnsafeMutableBufferPointer(start: buffer, count: capacity)
    let part = left.prefix(capacity)
    _ = unsafe room.update(fromContentsOf: part)
    if part.count == left.count {
        unsafe flags?.pointee |= NGHTTP2_DATA_FLAG_EOF.rawValue
        record?.noteSent(stream)
    } else {
        record?.contents[stream] = left.dropFirst(part.count)
    }
    return part.count
}

private func couldNotSend(
    _ session: OpaquePointer?,
    _ frame: UnsafePointer<nghttp2_frame>?,
    _ code: Int32,
    _ context: UnsafeMutableRawPointer?
) -> Int32 {
    guard let header = unsafe frame?.pointee.hd, header.type == UInt8(NGHTTP2_HEADERS.rawValue)
    else { return 0 }
    let words = unsafe String(cString: nghttp2_strerror(code))
    unsafe record(context)?.events.append(.closed(header.stream_id, words))
    return 0
}

private func receivedField(
    _ session: OpaquePointer?,
    _ frame: UnsafePointer<nghttp2_frame>?,
    _ name: UnsafePointer<UInt8>?,
    _ nameLength: Int,
    _ value: UnsafePointer<UInt8>?,
    _ valueLength: Int,
    _ flags: UInt8,
    _ context: UnsafeMutableRawPointer?
) -> Int32 {
    guard let stream = unsafe frame?.pointee.hd.stream_id else { return 0 }
    guard let record = unsafe record(context) else { return 0 }
    let name = unsafe UnsafeBufferPointer(start: name, count: nameLength)
    let value = unsafe UnsafeBufferPointer(start: value, count: valueLength)
    switch unsafe record.headers[stream, default: .init()].take(name, value) {
    case .other: return 0
    case .known(let field):
        record.events.append(.field(stream, field))
        return 0
    case .excess(let words):
        record.events.append(.excess(stream, words))
        // The stream is reset, and what else its header holds is read over.
        return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue
    }
}

private func receivedContent(
    _ session: OpaquePointer?,
    _ flags: UInt8,
    _ stream: Int32,
    _ bytes: UnsafePointer<UInt8>?,
    _ count: Int,
    _ context: UnsafeMutableRawPointer?
) -> Int32 {
    let octets = unsafe [UInt8](UnsafeBufferPointer(start: bytes, count: count))
    unsafe record(context)?.events.append(.content(stream, octets))
    return 0
}

private func receivedFrame(
    _ session: OpaquePointer?,
    _ frame: UnsafePointer<nghttp2_frame>?,
    _ context: UnsafeMutableRawPointer?
) -> Int32 {
    guard let record = unsafe record(context), let frame = unsafe frame?.pointee else { return 0 }
    let header = unsafe frame.hd
    switch nghttp2_frame_type(UInt32(header.type)) {
    case NGHTTP2_HEADERS, NGHTTP2_DATA:
        if endsStream(header) { record.events.append(.answered(header.stream_id)) }
    case NGHTTP2_RST_STREAM:
        let code = unsafe frame.rst_stream.error_code
        record.events.append(.reset(header.stream_id, name(of: code)))
    case NGHTTP2_GOAWAY:
        record.events.append(.goAway(name(of: unsafe frame.goaway.error_code)))
    default: break
    }
    return 0
}

private func closedStream(
    _ session: OpaquePointer?,
    _ stream: Int32,
    _ code: UInt32,
    _ context: UnsafeMutableRawPointer?
) -> Int32 {
    let record = unsafe record(context)
    record?.contents[stream] = nil
    record?.headers[stream] = nil
    record?.events.append(.closed(stream, name(of: code)))
    return 0
}

private func complained(
    _ session: OpaquePointer?,
    _ code: Int32,
    _ text: UnsafePointer<CChar>?,
    _ length: Int,
    _ context: UnsafeMutableRawPointer?
) -> Int32 {
    unsafe record(context)?.complaint = text.map { unsafe String(cString: $0) }
    return 0
}

private func endsStream(_ header: nghttp2_frame_hd) -> Bool {
    header.flags & UInt8(NGHTTP2_FLAG_END_STREAM.rawValue) != 0
}
