import DNSWire
import LibC

/// One sending of a query, with its own ID and its own letter case (0x20).
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

    /// Uses `id`, for transports that match answers by other means.
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

    /// Sends the message on a stream, preceded by its length (RFC 1035 §4.2.2).
    func sendFrame(on socket: borrowing Socket) throws(SystemError) {
        let descriptor = socket.descriptor
        _ = try unsafe withFrame { unsafe Socket.send($0, to: descriptor) }.get()
    }

    var keepsMessages: Bool { query.keepsMessages }
    var countsPackets: Bool { query.countsPackets }
    var size: Int { query.size }

    var message: [UInt8] { query.bytes(id: id, caseBits: caseBits) }

    /// Passes the message to `body`.
    func withMessage<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
        try unsafe query.withBytes(id: id, caseBits: caseBits, body)
    }

    /// Passes the message to `body`, preceded by its length (RFC 1035 §4.2.2).
    func withFrame<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
        try unsafe query.withBytes(id: id, caseBits: caseBits, tcpPrefix: true, body)
    }

    /// Interprets `bytes`, one message, with respect to this sending.
    func read(_ bytes: UnsafeRawBufferPointer) -> Reading {
        unsafe query.read(bytes, id: id, caseBits: caseBits)
    }
}

/// The system's random numbers, drawn in batches: one system call for many.
private struct PooledGenerator: RandomNumberGenerator {
    /// The maximum of one getentropy(3) call: 256 bytes.
    private var pool = [UInt64](repeating: 0, count: 32)
    private var left = 0

    mutating func next() -> UInt64 {
        if left == 0 {
            left = pool.count
            let filled = unsafe pool.withUnsafeMutableBytes { bytes in
                unsafe getentropy(bytes.baseAddress, bytes.count) == 0
            }
            // getentropy(3) fails only if the system does not have this call.
            if !filled { pool = pool.map { _ in .random(in: 0 ... .max) } }
        }
        left -= 1
        return pool[left]
    }
}
