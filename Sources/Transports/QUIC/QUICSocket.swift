#if QUIC
import CSockets

/// The connected socket under a QUIC connection, whose datagrams are counted as the kernel's send
/// stamps count them.
final class QUICSocket {
    private let socket: Socket
    /// Datagrams handed to the kernel.
    private(set) var sent: UInt32 = 0
    /// After a datagram that the kernel refused it may have counted on or not, and a stamp could
    /// belong to another.
    private var isInStep = true

    /// Sends to `address` and hears nobody else.
    init(_ socket: consuming Socket, to address: SocketAddress) throws(SystemError) {
        socket.enableStamps()
        socket.enableICMPErrors(family: address.family)
        try socket.connect(to: address)
        self.socket = socket
    }

    var descriptor: Int32 { socket.descriptor }
    var budget: ReadBudget { socket.budget }

    /// Sends one datagram. One that the kernel has no room for is lost, and QUIC sends its content
    /// again.
    func send(_ datagram: UnsafeRawBufferPointer) throws(ConnectionEnd) {
        switch unsafe Socket.send(datagram, to: socket.descriptor) {
        case .success: sent &+= 1
        case .failure(let error):
            isInStep = false
            guard error.isShortage else { throw ConnectionEnd(error) }
        }
    }

    /// Takes the next datagram into the receive buffer.
    @EventLoopActor
    func receive() throws(ConnectionEnd) -> Socket.Received? {
        do throws(SystemError) {
            return try unsafe socket.receive(into: ReceiveBuffer.bytes)
        } catch {
            // What ICMP reported is in the queue too, with who did.
            while try takeStamp() != nil {}
            throw ConnectionEnd(error)
        }
    }

    /// Takes the next send stamp, or throws what ICMP reported.
    func takeStamp() throws(ConnectionEnd) -> (datagram: UInt32, stamp: Int64)? {
        while true {
            let entry = socket.takeQueued()
            switch entry.kind {
            case CS_QUEUED_NOTHING: return nil
            case CS_QUEUED_SEND_STAMP where isInStep: return (entry.identifier, entry.stamp)
            case CS_QUEUED_ICMP_ERROR:
                throw ConnectionEnd(entry.failure(at: socket.source, to: socket.peer))
            default: continue
            }
        }
    }
}
#endif
