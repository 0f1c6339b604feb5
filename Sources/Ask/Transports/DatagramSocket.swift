/// A datagram socket for consecutive exchanges. Its options are set and the poller knows it.
/// Opening and closing a socket costs the kernel more than sending a query and reading the answer.
///
/// Between two exchanges the socket has no port and no peer. Each exchange therefore leaves from its own
/// port, which the kernel draws when the socket is connected. No datagram arrives that the next exchange
/// would read.
@EventLoopActor
final class DatagramSocket {
    let socket: Socket
    private let family: Int32
    private var token: WaitToken
    /// The turn of the event loop in which the socket's last exchange ended.
    private var ended: UInt64 = 0
    private var sent: UInt32 = 0
    /// Whether the kernel's count of datagrams equals `sent`.
    private var isInStep = true

    /// The sockets without an exchange. The first one has been idle longest.
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

    /// Takes an idle socket if `isPlain`, and otherwise opens a socket. Waits if no descriptor is free.
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
            // A datagram that arrived after the last answer does not belong to the next exchange.
            if !EventLoop.shared.hasNews(found.token) { return found }
            found.close()
        }
        return nil
    }

    /// Sends a query. Returns the number of its send stamp on the socket, or `nil` if the next stamp is the
    /// query's.
    func send(_ attempt: Attempt) throws(SystemError) -> UInt32? {
        isInStep = try attempt.send(on: socket) && isInStep
        defer { sent &+= 1 }
        return isInStep ? sent : nil
    }

    /// Starts the wait for an answer.
    func wait(within limit: TimeLimit) -> ExchangeWait {
        socket.budget.wait = token
        EventLoop.shared.start(token, within: limit)
        return ExchangeWait(token)
    }

    /// Ends an exchange. Keeps the socket for another exchange if `isKept` and the system can disconnect the
    /// socket.
    func close(keeping isKept: Bool = false) {
        guard isKept, isInStep, Self.idle.count < Self.mostIdle, socket.disconnect() else {
            return EventLoop.shared.close(token, of: socket)
        }
        token = EventLoop.shared.renew(token)
        ended = EventLoop.shared.turn
        Self.idle.append(self)
    }

    /// Closes the idle sockets, so that other users get their descriptors. Returns false if no socket was
    /// idle.
    static func closeIdle() -> Bool {
        for socket in idle { socket.close() }
        defer { idle = [] }
        return !idle.isEmpty
    }
}
