/// The messages of one exchange as they were sent and received, in one block of memory. Keeping
/// them costs little during a measurement.
package struct MessageLog: Hashable, Sendable {
    /// The bytes of each message: its time (8 bytes), its length (4), a flag for a response (1),
    /// and the message itself.
    private var octets: [UInt8] = []
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

    package var isEmpty: Bool { octets.isEmpty }
    /// The size in bytes.
    package var size: Int { octets.count }

    /// Adds a query that is sent.
    package mutating func add(query message: Span<UInt8>) {
        if octets.isEmpty { octets.reserveCapacity(Self.usualSize) }
        last = octets.count
        add(message, at: .min, isResponse: false)
    }

    /// Adds a response.
    package mutating func add(response message: Span<UInt8>, received: Int64) {
        add(message, at: received, isResponse: true)
    }

    /// Inserts the messages of an earlier exchange before these messages.
    package mutating func follow(_ earlier: MessageLog) {
        last = isEmpty ? earlier.last : earlier.octets.count + last
        octets = earlier.octets + octets
        count += earlier.count
    }

    /// The time when the last query was sent; `nil` while it is unknown.
    package var sent: Int64? {
        get { octets.isEmpty ? nil : time(at: last) }
        set {
            guard !octets.isEmpty else { return }
            let bits = UInt64(bitPattern: newValue ?? .min)
            for index in 0..<8 {
                octets[last + index] = UInt8(truncatingIfNeeded: bits >> (8 * index))
            }
        }
    }

    /// Calls `body` with each message in order, its time, and whether it is a response. The time is
    /// when the message was sent or received; `nil` if unknown.
    package func forEach<Failure>(
        _ body: (Span<UInt8>, _ time: Int64?, _ isResponse: Bool) throws(Failure) -> Void
    ) throws(Failure) {
        var position = 0
        while position < octets.count {
            let start = position + Self.headerSize
            let end = start + Int(number(at: position + 8, octets: 4))
            let isResponse = octets[position + 12] == 1
            try body(octets.span.extracting(start..<end), time(at: position), isResponse)
            position = end
        }
    }

    /// Each query with its responses.
    package var queries: [SentQuery] {
        var queries: [SentQuery] = []
        forEach { octets, time, isResponse in
            let message = unsafe octets.withUnsafeBufferPointer { unsafe Array($0) }
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
        append(UInt64(bitPattern: time), octets: 8)
        append(UInt64(message.count), octets: 4)
        octets.append(isResponse ? 1 : 0)
        unsafe message.withUnsafeBufferPointer { unsafe octets.append(contentsOf: $0) }
    }

    private mutating func append(_ number: UInt64, octets count: Int) {
        for index in 0..<count { octets.append(UInt8(truncatingIfNeeded: number >> (8 * index))) }
    }

    private func number(at position: Int, octets count: Int) -> UInt64 {
        (0..<count).reduce(0) { $0 | UInt64(octets[position + $1]) << (8 * $1) }
    }

    private func time(at position: Int) -> Int64? {
        let time = Int64(bitPattern: number(at: position, octets: 8))
        return time == .min ? nil : time
    }
}
