import CSockets
import DNSWire

/// The socket under a TLS session: what the session sends is collected, so that each message goes
/// out in one call, and what it takes is read from the socket record by record, so that the
/// kernel's stamp is that of the segment with the record's last octet.
final class TLSChannel {
    private let socket: Socket
    private var outgoing: [UInt8] = []
    /// Octets given to the kernel, counted as its send stamps count them: modulo 2^32.
    private var sent: UInt32 = 0
    /// When the octets taken last came.
    private(set) var arrival = Arrival(stamp: nil, clocks: cs_read_clocks())
    /// Octets were taken since it was last set to false, and there may be more.
    var mayHaveMore = false
    /// Why taking failed, where it did.
    private(set) var failure: SystemError?

    /// Over an established connection on which nothing was sent.
    init(_ socket: consuming Socket) {
        socket.enableStamps()
        cs_send_at_once(socket.descriptor)
        self.socket = socket
    }

    /// The send stamps' number of the last octet collected.
    var lastOctet: UInt32 { sent &+ UInt32(truncatingIfNeeded: outgoing.count) &- 1 }
    var budget: ReadBudget { socket.budget }
    func takeQueued() -> cs_queue_entry { socket.takeQueued() }
    func collect(_ bytes: UnsafeRawBufferPointer) { unsafe outgoing.append(contentsOf: bytes) }

    /// How much is kept for an end that reads nothing: what it asks for may have no end.
    private static let mostOutgoing = 1 << 20

    /// Sends what was collected, as far as the kernel takes it.
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
                    throw ConnectionEnd(.unreachable("the server reads nothing of what it is sent"))
                }
                return
            }
        }
    }

    /// Takes up to as many octets as `buffer` has room for; -1 where there is none yet, or with
    /// ``failure`` set.
    func take(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        do throws(SystemError) {
            mayHaveMore = false
            guard let received = try unsafe socket.receive(into: buffer) else { return -1 }
            mayHaveMore = received.count > 0
            arrival = received.arrival
            return received.count
        } catch {
            failure = error
            return -1
        }
    }
}
