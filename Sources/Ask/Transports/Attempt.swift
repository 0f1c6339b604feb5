import DNSWire
import LibC

/// One sending of a query: under an ID, and with letters' cases, of its own.
@EventLoopActor
struct Attempt {
    private static var random = PooledGenerator()

    let id: UInt16
    private let query: Query
    private let caseBits: UInt64

    /// Draws an ID that is not `taken` by another query of the same connection.
    init(_ query: Query, where taken: (UInt16) -> Bool = { _ in false }) {
        var drawn = UInt16(truncatingIfNeeded: Self.random.next())
        while taken(drawn) { drawn = UInt16(truncatingIfNeeded: Self.random.next()) }
        self.init(query, id: drawn)
    }

    /// Under `id`, where something else tells queries from one another.
    init(_ query: Query, id: UInt16) {
        self.query = query
        self.id = id
        caseBits = query.caseBits(using: &Self.random)
    }

    /// Sends the message as one datagram; see ``Socket/sendDatagram(_:to:)``.
    func send(on socket: borrowing Socket) throws(SystemError) -> Bool {
        let descriptor = socket.descriptor
        return try unsafe withMessage { unsafe Socket.sendDatagram($0, to: descriptor) }.get()
    }

    /// Sends the message on a stream, with its length before it (RFC 1035 §4.2.2).
    func sendFrame(on socket: borrowing Socket) throws(SystemError) {
        let descriptor = socket.descriptor
        _ = try unsafe withFrame { unsafe Socket.send($0, to: descriptor) }.get()
    }

    var keepsMessages: Bool { query.keepsMessages }

    var message: [UInt8] { query.bytes(id: id, caseBits: caseBits) }

    /// Lends the message.
    func withMessage<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
        try unsafe query.withBytes(id: id, caseBits: caseBits, body)
    }

    /// Lends the message with its length before it (RFC 1035 §4.2.2).
    func withFrame<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
        try unsafe query.withBytes(id: id, caseBits: caseBits, tcpPrefix: true, body)
    }

    /// The meaning of `bytes`, one message, for this sending.
    func read(_ bytes: UnsafeRawBufferPointer) -> Reading {
        unsafe query.read(bytes, id: id, caseBits: caseBits)
    }
}

/// The system's random numbers, drawn in batches: one system call for many.
private struct PooledGenerator: RandomNumberGenerator {
    /// As much as getentropy(3) gives at once: 256 octets.
    private var pool = [UInt64](repeating: 0, count: 32)
    private var left = 0

    mutating func next() -> UInt64 {
        if left == 0 {
            left = pool.count
            let filled = unsafe pool.withUnsafeMutableBytes { bytes in
                unsafe getentropy(bytes.baseAddress, bytes.count) == 0
            }
            // It fails only where the system has no such call.
            if !filled { pool = pool.map { _ in .random(in: 0 ... .max) } }
        }
        left -= 1
        return pool[left]
    }
}
