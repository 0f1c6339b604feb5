import CSockets

/// One TLS connection that carries queries and their answers in a framing.
///
/// It is opened for its first query. When it ends, each query on it ends with the reason.
@EventLoopActor
final class TLSConnection {
    /// Whom it goes to, and how.
    struct Target: Sendable {
        var address: SocketAddress
        /// What the certificate has to name.
        var name: String
        var credentials: TLSCredentials
    }

    private enum Phase { case opening, open, ended }

    private let target: Target
    private let framing: any Framing
    private let earlier: [UInt8]?
    private var phase = Phase.opening
    private var session: TLSSession?
    private var wait: WaitToken?
    /// Waiting for the connection to open.
    private var unsent: [StreamQuery] = []
    /// Sent, in that order, and without a send stamp yet.
    private var unstamped: [StreamQuery] = []
    private var isRetired = false
    private var connect: Duration?
    private var handshake: Duration?
    private var networkRoundTrip: Duration?

    /// Begins to connect to `target`; a `ticket` of an earlier session is gone on with.
    init(to target: Target, carrying framing: any Framing, ticket: [UInt8]?) {
        self.target = target
        self.framing = framing
        earlier = ticket
        Task { @EventLoopActor in await run() }
    }

    /// Whether another query may be put on it.
    var takesMore: Bool { phase != .ended && !isRetired && framing.takesMore }

    func isTaken(_ id: UInt16) -> Bool {
        framing.isTaken(id) || unsent.contains { $0.attempt.id == id }
    }

    /// A ticket for a later session, where the other end has given one.
    var ticket: [UInt8]? { session?.ticket }

    /// Sends `query` now, or once the connection is open.
    func submit(_ query: StreamQuery) {
        query.exchange.stamps = Stamps(sentAt: cs_read_clocks())
        query.exchange.isUnverified = target.credentials.trust == .anybody
        switch phase {
        case .opening: unsent.append(query)
        case .open:
            add(query, .reused)
            sendNow()
        case .ended: query.end(.unreachable("connection closed"))
        }
    }

    /// Gives up `query`, whose answer is waited for no longer.
    func leave(_ query: StreamQuery) {
        unsent.removeAll { $0 === query }
        framing.leave(query)
        // What could not be opened in time is tried anew by the next query.
        if isIdle, phase == .opening || isRetired {
            close()
        } else if phase == .open {
            sendNow()
        }
    }

    /// Takes no more queries, and closes once those on it have ended.
    func retire() {
        isRetired = true
        if isIdle { close() }
    }

    private var isIdle: Bool { unsent.isEmpty && framing.waiting.isEmpty }

    // MARK: Opening

    private func run() async {
        do throws(ConnectionEnd) {
            try await carry()
        } catch {
            end(error)
        }
        if let wait { EventLoop.shared.close(wait) }
        wait = nil
        session = nil
        DescriptorQueue.released()
    }

    /// From the first segment to the last.
    private func carry() async throws(ConnectionEnd) {
        let start = cs_monotonic()
        guard let channel = try await connected() else { return }
        let session = try ConnectionEnd.of { () throws(TLSError) in
            try TLSSession(
                over: channel,
                credentials: target.credentials,
                name: target.name,
                protocolName: framing.protocolName,
                ticket: earlier
            )
        }
        self.session = session
        let established = cs_monotonic()
        connect = .nanoseconds(established - start)
        while try !ConnectionEnd.of({ () throws(TLSError) in try session.handshake() }) {
            try flush(session)
            guard await news() else { return }
        }
        try flush(session)
        handshake = .nanoseconds(cs_monotonic() - established)
        guard !framing.isNameRequired || session.protocolName == framing.protocolName else {
            let other = session.protocolName.map { "'\($0)'" } ?? "no protocol"
            throw ConnectionEnd(
                .unreachable("the server chose \(other), not '\(framing.protocolName)'")
            )
        }
        phase = .open
        let use = session.isResumed ? Exchange.Connection.resumed : .new
        for (index, query) in unsent.enumerated() { add(query, index == 0 ? use : .reused) }
        unsent = []
        repeat {
            try send(session)
            try receive(session)
        } while await news()
    }

