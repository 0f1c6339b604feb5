#if QUIC
import CSockets
import Catalogue
import DNSWire

/// A QUIC connection (RFC 9000) that carries queries and their answers, each pair on its own stream.
final class QUICConnection: QueryConnection {
    private let service: EncryptedService
    private let application: any QUICApplication
    /// The ticket for the first attempt only. It is valid for the version of its session (RFC 9369 §5).
    private var earlier: SessionTicket?
    private var socket: QUICSocket?
    private var packets: QUICPackets?
    /// The time since the first datagram could be sent, in any version.
    private var opening = Stopwatch()
    /// The next end of the wait for QUIC's own timers.
    private var alarm: Int64?
    /// The query that was sent before the handshake was complete.
    private var early: StreamQuery?
    private var isSecondAttempt = false
    /// The streams of queries that the server has not ended.
    private var openStreams = 0
    /// More streams than this, in addition to waiting queries, require a new connection.
    private static let mostLeftOpen = 1_000
    private var lastTicket: SessionTicket?
    private var lastStatedIdle: Duration?

    /// Starts to connect to `service`. A `ticket` of an earlier connection is used to resume it.
    init(
        to service: EncryptedService,
        carrying application: any QUICApplication,
        ticket: SessionTicket?
    ) {
        self.service = service
        self.application = application
        earlier = ticket
        super.init(
            to: service.address,
            isUnverified: service.credentials.trust == .anybody,
            carrying: application
        )
    }

    override var ticket: SessionTicket? { packets?.ticket ?? lastTicket }
    override var budget: ReadBudget? { socket?.budget }
    override var obstacle: ConnectionEnd? { socket?.obstacle.map { ConnectionEnd($0) } }
    override var packetsSoFar: PacketReading? {
        socket.map { PacketReading(count: $0.datagrams) }
    }
    override var statedIdle: Duration? { packets?.statedIdle ?? lastStatedIdle }
    override var isReached: Bool { socket?.hasReceived == true }

    override func giveUp(_ query: StreamQuery) {
        guard let stream = application.stream(of: query) else { return }
        application.leave(stream)
        packets?.abandon(stream, code: application.cancelCode)
    }

    override func close() {
        end(ConnectionEnd(ConnectionEnd.closed.result, .application(application.closeCode)))
    }

    override func willEnd(_ cause: ConnectionEnd.Cause) {
        lastTicket = packets?.ticket
        lastStatedIdle = packets?.statedIdle
        guard let socket, let packets,
            let datagram = unsafe packets.close(into: Self.buffer, cause, at: cs_monotonic())
        else { return }
        try? unsafe socket.send(datagram)
    }

    override func dismantle() {
        packets = nil
        socket = nil
    }

    // MARK: Opening

    /// Runs the connection from its first to its last datagram.
    override func carry() async throws(ConnectionEnd) {
        guard try await openSocket() else { return }
        try begin()
        while true {
            // Timers that expired during the verification of certificates wait until the received data is
            // read. They are no reason to retransmit.
            let woken = cs_monotonic()
            do throws(ConnectionEnd) {
                try receive()
                if let expiry = packets?.expiry, expiry <= woken { try expire() }
                try send()
            } catch {
                try beginAgain(after: error)
                continue
            }
            guard await news() else { return }
        }
    }

    /// Processes expired timers. If the connection was idle for too long, an ICMP error is the reason.
    private func expire() throws(ConnectionEnd) {
        do throws(ConnectionEnd) {
            try packets?.expire(at: cs_monotonic())
        } catch {
            throw obstacle ?? error
        }
    }

    /// Returns `false` if the connection is no longer wanted.
    private func openSocket() async throws(ConnectionEnd) -> Bool {
        do throws(SystemError) {
            let socket = try await Socket.open(.datagram, family: service.address.family)
            guard phase == .opening else { return false }
            getUnderWay()
            wait = try EventLoop.shared.open(socket, within: nil)
            self.socket = try QUICSocket(socket, to: service.address)
            opening = Stopwatch()
            return true
        } catch {
            throw ConnectionEnd(error)
        }
    }

    private func begin(version: UInt32 = 0) throws(ConnectionEnd) {
        guard let socket else { return }
        let check = service.check(speaking: application.protocolNames)
        packets = try QUICPackets(
            of: ClientSession(overQUIC: check, earlier: earlier),
            through: socket.descriptor,
            version: version,
            earlier: earlier,
            offeredIdle: service.offeredIdle,
            at: cs_monotonic()
        )
        guard packets?.hasEarlyData == true else { return }
        phase = .early
        early = unsent.first
        try beginApplication()
    }

    /// Restarts with another version if `end` is about versions (RFC 9368 §2.1). It does so once, because two
    /// incompatible ends would repeat it for ever.
    private func beginAgain(after end: ConnectionEnd) throws(ConnectionEnd) {
        guard case .versions = end.cause, !isSecondAttempt, let version = packets?.commonVersion
        else { throw end }
        isSecondAttempt = true
        earlier = nil
        takeBack()
        try begin(version: version)
    }

