/// An event of an HTTP session, and its stream; codes of errors as RFC 9113 §7 names them.
enum HTTPEvent {
    /// The octets given last hold the end of the request.
    case sent(Int64)
    case field(Int64, HTTPField)
    /// Too much of a header came, in words.
    case excess(Int64, String)
    case content(Int64, [UInt8])
    /// The answer is complete.
    case answered(Int64)
    /// The other end wants no more of it.
    case reset(Int64, String)
    /// It has ended, in whatever way.
    case closed(Int64, String)
    /// The other end takes no more requests, and none of those on this stream and behind it.
    case goAway(from: Int64, String)
}

/// The notes of a session's callbacks.
class HTTPRecord {
    final var events: [HTTPEvent] = []
    /// The headers so far of answers that are not complete.
    private var headers: [Int64: HTTPHeaderCount] = [:]

    /// The record that a callback is given.
    static func of(_ context: UnsafeMutableRawPointer?) -> Self? {
        unsafe context.map { unsafe Unmanaged<Self>.fromOpaque($0).takeUnretainedValue() }
    }

    /// The events since the last time, in their order.
    final func takeEvents() -> [HTTPEvent] {
        defer { events.removeAll(keepingCapacity: true) }
        return events
    }

    /// Takes a field of a header; `false` where it is one too many.
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
        let octets = unsafe [UInt8](UnsafeBufferPointer(start: start, count: count))
        events.append(.content(stream, octets))
    }

    func forget(_ stream: Int64) { headers[stream] = nil }
}
