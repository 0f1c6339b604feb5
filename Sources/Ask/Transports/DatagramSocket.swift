/// A datagram socket for one exchange after the other, whose options are set and which the poller knows:
/// to open one and to close it costs the kernel more than to send a query and to read the answer.
///
/// Between two exchanges it has no port and no peer, so that each leaves from a port of its own, which
/// the kernel draws when the socket is connected, and nothing reaches it that the next one would read.
@EventLoopActor
final class DatagramSocket {
    let socket: Socket
    private let family: Int32
    private var token: WaitToken
    /// The turn of the event loop in which its last exchange ended.
    private var ended: UInt64 = 0
    private var sent: UInt32 = 0
    /// Whether the kernel's count of datagrams is the same.
    private var isInStep = true

    /// Those without an exchange, the longest waiting first.
    private static var idle: [DatagramSocket] = []
    private static let mostIdle = 256

    private init(_ socket: consuming Socket, family: Int32) throws(SystemError) {
        socket.enableStamps()
        socket.enableICMPErrors(family: family)
        socket.ignorePathMTU(family: family)
        token = try EventLoop.shared.open(keeping: socket)
        self.family = family
        self.socket = socket
    }

    /// Takes one that is idle where it `isPlain`, and else opens one; waits where descriptors are used up.
    static func open(family: Int32, isPlain: Bool) async throws(SystemError) -> DatagramSocket {
        if isPlain, let found = takeIdle(family) { return found }
        return try DatagramSocket(
            try await Socket.open(.datagram, family: family),
            family: family
        )
    }

    private static func takeIdle(_ family: Int32) -> DatagramSocket? {
        let turn = EventLoop.shared.turn
        while let place = idle.firstIndex(where: { $0.family == family }),
            idle[place].ended != turn
        {
            let found = idle.remove(at: place)
            // What came between the last answer and the end of its exchange is the next one's no more.
            if !EventLoop.shared.hasNews(found.token) { return found }
            found.close()
        }
        return nil
    }

    /// Sends a query; the number of its send stamp among those of the socket, or `nil` where that is the
    /// next one.
    func send(_ attempt: Attempt) throws(SystemError) -> UInt32? {
        isInStep = try attempt.send(on: socket) && isInStep
        defer { sent &+= 1 }
        return isInStep ? sent : nil
    }

    /// The wait for an answer, from now on.
    func wait(within limit: TimeLimit) -> ExchangeWait {
        socket.budget.wait = token
        EventLoop.shared.start(token, within: limit)
        return ExchangeWait(token)
    }

    /// Ends an exchange; the socket is kept for another where that `isKept` and the system can.
    func close(keeping isKept: Bool = false) {
        guard isKept, isInStep, Self.idle.count < Self.mostIdle, socket.disconnect() else {
            return EventLoop.shared.close(token, of: socket)
        }
        token = EventLoop.shared.renew(token)
        ended = EventLoop.shared.turn
        Self.idle.append(self)
    }

    /// Closes those that are idle, whose descriptors others need; false where there are none.
    static func closeIdle() -> Bool {
        for socket in idle { socket.close() }
        defer { idle = [] }
        return !idle.isEmpty
    }
}
