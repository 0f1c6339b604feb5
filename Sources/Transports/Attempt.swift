import DNSWire

/// One sending of a query: under an ID, and with letters' cases, of its own.
@EventLoopActor
struct Attempt {
    private static var random = PooledGenerator()

    private let query: Query
    private let id: UInt16
    private let caseBits: UInt64

    init(_ query: Query) {
        self.query = query
        id = UInt16(truncatingIfNeeded: Self.random.next())
        caseBits = query.caseBits(using: &Self.random)
    }

    /// Sends the message, for a stream with its length before it (RFC 1035 §4.2.2).
    func send(on socket: borrowing Socket, framed: Bool = false) throws(SystemError) {
        let descriptor = socket.descriptor
        let outcome = unsafe query.withBytes(id: id, caseBits: caseBits, tcpPrefix: framed) {
            bytes in
            unsafe Socket.send(bytes, to: descriptor)
        }
        _ = try outcome.get()
    }

    /// What `bytes`, one message, is to this sending.
    func read(_ bytes: UnsafeRawBufferPointer) -> Reading {
        unsafe query.read(bytes, id: id, caseBits: caseBits)
    }
}

/// The system's random numbers, drawn in batches: one system call for many.
private struct PooledGenerator: RandomNumberGenerator {
    private var pool: [UInt64] = []

    mutating func next() -> UInt64 {
        if pool.isEmpty {
            var generator = SystemRandomNumberGenerator()
            pool = (0..<256).map { _ in generator.next() }
        }
        return pool.removeLast()
    }
}
