import CSockets

/// One TLS connection that carries queries and their answers in a framing.
///
/// It is opened for its first query. When it ends, each query on it ends with the reason.
@EventLoopActor
final class TLSConnection: QueryConnection {
    private enum Phase { case opening, open, ended }

    /// A query that goes with the beginning of the handshake (RFC 8446 §2.3).
    private struct Early {
        var query: StreamQuery
        var records: [OutgoingRecord]
    }

    private let service: EncryptedService
    private let framing: any Framing
    private let earlier: SessionTicket?
    private var phase = Phase.opening
    private var session: TLSSession?
    private var wait: WaitToken?
    /// Waiting for the connection to open.
    private var unsent: [StreamQuery] = []
    /// To be sent before what the framing has.
    private var held: [OutgoingRecord] = []
    /// Sent, in that order, and without a send stamp yet.
    private var unstamped: [StreamQuery] = []
    private var isRetired = false
    private var connect: Duration?
    private var handshake: Duration?
    private var networkRoundTrip: Duration?

    /// Begins to connect to `service`; a `ticket` of an earlier session is gone on with.
    init(to service: EncryptedService, carrying framing: any Framing, ticket: SessionTicket?) {
        self.service = service
        self.framing = framing
        earlier = ticket
        Task { @EventLoopActor in await run() }
    }

    var takesMore: Bool { phase != .ended && !isRetired && framing.takesMore }

    func isTaken(_ id: UInt16) -> Bool {
        framing.isTaken(id) || unsent.contains { $0.attempt.id == id }
    }

    var ticket: SessionTicket? { session?.ticket }

    var budget: ReadBudget? { session?.channel.budget }

    func submit(_ query: StreamQuery) {
        query.exchange.stamps = Stamps(sentAt: cs_read_clocks())
        query.exchange.isUnverified = service.credentials.trust == .anybody
        switch phase {
        case .opening: unsent.append(query)
        case .open:
            add(query, .reused)
            sendNow()
        case .ended: query.end(.unreachable("connection closed"))
        }
    }

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

    func refresh() {
        guard phase == .open, let session else { return }
        do throws(ConnectionEnd) {
            try receive(session)
        } catch {
            end(error)
        }
    }

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
        let connecting = Stopwatch()
        guard let channel = try await connected() else { return }
        let check = service.check(speaking: framing.protocolName)
        let session = try TLSSession(over: channel, check, ticket: earlier)
        self.session = session
        connect = connecting.elapsed ?? networkRoundTrip
        let established = Stopwatch()
        let early = try offerEarly(session)
        var isGreeting = true
        while try !session.handshake() {
            if isGreeting, let early { noteSent(early.records, session) }
            isGreeting = false
            try session.channel.flush()
            guard await news() else { return }
        }
        try session.channel.flush()
        handshake = established.elapsed
        guard !framing.isNameRequired || session.protocolName == framing.protocolName else {
            let other = session.protocolName.map { "'\($0)'" } ?? "no protocol"
            throw ConnectionEnd(
                .unreachable("the server chose \(other), not '\(framing.protocolName)'")
            )
        }
        begin(session, early, established.began)
        repeat {
            try send(session)
            try receive(session)
        } while await news()
    }

    /// Has the first query sent before the handshake is over, where the ticket allows that.
    private func offerEarly(_ session: TLSSession) throws(ConnectionEnd) -> Early? {
        guard earlier != nil, session.mostEarlyOctets > 0, !unsent.isEmpty else { return nil }
        let query = unsent.removeFirst()
        framing.add(query)
        var records: [OutgoingRecord] = []
        while let record = try framing.outgoing() { records.append(record) }
        // What is more than the ticket allows is sent like what the other end did not take.
        _ = session.offerEarly(records.flatMap(\.bytes))
        return Early(query: query, records: records)
    }

    /// The handshake, which began at `established`, is over.
    private func begin(_ session: TLSSession, _ early: Early?, _ established: Int64) {
        phase = .open
        let use: Exchange.Connection =
            session.isEarlyAccepted ? .early : session.isResumed ? .resumed : .new
        if let early {
            describe(early.query, use)
            if use != .early {
                held = early.records
            } else if let sent = early.query.exchange.sentMonotonic {
                // What came after the query left is part of its own time.
                early.query.exchange.handshake = .nanoseconds(max(0, sent - established))
            }
        }
        let first = early == nil ? unsent.first : nil
        for query in unsent { add(query, query === first ? use : .reused) }
        unsent = []
    }

    /// The connection once it stands; `nil` where it is no longer wanted.
    private func connected() async throws(ConnectionEnd) -> TLSChannel? {
        do throws(SystemError) {
            let socket = try await Socket.open(.stream, family: service.address.family)
            guard phase == .opening else { return nil }
            try socket.startConnecting(to: service.address)
            wait = try EventLoop.shared.open(socket, within: nil, writable: true)
            guard await news() else { return nil }
            try socket.checkConnected()
            networkRoundTrip = socket.networkRoundTrip
            return TLSChannel(socket)
        } catch {
            throw ConnectionEnd(error)
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
        describe(query, use)
        framing.add(query)
    }

    private func describe(_ query: StreamQuery, _ use: Exchange.Connection) {
        query.exchange.connection = use
        if use != .reused {
            query.exchange.connect = connect
            query.exchange.handshake = handshake
        }
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
        while let record = held.isEmpty ? try framing.outgoing() : held.removeFirst() {
            try session.send(record.bytes)
            noteSent([record], session)
        }
        try session.channel.flush()
    }

    /// The octets collected last are the last ones of `records`.
    private func noteSent(_ records: [OutgoingRecord], _ session: TLSSession) {
        unstamped.removeAll { !$0.awaitsStamp }
        for query in records.flatMap(\.queries) {
            query.lastOctet = session.channel.lastOctet
            query.exchange.stamps = Stamps(sentAt: cs_read_clocks())
            unstamped.append(query)
        }
    }

    private func receive(_ session: TLSSession) throws(ConnectionEnd) {
        takeStamps(session)
        while true {
            guard let count = try unsafe session.receive(into: ReceiveBuffer.bytes) else { break }
            guard count > 0 else { throw ConnectionEnd(.unreachable("connection closed")) }
            // The answer may have come between its query's stamp and the reading of that.
            if !unstamped.isEmpty { takeStamps(session) }
            try unsafe framing.take(ReceiveBuffer.received(count), session.channel.arrival)
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

    func close() {
        if phase == .open, let session {
            framing.finish()
            try? send(session)
            session.finish()
            try? session.channel.flush()
        }
        end(ConnectionEnd(.unreachable("connection closed")))
    }

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
