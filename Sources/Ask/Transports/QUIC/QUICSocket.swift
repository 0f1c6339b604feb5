#if QUIC
import CSockets
import Catalogue
import DNSWire

/// The connected socket of a QUIC connection. Its datagrams are counted as the kernel's send stamps count
/// them.
@EventLoopActor
final class QUICSocket {
    private let socket: Socket
    /// The number of datagrams passed to the kernel.
    private(set) var sent: UInt32 = 0
    /// All datagrams so far.
    private(set) var datagrams = PacketCount.zero
    /// Whether the count is reliable. The kernel may or may not count a datagram that it rejected, so that a
    /// later stamp could belong to another datagram.
    private var isInStep = true
    private var beginnings = SentBeginnings()
    /// The ICMP error since the last datagram from the server.
    private(set) var obstacle: SystemError?
    private(set) var hasReceived = false
    /// The number of lost datagrams that ICMP has reported since the last datagram from the server.
    private var lost = 0
    /// The error that ends the connection: two datagrams were reported lost, and none arrived between them.
    ///
    /// The error is valid only after all datagrams were read, because errors have a queue of their own.
    var refusal: ConnectionEnd? { lost > 1 ? obstacle.map { ConnectionEnd($0) } : nil }

    /// Sends to `address` and receives only from it.
    init(_ socket: consuming Socket, to address: SocketAddress) throws(SystemError) {
        socket.enableStamps()
        socket.enableICMPErrors(family: address.family)
        socket.ignorePathMTU(family: address.family, allowingFragments: false)
        try socket.connect(to: address)
        self.socket = socket
    }

    var descriptor: Int32 { socket.descriptor }
    var budget: ReadBudget { socket.budget }

    /// Sends one datagram. If the kernel has no space, the datagram is lost, and QUIC sends its content
    /// again.
    func send(_ datagram: UnsafeRawBufferPointer) throws(ConnectionEnd) {
        switch unsafe Socket.sendDatagram(datagram, to: socket.descriptor) {
        case .success(let isInStep):
            sent &+= 1
            datagrams.addSent(datagram.count)
            if !isInStep { self.isInStep = false }
            unsafe beginnings.add(datagram)
        case .failure(let error):
            isInStep = false
            guard error.isShortage else { throw ConnectionEnd(error) }
        }
    }

    /// Reads the next non-empty datagram into the receive buffer.
    func receive() throws(ConnectionEnd) -> Socket.Received? {
        while true {
            do throws(SystemError) {
                guard let received = try unsafe socket.receive(into: ReceiveBuffer.bytes) else {
                    return nil
                }
                datagrams.addReceived(received.count)
                (obstacle, lost) = (nil, 0)
                hasReceived = true
                // An empty datagram contains no packet (RFC 9000 §12.2), and ngtcp2 reports an error for it.
                if received.count > 0 { return received }
            } catch {
                guard error.canBeReported else { throw ConnectionEnd(error) }
                // The error is in the error queue as well, if the system has an error queue.
                if !Socket.hasErrorQueue { obstacle = error }
            }
        }
    }

    /// Takes the next send stamp. Throws if the system could not send a datagram.
    func takeStamp() throws(ConnectionEnd) -> (datagram: UInt32, stamp: Int64)? {
        while true {
            let entry = unsafe socket.takeQueued(Quotation.buffer)
            switch entry.kind {
            case CS_QUEUED_NOTHING: return nil
            case CS_QUEUED_SEND_STAMP where isInStep: return (entry.identifier, entry.stamp)
            case CS_QUEUED_ICMP_ERROR: try take(entry)
            default: continue
            }
        }
    }

    /// Processes an ICMP error, or an error of this system.
    ///
    /// Any machine can send an ICMP error. An error counts only if it quotes a datagram of the connection,
    /// whose bytes are random to everyone who has not seen it (RFC 9000 §14.2.1). One error is not enough:
    /// its cause may be temporary, and QUIC retransmits lost data.
    private func take(_ entry: cs_queue_entry) throws(ConnectionEnd) {
        if entry.is_local != 0 {
            throw ConnectionEnd(SystemError("send", code: entry.error))
        }
        if entry.quoted_length == 0 {
            obstacle = obstacle ?? entry.report
        } else if beginnings.remove(quotedBy: entry) {
            obstacle = entry.failure(at: socket.source, to: socket.peer)
            lost += 1
        }
    }
}

/// The beginnings of the datagrams that a connection sent last. Each contains at least eight bytes of a
/// connection ID or of ciphertext, which an outsider cannot guess.
private struct SentBeginnings {
    private struct Beginning: Equatable {
        static let size = 24
        private let bytes: SIMD2<UInt64>
        private let more: UInt64

        init?(_ datagram: UnsafeRawBufferPointer) {
            guard datagram.count >= Self.size else { return nil }
            bytes = unsafe datagram.loadUnaligned(as: SIMD2<UInt64>.self)
            more = unsafe datagram.loadUnaligned(fromByteOffset: 16, as: UInt64.self)
        }
    }

    private var recent = [Beginning?](repeating: nil, count: 8)
    private var next = 0

    mutating func add(_ datagram: UnsafeRawBufferPointer) {
        recent[next] = unsafe Beginning(datagram)
        next = (next + 1) % recent.count
    }

    /// Whether `entry` quotes one of the datagrams. `entry` must be the last entry read. Each datagram counts
    /// once.
    @EventLoopActor
    mutating func remove(quotedBy entry: cs_queue_entry) -> Bool {
        guard let quoted = unsafe Beginning(Quotation.bytes(of: entry)),
            let place = recent.firstIndex(of: quoted)
        else { return false }
        recent[place] = nil
        return true
    }
}
#endif