    /// The connection once it stands; `nil` where it is no longer wanted.
    private func connected() async throws(ConnectionEnd) -> TLSChannel? {
        do throws(SystemError) {
            let socket = try await Socket.open(.stream, family: target.address.family)
            guard phase == .opening else { return nil }
            try socket.startConnecting(to: target.address)
            wait = try EventLoop.shared.open(
                deadline: nil,
                descriptor: socket.descriptor,
                writable: true
            )
            guard await news() else { return nil }
            let error = cs_pending_error(socket.descriptor)
            guard error == 0 else { throw SystemError("connection", code: error) }
            let floor = cs_network_round_trip(socket.descriptor)
            networkRoundTrip = floor < 0 ? nil : .microseconds(floor)
            return TLSChannel(socket)
        } catch {
            throw ConnectionEnd(error.result)
        }
    }

    /// Waits until the socket can do something; `false` once the connection is closed.
    private func news() async -> Bool {
        guard let wait, phase != .ended else { return false }
        let wake = await EventLoop.shared.next(wait)
        return wake == .ready && phase != .ended
    }

    // MARK: Reading and writing

    private func add(_ query: StreamQuery, _ use: Exchange.Connection) {
        query.exchange.connection = use
        if use != .reused {
            query.exchange.connect = connect
            query.exchange.handshake = handshake
        }
        query.exchange.networkRoundTrip = networkRoundTrip
        framing.add(query)
    }

    /// Sends what the framing has; where that fails, the connection ends.
    private func sendNow() {
        guard let session else { return }
        do throws(ConnectionEnd) {
            try send(session)
            takeStamps(session)
        } catch {
            end(error)
        }
    }

    private func send(_ session: TLSSession) throws(ConnectionEnd) {
        while let record = try framing.outgoing() {
            try ConnectionEnd.of { () throws(TLSError) in try session.send(record.bytes) }
            for query in record.queries {
                query.lastOctet = session.channel.lastOctet
                query.exchange.stamps = Stamps(sentAt: cs_read_clocks())
            }
            unstamped.removeAll { !$0.awaitsStamp }
            unstamped += record.queries
        }
        try flush(session)
    }

    private func flush(_ session: TLSSession) throws(ConnectionEnd) {
        do throws(SystemError) {
            try session.channel.flush()
        } catch {
            throw ConnectionEnd(.unreachable(error.reason))
        }
    }

    private func receive(_ session: TLSSession) throws(ConnectionEnd) {
        takeStamps(session)
        while true {
            let count = try ConnectionEnd.of { () throws(TLSError) in
                try unsafe session.receive(into: ReceiveBuffer.bytes)
            }
            guard let count else { break }
            guard count > 0 else { throw ConnectionEnd(.unreachable("connection closed")) }
            // The answer may have come between its query's stamp and the reading of that.
            if !unstamped.isEmpty { takeStamps(session) }
            let channel = session.channel
            let arrival = Arrival(stamp: channel.stamp, clocks: channel.clocks)
            try unsafe framing.take(ReceiveBuffer.received(count), arrival)
        }
        try send(session)
    }

    private func takeStamps(_ session: TLSSession) {
        while true {
            let entry = session.channel.takeQueued()
            guard entry.kind != CS_QUEUED_NOTHING else { break }
            guard entry.kind == CS_QUEUED_SEND_STAMP else { continue }
            for query in unstamped { query.stamp(entry.stamp, upTo: entry.identifier) }
        }
        unstamped.removeAll { !$0.awaitsStamp }
    }

    // MARK: Ending

    /// Ends in good order; whoever still waits is told.
    func close() {
        if phase == .open, let session {
            framing.finish()
            try? send(session)
            session.finish()
            try? session.channel.flush()
        }
        end(ConnectionEnd(.unreachable("connection closed")))
    }

    /// Each query on it ends once, with the reason.
    private func end(_ reason: ConnectionEnd) {
        guard phase != .ended else { return }
        phase = .ended
        for query in unsent + framing.waiting where !query.isDone {
            let progress = framing.progress(of: query)
            query.end(progress.map { .malformed("connection closed \($0)") } ?? reason.result)
        }
        unsent = []
        unstamped = []
        if let wait { _ = EventLoop.shared.end(wait) }
    }
}
