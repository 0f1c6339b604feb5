import CSockets
import DNSWire

/// The socket of a TCP connection, with or without a TLS session. Outgoing data is collected, so that each
/// message is sent in one call. Incoming data is read record by record under TLS. The kernel's stamp is
/// therefore that of the segment with the record's last byte.
final class StreamChannel {
    private let socket: Socket
    private var outgoing: [UInt8] = []
    /// The number of bytes given to the kernel, counted as its send stamps count them: modulo 2^32.
    private var sent: UInt32 = 0
    /// The arrival of the bytes that were read last.
    private(set) var arrival = Arrival(stamp: nil, clocks: cs_read_clocks())
    /// Whether bytes were read since it was last set to false, so that more may be available.
    var mayHaveMore = false
    /// The error of a failed read.
    private(set) var failure: SystemError?
    /// Whether the peer has ended the data.
    private(set) var isAtEnd = false

    /// A channel over an established connection on which nothing was sent.
    init(_ socket: consuming Socket) {
        socket.enableStamps()
        cs_send_at_once(socket.descriptor)
        self.socket = socket
    }

    /// The number of the last collected byte, as the send stamps count bytes.
    var lastByte: UInt32 { sent &+ UInt32(truncatingIfNeeded: outgoing.count) &- 1 }
    var budget: ReadBudget { socket.budget }
    var segments: PacketReading? { socket.segments }
    func takeQueued() -> cs_queue_entry { socket.takeQueued() }
    func collect(_ bytes: UnsafeRawBufferPointer) { unsafe outgoing.append(contentsOf: bytes) }

    /// The limit of data kept for a peer that reads nothing. Its requests could be endless.
    private static let mostOutgoing = 1 << 20

    /// Sends the collected data, as far as the kernel accepts it.
    func flush() throws(ConnectionEnd) {
        while !outgoing.isEmpty {
            let descriptor = socket.descriptor
            let result = unsafe outgoing.withUnsafeBytes { unsafe Socket.send($0, to: descriptor) }
            switch result {
            case .success(let count):
                sent &+= UInt32(truncatingIfNeeded: count)
                outgoing.removeFirst(min(count, outgoing.count))
            case .failure(let error):
                guard error.isBusy else { throw ConnectionEnd(.unreachable(error.reason)) }
                guard outgoing.count <= Self.mostOutgoing else {
                    throw ConnectionEnd(.unreachable("the server does not read its input"))
                }
                return
            }
        }
    }

    /// Reads bytes up to the size of `buffer`. Returns -1 if none are available, or with ``failure`` set.
    func take(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        do throws(SystemError) {
            mayHaveMore = false
            guard let received = try unsafe socket.receive(into: buffer) else { return -1 }
            mayHaveMore = received.count > 0
            isAtEnd = received.count == 0
            arrival = received.arrival
            return received.count
        } catch {
            failure = error
            return -1
        }
    }
}
