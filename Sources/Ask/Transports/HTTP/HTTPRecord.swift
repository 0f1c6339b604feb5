/// An event of an HTTP session, and its stream. Error codes have the values of RFC 9113 §7.
enum HTTPEvent {
    /// The bytes that were returned last contain the end of the request.
    case sent(Int64)
    case field(Int64, HTTPField)
    /// The header exceeds a limit, which the text names.
    case excess(Int64, String)
    case content(Int64, [UInt8])
    /// The answer is complete.
    case answered(Int64)
    /// The server needs no more of the request.
    case reset(Int64, String)
    /// The stream has ended for any reason.
    case closed(Int64, String)
    /// The server accepts no more requests, and none from this stream on.
    case goAway(from: Int64, String)
}

/// The state of a session's callbacks.
class HTTPRecord {
    final var events: [HTTPEvent] = []
    /// The received headers of incomplete answers.
    private var headers: [Int64: HTTPHeaderCount] = [:]

    /// The record that belongs to a callback's pointer.
    static func of(_ context: UnsafeMutableRawPointer?) -> Self? {
        unsafe context.map { unsafe Unmanaged<Self>.fromOpaque($0).takeUnretainedValue() }
    }

    /// The events since the last call, in their order.
    final func takeEvents() -> [HTTPEvent] {
        defer { events.removeAll(keepingCapacity: true) }
        return events
    }

    /// Processes a field of a header. Returns `false` if the field exceeds the limit.
    final func take(
        _ name: UnsafeBufferPointer<UInt8>,
        _ value: UnsafeBufferPointer<UInt8>,
        on stream: Int64
    ) -> Bool {
        switch unsafe headers[stream, default: .init()].take(name, value) {
        case .other: break
        case .known(let field): events.append(.field(stream, field))
        case .excess(let words):
            events.append(.excess(stream, words))
            return false
        }
        return true
    }

    final func takeContent(_ start: UnsafePointer<UInt8>?, _ count: Int, on stream: Int64) {
        let bytes = unsafe [UInt8](UnsafeBufferPointer(start: start, count: count))
        events.append(.content(stream, bytes))
    }

    func forget(_ stream: Int64) { headers[stream] = nil }
}
