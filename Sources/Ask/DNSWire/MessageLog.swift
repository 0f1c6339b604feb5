/// The messages of one exchange as they were sent and received, in one block of memory. Keeping
/// them costs little during a measurement.
package struct MessageLog: Hashable, Sendable {
    /// The bytes of each message: its time (8 bytes), its length (4), a flag for a response (1),
    /// and the message itself.
    private var bytes: [UInt8] = []
    /// The offset of the last query.
    private var last = 0
    /// The number of messages.
    package private(set) var count = 0

    private static let headerSize = 13
    /// Enough for a query and a typical answer.
    private static let usualSize = 256

    package init() {}

    package init(_ queries: [SentQuery]) {
        for query in queries {
            add(query: query.message.span)
            if let sent = query.sent { self.sent = sent }
            for response in query.responses {
                add(response: response.message.span, received: response.received)
            }
        }
    }

    package var isEmpty: Bool { bytes.isEmpty }
    /// The size in bytes.
    package var size: Int { bytes.count }

    /// Adds a query that is sent.
    package mutating func add(query message: Span<UInt8>) {
        if bytes.isEmpty { bytes.reserveCapacity(Self.usualSize) }
        last = bytes.count
        add(message, at: .min, isResponse: false)
    }

    /// Adds a response.
    package mutating func add(response message: Span<UInt8>, received: Int64) {
        add(message, at: received, isResponse: true)
    }

    /// Inserts the messages of an earlier exchange before these messages.
    package mutating func follow(_ earlier: MessageLog) {
        last = isEmpty ? earlier.last : earlier.bytes.count + last
        bytes = earlier.bytes + bytes
        count += earlier.count
    }

    /// The time when the last query was sent; `nil` while it is unknown.
    package var sent: Int64? {
        get { bytes.isEmpty ? nil : time(at: last) }
        set {
            guard !bytes.isEmpty else { return }
            let bits = UInt64(bitPattern: newValue ?? .min)
            for index in 0..<8 {
                bytes[last + index] = UInt8(truncatingIfNeeded: bits >> (8 * index))
            }
        }
    }

    /// Calls `body` with each message in order, its time, and whether it is a response. The time is
    /// when the message was sent or received; `nil` if unknown.
    package func forEach<Failure>(
        _ body: (Span<UInt8>, _ time: Int64?, _ isResponse: Bool) throws(Failure) -> Void
    ) throws(Failure) {
        var position = 0
        while position < bytes.count {
            let start = position + Self.headerSize
            let end = start + Int(number(at: position + 8, bytes: 4))
            let isResponse = bytes[position + 12] == 1
            try body(bytes.span.extracting(start..<end), time(at: position), isResponse)
            position = end
        }
    }

    /// Each query with its responses.
    package var queries: [SentQuery] {
        var queries: [SentQuery] = []
        forEach { bytes, time, isResponse in
            let message = unsafe bytes.withUnsafeBufferPointer { unsafe Array($0) }
            if isResponse, let received = time {
                queries[queries.count - 1].responses.append(
                    .init(message: message, received: received)
                )
            } else {
                queries.append(SentQuery(message: message, sent: time))
            }
        }
        return queries
    }

    private mutating func add(_ message: Span<UInt8>, at time: Int64, isResponse: Bool) {
        count += 1
        append(UInt64(bitPattern: time), bytes: 8)
        append(UInt64(message.count), bytes: 4)
        bytes.append(isResponse ? 1 : 0)
        unsafe message.withUnsafeBufferPointer { unsafe bytes.append(contentsOf: $0) }
    }

    private mutating func append(_ number: UInt64, bytes count: Int) {
        for index in 0..<count { bytes.append(UInt8(truncatingIfNeeded: number >> (8 * index))) }
    }

    private func number(at position: Int, bytes count: Int) -> UInt64 {
        (0..<count).reduce(0) { $0 | UInt64(bytes[position + $1]) << (8 * $1) }
    }

    private func time(at position: Int) -> Int64? {
        let time = Int64(bitPattern: number(at: position, bytes: 8))
        return time == .min ? nil : time
    }
}
