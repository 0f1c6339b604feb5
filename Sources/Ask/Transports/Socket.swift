import CSockets
import LibC

/// Sole owner of one socket that never blocks; `deinit` closes it.
struct Socket: ~Copyable {
    enum Kind { case datagram, stream }

    struct Received {
        var count: Int
        var arrival: Arrival
    }

    let descriptor: Int32
    let budget = ReadBudget()

    /// Descriptors from here on are left to the rest of the program: the system's own threads open
    /// files at times of their choice, and end the program where they cannot.
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

    /// Takes over what ``cs_lab_open(_:_:_:)`` gave.
    init(owning opened: Int32) throws(SystemError) {
        guard opened >= 0 else { throw SystemError("socket", code: -opened) }
        descriptor = opened
    }

    deinit { close(descriptor) }

    /// Opens a socket; waits where descriptors are used up.
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

    /// Whether the system keeps ICMP errors with their senders.
    static let hasErrorQueue: Bool = {
        #if os(Linux)
        true
        #else
        false
        #endif
    }()

    func enableStamps() { cs_enable_stamps(descriptor) }

    /// False where nobody tells who sent them.
    @discardableResult
    func enableICMPErrors(family: Int32) -> Bool { cs_enable_icmp_errors(descriptor, family) == 0 }

    /// Has a datagram socket send whole datagrams whatever path MTU ICMP reports.
    func ignorePathMTU(family: Int32, allowingFragments: Bool = true) {
        cs_ignore_path_mtu(descriptor, family, allowingFragments ? 0 : 1)
    }

    func fixHeader(family: Int32) { cs_fix_header(descriptor, family) }

    /// Says where a datagram socket sends to and whom alone it hears.
    func connect(to address: borrowing SocketAddress) throws(SystemError) {
        try address.bindSource(of: descriptor)
        guard address.connect(descriptor) == 0 else { throw SystemError("connect") }
    }

    /// Has it neither peer nor port any more; false where it keeps its port, or has something to read.
    func disconnect() -> Bool { cs_disconnect(descriptor) == 0 }

    /// Begins to connect a stream; it is writable once that has ended.
    func startConnecting(to address: borrowing SocketAddress) throws(SystemError) {
        try address.bindSource(of: descriptor, isStream: true)
        guard address.connect(descriptor) != 0, errno != EINPROGRESS else { return }
        throw SystemError("connect")
    }

    /// Throws why a stream that began to connect could not.
    func checkConnected() throws(SystemError) {
        let error = cs_pending_error(descriptor)
        guard error == 0 else { throw SystemError("connection", code: error) }
    }

    /// Sends as much as the kernel takes: the number of octets that it took.
    static func send(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Result<
        Int, SystemError
    > {
        let count = unsafe cs_send(descriptor, bytes.baseAddress, bytes.count)
        return count < 0 ? .failure(SystemError("send")) : .success(count)
    }

    /// Sends one datagram; `false` where that took two calls. A pending ICMP error about an earlier datagram
    /// fails the first call, which clears the error. The kernel may count the failed call among the
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

    /// Receives what is there; `nil` where nothing is yet, or the turn's budget is used up.
    func receive(into buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Received? {
        guard budget.allowsMessage() else { return nil }
        var stamp: Int64 = 0
        let count = unsafe cs_receive(descriptor, buffer.baseAddress, buffer.count, &stamp)
        if count < 0 {
            if errno == EAGAIN || errno == EWOULDBLOCK { return nil }
            throw SystemError("recvmsg")
        }
        let arrival = Arrival(stamp: stamp == 0 ? nil : stamp, clocks: cs_read_clocks())
        budget.spend(octets: count, arrival)
        return Received(count: count, arrival: arrival)
    }

    /// Takes one entry from the error queue, within the turn's budget, and writes to `quotation` what an
    /// ICMP error quotes.
    func takeQueued(_ quotation: UnsafeMutableRawBufferPointer) -> cs_queue_entry {
        guard budget.allowsEntry() else { return cs_queue_entry() }
        return unsafe cs_take_queued(descriptor, quotation.baseAddress, quotation.count)
    }

    /// The same for a stream, whose queue has no ICMP errors.
    func takeQueued() -> cs_queue_entry {
        unsafe takeQueued(UnsafeMutableRawBufferPointer(start: nil, count: 0))
    }
}

extension SystemError {
    /// There is no way to the destination from here, as the system says where it is to be sent to.
    var isNoRoute: Bool {
        switch code {
        case ENETUNREACH, EHOSTUNREACH, ENETDOWN, EAFNOSUPPORT:
            ["socket", "bind", "connect", "send"].contains(call)
        // The source is gone, whichever resolver is asked.
        case EADDRNOTAVAIL, ENODEV, ENXIO: call == "bind"
        // A route that prohibits (ip-route(8)). Firewalls say EPERM.
        case EACCES: ["connect", "send"].contains(call)
        default: false
        }
    }

    /// The system cannot send to this address, such as one in a zone that is not there, one of a
    /// family without an address here, or one that a route drops. Other addresses may be reachable.
    var isWrongAddress: Bool {
        [EADDRNOTAVAIL, ENODEV, ENXIO, EINVAL].contains(code)
            && ["connect", "send"].contains(call)
    }

    /// Whether ICMP may have reported it. Such an error fails the next call of any kind on the socket, which
    /// does not say who sent it.
    var canBeReported: Bool {
        #if os(Linux)
        if code == ENONET { return true }
        #endif
        return [
            ECONNREFUSED, EHOSTUNREACH, ENETUNREACH, EHOSTDOWN, ENOPROTOOPT, EPROTO, EOPNOTSUPP,
            EACCES, EMSGSIZE,
        ].contains(code)
    }

    /// Somebody is there and wants no connection.
    var isRefusal: Bool { code == ECONNREFUSED || code == ECONNRESET }

    /// Nothing is wrong: it cannot be done just now.
    var isBusy: Bool { [EAGAIN, EWOULDBLOCK, EINTR].contains(code) }

    /// Descriptors, ports or buffers are used up for now; some come free as other queries end.
    var isShortage: Bool { [EMFILE, ENFILE, ENOBUFS, ENOMEM, EAGAIN].contains(code) }
}

/// A call to the system that failed: which one, and its errno.
package struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
    package var call: String
    package var code: Int32

    /// The failure of `call`, by default with the errno that it has just left.
    init(_ call: String, code: Int32 = errno) {
        self.call = call
        self.code = code
    }

    package var description: String { "\(call): \(reason)" }

    var reason: String { reasonOfSystem(code) }
}

/// Where every socket of the event loop receives: read at once, never kept.
@EventLoopActor
enum ReceiveBuffer {
    /// As large as a message can be (RFC 1035 §4.2.2), with its length before it.
    static let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_537, alignment: 16)

    static func received(_ count: Int) -> UnsafeRawBufferPointer {
        unsafe UnsafeRawBufferPointer(rebasing: bytes[..<min(count, bytes.count)])
    }
}