    private func beginApplication() throws(ConnectionEnd) {
        let streams = (0..<application.controlStreams).compactMap { _ in
            packets?.openStream(bothDirections: false)
        }
        try application.begin(on: streams)
    }

    /// The sent queries must be sent again.
    private func takeBack() {
        phase = .opening
        early = nil
        openStreams = 0
        unsent = application.queries.sorted { $0.key < $1.key }.map(\.value) + unsent
    }

    private func complete(_ packets: QUICPackets) throws(ConnectionEnd) {
        try packets.session.confirm()
        let isEarly = phase == .early
        phase = .open
        let use: ConnectionUse =
            isEarly ? .early : packets.session.isResumed ? .resumed : .new
        let first = isEarly ? early : unsent.first
        for query in unsent + application.waiting { query.exchange.connection = .reused }
        first?.exchange.connection = use
        // Early data does not wait for the handshake.
        first?.exchange.handshake = isEarly ? .zero : opening.whole
        if !isEarly { try beginApplication() }
    }

    // MARK: Receiving

    override func receive() throws(ConnectionEnd) {
        guard let socket, let packets else { return }
        try takeStamps(socket)
        while let received = try socket.receive() {
            let arrival = received.arrival
            // The answer may have arrived between the query's stamp and the reading of the stamp.
            if !unstamped.isEmpty { try takeStamps(socket) }
            let datagram = unsafe ReceiveBuffer.received(received.count)
            do throws(ConnectionEnd) {
                try unsafe packets.receive(datagram, at: arrival.clocks.monotonic)
            } catch {
                // An answer may precede the end.
                try handle(packets, arrival)
                throw error
            }
            try handle(packets, arrival)
        }
        if let refusal = socket.refusal, !socket.budget.leavesUnread(before: .max) { throw refusal }
    }

    private func handle(_ packets: QUICPackets, _ arrival: Arrival) throws(ConnectionEnd) {
        for event in packets.takeEvents() {
            switch event {
            case .completed: try complete(packets)
            case .rejected:
                for query in application.queries.values { query.exchange.isEarlyRefused = true }
                takeBack()
            case .sent: break
            case .received(let bytes):
                for demand in try application.take(bytes, arrival) {
                    switch demand {
                    case .again(let query): unsent.insert(query, at: 0)
                    case .abandon(let stream):
                        packets.abandon(stream, code: application.cancelCode)
                    }
                }
            case .reset(let stream, let code): application.end(stream, code: code)
            case .closed(let stream):
                // A bidirectional stream that the client opened (RFC 9000 §2.1).
                if stream & 3 == 0 { openStreams -= 1 }
                application.end(stream, code: nil)
            }
        }
    }

    // MARK: Sending

    override func send() throws(ConnectionEnd) {
        guard let socket, let packets else { return }
        if phase != .opening {
            while let query = unsent.first, let stream = packets.openStream() {
                unsent.removeFirst()
                openStreams += 1
                try application.add(query, on: stream)
            }
            while let bytes = try application.outgoing() { try packets.send(bytes) }
            if openStreams > Self.mostLeftOpen,
                openStreams - application.queries.count > Self.mostLeftOpen
            {
                retire()
            }
        }
        while let datagram = try unsafe packets.write(into: Self.buffer, at: cs_monotonic()) {
            let asked = packets.takeEvents().compactMap { event in
                if case .sent(let stream) = event { application.queries[stream] } else { nil }
            }
            noteSent(asked, lastByte: socket.sent)
            try unsafe socket.send(datagram)
            if !unstamped.isEmpty { try takeStamps(socket) }
        }
        // A datagram that is unread may disprove the errors. No new event announces it.
        if socket.refusal != nil, let wait { EventLoop.shared.goOnNextTurn(wait) }
        setAlarm(packets)
    }

    /// The buffer is larger than any sent datagram.
    private static let buffer = UnsafeMutableRawBufferPointer.allocate(
        byteCount: 2_048,
        alignment: 16
    )

    /// Wakes the loop when ngtcp2's next timer expires, unless the loop wakes earlier.
    private func setAlarm(_ packets: QUICPackets) {
        guard let wait, let expiry = packets.expiry else { return }
        if let alarm, alarm > cs_monotonic(), alarm <= expiry { return }
        EventLoop.shared.wake(wait, at: expiry)
        alarm = expiry
    }

    private func takeStamps(_ socket: QUICSocket) throws(ConnectionEnd) {
        while let next = try socket.takeStamp() {
            for query in unstamped where query.lastByte == next.datagram && query.awaitsStamp {
                query.exchange.stamps?.kernelSent = next.stamp
            }
        }
    }
}
#endif
