import CSockets
import DNSWire

/// One TLS connection that carries DNS messages, each behind its length (RFC 7858 §3.3): many
/// queries at once, matched with their answers by ID, in whatever order those come.
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
    private let earlier: [UInt8]?
    private var phase = Phase.opening
    private var session: TLSSession?
    private var wait: WaitToken?
    private var frames = FrameReader()
    /// Not sent yet.
    private var unsent: [StreamQuery] = []
    private var inFlight: [UInt16: StreamQuery] = [:]
    /// The IDs of queries that were given up and may still be answered.
    private var forgotten: Set<UInt16> = []
    private var isRetired = false
    private var connect: Duration?
    private var handshake: Duration?
    private var networkRoundTrip: Duration?

    /// More than this many unanswered queries are a reason for another connection.
    private static let mostForgotten = 1_000

    /// Begins to connect to `target`; a `ticket` of an earlier session is gone on with.
    init(to target: Target, ticket: [UInt8]?) {
        self.target = target
        earlier = ticket
        Task { @EventLoopActor in await run() }
    }

    /// Whether another query may be put on it.
    var takesMore: Bool { phase != .ended && !isRetired && forgotten.count < Self.mostForgotten }

    func isTaken(_ id: UInt16) -> Bool {
        inFlight[id] != nil || forgotten.contains(id) || unsent.contains { $0.attempt.id == id }
    }

    /// A ticket for a later session, where the other end has given one.
    var ticket: [UInt8]? { session?.ticket }

    /// Sends `query` now, or once the connection is open.
    func submit(_ query: StreamQuery) {
        query.exchange.stamps = Stamps(sentAt: cs_read_clocks())
        query.exchange.isUnverified = target.credentials.trust == .anybody
        switch phase {
        case .opening: unsent.append(query)
        case .open: send(query, .reused)
        case .ended: query.end(.unreachable("connection closed"))
        }
    }

    /// Gives up `query`, whose answer is waited for no longer.
    func leave(_ query: StreamQuery) {
        unsent.removeAll { $0 === query }
        if inFlight.removeValue(forKey: query.attempt.id) != nil {
            forgotten.insert(query.attempt.id)
        }
        // What could not be opened in time is tried anew by the next query.
        if unsent.isEmpty, inFlight.isEmpty, phase == .opening || isRetired { close() }
    }

    /// Takes no more queries, and closes once those on it have ended.
    func retire() {
        isRetired = true
        if unsent.isEmpty, inFlight.isEmpty { close() }
    }

    // MARK: Opening and reading

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
                protocolName: "dot",
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
        phase = .open
        let use = session.isResumed ? Exchange.Connection.resumed : .new
        for (index, query) in unsent.enumerated() { send(query, index == 0 ? use : .reused) }
        unsent = []
        repeat {
            try flush(session)
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
            guard let count else { return }
            guard count > 0 else { throw ConnectionEnd(.unreachable("connection closed")) }
            unsafe frames.append(ReceiveBuffer.received(count))
            while let message = frames.next() { deliver(message, session) }
        }
    }

    // MARK: Queries and answers

    private func send(_ query: StreamQuery, _ use: Exchange.Connection) {
        guard let session else { return query.end(.unreachable("connection closed")) }
        query.exchange.connection = use
        if use != .reused {
            query.exchange.connect = connect
            query.exchange.handshake = handshake
        }
        query.exchange.networkRoundTrip = networkRoundTrip
        inFlight[query.attempt.id] = query
        do throws(ConnectionEnd) {
            try ConnectionEnd.of { () throws(TLSError) in
                let sent: Result<Void, TLSError> = unsafe query.attempt.withFrame { bytes in
                    do throws(TLSError) {
                        return .success(try unsafe session.send(bytes))
                    } catch {
                        return .failure(error)
                    }
                }
                try sent.get()
            }
            query.lastOctet = session.channel.lastOctet
            query.exchange.stamps = Stamps(sentAt: cs_read_clocks())
            try flush(session)
            takeStamps(session)
        } catch {
            end(error)
        }
    }

    private func takeStamps(_ session: TLSSession) {
        while true {
            let entry = session.channel.takeQueued()
            guard entry.kind != CS_QUEUED_NOTHING else { return }
            guard entry.kind == CS_QUEUED_SEND_STAMP else { continue }
            for query in inFlight.values { query.stamp(entry.stamp, upTo: entry.identifier) }
        }
    }

    private func deliver(_ message: [UInt8], _ session: TLSSession) {
        let id = message.count < 2 ? nil : UInt16(message[0]) << 8 | UInt16(message[1])
        guard let id, let query = inFlight[id] else {
            // The late answer to a query that was given up is no stray.
            guard id.flatMap({ forgotten.remove($0) }) == nil else { return }
            for query in inFlight.values { query.exchange.strays.count(.wrongID) }
            return
        }
        if query.exchange.stamps?.kernelSent == nil { takeStamps(session) }
        let result: Exchange.Result
        switch unsafe message.withUnsafeBytes({ unsafe query.attempt.read($0) }) {
        case .stray(let stray): return query.exchange.strays.count(stray)
        case .malformed(let reason): result = .malformed(reason)
        case .response(let response): result = .response(response)
        }
        inFlight[id] = nil
        query.exchange.end(result, at: session.channel.stamp, read: session.channel.clocks)
        query.finish()
    }

    // MARK: Ending

    /// Ends in good order; whoever still waits is told.
    func close() {
        if phase == .open, let session {
            session.finish()
            try? session.channel.flush()
        }
        end(ConnectionEnd(.unreachable("connection closed")))
    }

    /// Each query on it ends once, with the reason.
    private func end(_ reason: ConnectionEnd) {
        guard phase != .ended else { return }
        phase = .ended
        let left = unsent + inFlight.values
        unsent = []
        inFlight = [:]
        for query in left {
            // Of several it cannot be known whose answer was cut.
            let isCut = left.count == 1 && !frames.isEmpty
            query.end(isCut ? .malformed("connection closed \(frames.progress)") : reason.result)
        }
        if let wait { _ = EventLoop.shared.end(wait) }
    }
}

/// Why a connection ended, as each query on it is told.
private struct ConnectionEnd: Error {
    var result: Exchange.Result

    init(_ result: Exchange.Result) { self.result = result }

    init(_ error: TLSError) {
        result = error.isDistrust ? .untrusted(error.reason) : .unreachable(error.reason)
    }

    static func of<Value>(_ body: () throws(TLSError) -> Value) throws(ConnectionEnd) -> Value {
        do throws(TLSError) {
            return try body()
        } catch {
            throw ConnectionEnd(error)
        }
    }
}
