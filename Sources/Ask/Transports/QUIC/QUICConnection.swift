#if QUIC
import CSockets
import DNSWire

/// One QUIC connection (RFC 9000) that carries queries and their answers, each pair on a stream of
/// its own.
final class QUICConnection: QueryConnection {
    private let application: any QUICApplication
    /// Used for the first attempt alone: it belongs to the version that it came with (RFC 9369 §5).
    private var earlier: SessionTicket?
    private var socket: QUICSocket?
    private var packets: QUICPackets?
    /// Since the first datagram could be sent, in whatever version.
    private var opening = Stopwatch()
    /// When the wait ends next for the sake of QUIC's own timers.
    private var alarm: Int64?
    /// The query that went before the handshake is over.
    private var early: StreamQuery?
    private var isSecondAttempt = false
    /// The streams of queries that the other end has not ended.
    private var openStreams = 0
    /// More than this many beside those of waiting queries are a reason for another connection.
    private static let mostLeftOpen = 1_000
    private var lastTicket: SessionTicket?

    /// Begins to connect to `service`; a `ticket` of an earlier connection is gone on with.
    init(
        to service: EncryptedService,
        carrying application: any QUICApplication,
        ticket: SessionTicket?
    ) {
        self.application = application
        earlier = ticket
        super.init(to: service, carrying: application)
    }

    override var ticket: SessionTicket? { packets?.ticket ?? lastTicket }
    override var budget: ReadBudget? { socket?.budget }
    override var obstacle: Exchange.Result? { socket?.obstacle?.result }

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

    /// From the first datagram to the last.
    override func carry() async throws(ConnectionEnd) {
        guard try await openSocket() else { return }
        try begin()
        while true {
            // What has become due while certificates were verified waits for what came meanwhile: no
            // reason to send anything again.
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

    /// Does what is due. If the connection was idle for too long, an ICMP error is the reason.
    private func expire() throws(ConnectionEnd) {
        do throws(ConnectionEnd) {
            try packets?.expire(at: cs_monotonic())
        } catch {
            throw obstacle.map { ConnectionEnd($0) } ?? error
        }
    }

    /// `false` where the connection is no longer wanted.
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
            at: cs_monotonic()
        )
        guard packets?.hasEarlyData == true else { return }
        phase = .early
        early = unsent.first
        try beginApplication()
    }

    /// Begins with another version, where that is what `end` is about (RFC 9368 §2.1); once, or two
    /// ends that do not mean it would go on for ever.
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

    /// The queries that were sent are to be sent again.
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
        // What goes before its end does not wait for the handshake.
        first?.exchange.handshake = isEarly ? .zero : opening.whole
        if !isEarly { try beginApplication() }
    }

    // MARK: Receiving

    override func receive() throws(ConnectionEnd) {
        guard let socket, let packets else { return }
        try takeStamps(socket)
        while let received = try socket.receive() {
            let arrival = received.arrival
            // The answer may have come between its query's stamp and the reading of that.
            if !unstamped.isEmpty { try takeStamps(socket) }
            let datagram = unsafe ReceiveBuffer.received(received.count)
            do throws(ConnectionEnd) {
                try unsafe packets.receive(datagram, at: arrival.clocks.monotonic)
            } catch {
                // An answer may stand before the end.
                try handle(packets, arrival)
                throw error
            }
            try handle(packets, arrival)
        }
    }

    private func handle(_ packets: QUICPackets, _ arrival: Arrival) throws(ConnectionEnd) {
        for event in packets.takeEvents() {
            switch event {
            case .completed: try complete(packets)
            case .rejected: takeBack()
            case .sent: break
            case .received(let octets):
                for demand in try application.take(octets, arrival) {
                    switch demand {
                    case .again(let query): unsent.insert(query, at: 0)
                    case .abandon(let stream):
                        packets.abandon(stream, code: application.cancelCode)
                    }
                }
            case .reset(let stream, let code): application.end(stream, code: code)
            case .closed(let stream):
                // Opened at this end, in both directions (RFC 9000 §2.1).
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
            while let octets = try application.outgoing() { try packets.send(octets) }
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
            noteSent(asked, lastOctet: socket.sent)
            try unsafe socket.send(datagram)
            if !unstamped.isEmpty { try takeStamps(socket) }
        }
        setAlarm(packets)
    }

    /// Larger than any datagram that is sent.
    private static let buffer = UnsafeMutableRawBufferPointer.allocate(
        byteCount: 2_048,
        alignment: 16
    )

    /// Has the loop come back when ngtcp2 has something to do, unless it does so before.
    private func setAlarm(_ packets: QUICPackets) {
        guard let wait, let expiry = packets.expiry else { return }
        if let alarm, alarm > cs_monotonic(), alarm <= expiry { return }
        EventLoop.shared.wake(wait, at: expiry)
        alarm = expiry
    }

    private func takeStamps(_ socket: QUICSocket) throws(ConnectionEnd) {
        while let next = try socket.takeStamp() {
            for query in unstamped where query.lastOctet == next.datagram && query.awaitsStamp {
                query.exchange.stamps?.kernelSent = next.stamp
            }
        }
    }
}
#endif
