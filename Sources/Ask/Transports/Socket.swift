import CSockets
import DNSWire
import LibC

/// The sole owner of a non-blocking socket; `deinit` closes it.
struct Socket: ~Copyable {
    enum Kind { case datagram, stream }

    struct Received {
        var count: Int
        var arrival: Arrival
    }

    let descriptor: Int32
    let budget = ReadBudget()

    /// The first descriptor that is reserved for the rest of the program. The system's own threads open files
    /// at any time, and end the program if they cannot.
    private static let end: Int32 = {
        let limit = cs_raise_descriptor_limit()
        return limit == 0 ? .max : Int32(clamping: limit - min(8, limit / 8))
    }()

    init(_ kind: Kind, family: Int32) throws(SystemError) {
        let opened = cs_socket(family, kind == .stream ? 1 : 0)
        guard opened >= 0 else { throw SystemError("socket") }
        guard opened < Self.end else {
            close(opened)
            throw SystemError("socket", code: EMFILE)
        }
        descriptor = opened
    }

    /// Takes ownership of the result of ``cs_lab_open(_:_:_:)``.
    init(owning opened: Int32) throws(SystemError) {
        guard opened >= 0 else { throw SystemError("socket", code: -opened) }
        descriptor = opened
    }

    deinit { close(descriptor) }

    /// Opens a socket. Waits if no descriptor is free.
    @EventLoopActor
    static func open(_ kind: Kind, family: Int32) async throws(SystemError) -> Socket {
        while true {
            do throws(SystemError) {
                return try Socket(kind, family: family)
            } catch {
                guard error.isShortage else { throw error }
                if DatagramSocket.closeIdle() { continue }
                guard await DescriptorQueue.wait() else { throw error }
            }
        }
    }

    /// Whether the system stores ICMP errors with their senders.
    static let hasErrorQueue: Bool = {
        #if os(Linux)
        true
        #else
        false
        #endif
    }()

    func enableStamps() { cs_enable_stamps(descriptor) }

    /// Enables the error queue. Returns false if the system does not report the senders of errors.
    @discardableResult
    func enableICMPErrors(family: Int32) -> Bool { cs_enable_icmp_errors(descriptor, family) == 0 }

    /// Makes a datagram socket send whole datagrams, regardless of the path MTU that ICMP reports.
    func ignorePathMTU(family: Int32, allowingFragments: Bool = true) {
        cs_ignore_path_mtu(descriptor, family, allowingFragments ? 0 : 1)
    }

    func fixHeader(family: Int32) { cs_fix_header(descriptor, family) }

    /// Connects a datagram socket: it sends to this address and receives only from it.
    func connect(to address: borrowing SocketAddress) throws(SystemError) {
        try address.prepare(descriptor)
        guard address.connect(descriptor) == 0 else { throw SystemError("connect") }
    }

    /// Removes the peer and the port. Returns false if the socket keeps its port or has data to read.
    func disconnect() -> Bool { cs_disconnect(descriptor) == 0 }

    /// Starts to connect a stream. The stream becomes writable when connecting ends.
    func startConnecting(to address: borrowing SocketAddress) throws(SystemError) {
        try address.prepare(descriptor, isStream: true)
        guard address.connect(descriptor) != 0, errno != EINPROGRESS else { return }
        throw SystemError("connect")
    }

    /// Throws the error of a stream that failed to connect.
    func checkConnected() throws(SystemError) {
        let error = cs_pending_error(descriptor)
        guard error == 0 else { throw SystemError("connection", code: error) }
    }

    /// The segments of a stream since it began to connect; `nil` if the system does not report them.
    var segments: PacketReading? {
        var found = cs_segments()
        guard unsafe cs_count_segments(descriptor, &found) == 0 else { return nil }
        let count = PacketCount(
            bytesOut: found.bytes_sent,
            bytesIn: found.bytes_received,
            packets: found.segments
        )
        return PacketReading(count: count, disturbances: found.disturbances)
    }

    /// Sends as many bytes as the kernel accepts, and returns their number.
    static func send(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Result<
        Int, SystemError
    > {
        let count = unsafe cs_send(descriptor, bytes.baseAddress, bytes.count)
        return count < 0 ? .failure(SystemError("send")) : .success(count)
    }

    /// Sends one datagram. Returns `false` if this took two calls. A pending ICMP error about an earlier
    /// datagram fails the first call, which clears the error. The kernel may count the failed call among the
    /// datagrams that it stamps.
    static func sendDatagram(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Result<
        Bool, SystemError
    > {
        switch unsafe send(bytes, to: descriptor) {
        case .failure(let error) where error.canBeReported:
            unsafe send(bytes, to: descriptor).map { _ in false }
        case let result: result.map { _ in true }
        }
    }

    /// Receives data; `nil` if no data has arrived or the turn's budget is used up.
    func receive(into buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Received? {
        guard budget.allowsMessage() else { return nil }
        var stamp: Int64 = 0
        let count = unsafe cs_receive(descriptor, buffer.baseAddress, buffer.count, &stamp)
        if count < 0 {
            if errno == EAGAIN || errno == EWOULDBLOCK { return nil }
            throw SystemError("recvmsg")
        }
        let arrival = Arrival(stamp: stamp == 0 ? nil : stamp, clocks: cs_read_clocks())
        budget.spend(bytes: count, arrival)
        return Received(count: count, arrival: arrival)
    }

    /// Takes one entry from the error queue, within the turn's budget. Writes the quotation of an ICMP error
    /// to `quotation`.
    func takeQueued(_ quotation: UnsafeMutableRawBufferPointer) -> cs_queue_entry {
        guard budget.allowsEntry() else { return cs_queue_entry() }
        return unsafe cs_take_queued(descriptor, quotation.baseAddress, quotation.count)
    }

    /// Takes one entry from the error queue of a stream, which contains no ICMP errors.
    func takeQueued() -> cs_queue_entry {
        unsafe takeQueued(UnsafeMutableRawBufferPointer(start: nil, count: 0))
    }
}

extension SystemError {
    /// Whether this machine has no route to the destination. The system reports this before sending.
    var isNoRoute: Bool {
        switch code {
        case ENETUNREACH, EHOSTUNREACH, ENETDOWN, EAFNOSUPPORT:
            ["socket", "bind", "connect", "send"].contains(call)
        // The source address no longer exists, regardless of the resolver.
        case EADDRNOTAVAIL, ENODEV, ENXIO: call == "bind"
        // A prohibiting route (ip-route(8)). Firewalls return EPERM.
        case EACCES: ["connect", "send"].contains(call)
        default: false
        }
    }

    /// Whether the system cannot send to this address. Examples: its zone does not exist, this machine has no
    /// address of its family, or a route drops it. Other addresses may be reachable.
    var isWrongAddress: Bool {
        [EADDRNOTAVAIL, ENODEV, ENXIO, EINVAL].contains(code)
            && ["connect", "send"].contains(call)
    }

    /// Whether ICMP may have reported the error. Such an error fails the next call of any kind on the socket,
    /// which does not name the sender.
    var canBeReported: Bool {
        #if os(Linux)
        if code == ENONET { return true }
        #endif
        return [
            ECONNREFUSED, EHOSTUNREACH, ENETUNREACH, EHOSTDOWN, ENOPROTOOPT, EPROTO, EOPNOTSUPP,
            EACCES, EMSGSIZE,
        ].contains(code)
    }

    /// Whether the peer exists and refuses the connection.
    var isRefusal: Bool { code == ECONNREFUSED || code == ECONNRESET }

    /// Whether the call is only impossible at the moment; it is not an error.
    var isBusy: Bool { [EAGAIN, EWOULDBLOCK, EINTR].contains(code) }

    /// Whether descriptors, ports or buffers are temporarily used up. They become free as other queries end.
    var isShortage: Bool { [EMFILE, ENFILE, ENOBUFS, ENOMEM, EAGAIN].contains(code) }
}

/// The packets of a connection so far.
struct PacketReading {
    var count = PacketCount.zero
    /// A number that changes when sizes of packets become unknown.
    var disturbances: UInt32 = 0

    /// The packets since `start`; `nil` if their sizes are unknown.
    func count(since start: PacketReading) -> PacketCount? {
        disturbances == start.disturbances ? count - start.count : nil
    }
}

/// A failed system call: its name and its errno.
package struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
    package var call: String
    package var code: Int32

    /// The failure of `call`, by default with the current errno.
    init(_ call: String, code: Int32 = errno) {
        self.call = call
        self.code = code
    }

    package var description: String { "\(call): \(reason)" }

    var reason: String { reasonOfSystem(code) }
}

/// The receive buffer of all sockets of the event loop. Its content is read at once and never kept.
@EventLoopActor
enum ReceiveBuffer {
    /// The size of the largest message and its length field (RFC 1035 §4.2.2).
    static let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_537, alignment: 16)

    static func received(_ count: Int) -> UnsafeRawBufferPointer {
        unsafe UnsafeRawBufferPointer(rebasing: bytes[..<min(count, bytes.count)])
    }
}
