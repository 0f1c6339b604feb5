#if QUIC
import CSockets

/// One QUIC connection (RFC 9000) that carries queries and their answers, each pair on a stream of
/// its own.
///
/// It is opened for its first query. When it ends, each query on it ends with the reason.
@EventLoopActor
final class QUICConnection: QueryConnection {
    /// `early` until the server has said whether it takes what comes before the handshake's end.
    private enum Phase { case opening, early, open, ended }

    private let service: EncryptedService
    private let application: any QUICApplication
    /// Used for the first attempt alone: it belongs to the version that it came with (RFC 9369 §5).
    private var earlier: SessionTicket?
    private var phase = Phase.opening
    private var socket: QUICSocket?
    private var packets: QUICPackets?
    /// Since the first datagram could be sent.
    private var opening = Stopwatch()
    private var wait: WaitToken?
    /// When the wait ends next for the sake of QUIC's own timers.
    private var alarm: Int64?
    /// Waiting for the handshake, or for the server to grant more streams.
    private var unsent: [StreamQuery] = []
    /// The query that went before the handshake is over.
    private var early: StreamQuery?
    /// Sent, and without a send stamp yet.
    private var unstamped: [StreamQuery] = []
    private var isRetired = false
    private var isSecondAttempt = false
    private var lastTicket: SessionTicket?

    /// Begins to connect to `service`; a `ticket` of an earlier connection is gone on with.
    init(
        to service: EncryptedService,
        carrying application: any QUICApplication,
        ticket: SessionTicket?
    ) {
        self.service = service
        self.application = application
        earlier = ticket
        Task { @EventLoopActor in await run() }
    }

    var takesMore: Bool { phase != .ended && !isRetired && application.takesMore }

    var ticket: SessionTicket? { packets?.ticket ?? lastTicket }

    var budget: ReadBudget? { socket?.budget }

    /// Streams tell queries apart.
    func isTaken(_ id: UInt16) -> Bool { false }

    func refresh() {
        guard phase == .open else { return }
        do throws(ConnectionEnd) {
            try receive()
        } catch {
            end(error)
        }
    }

    func submit(_ query: StreamQuery) {
        query.exchange.stamps = Stamps(sentAt: cs_read_clocks())
        query.exchange.isUnverified = service.credentials.trust == .anybody
        if phase == .open { query.exchange.connection = .reused }
        guard phase != .ended else { return query.end(.unreachable("connection closed")) }
        unsent.append(query)
        if phase != .opening { sendNow() }
    }

    func leave(_ query: StreamQuery) {
        unsent.removeAll { $0 === query }
        if let stream = application.waiting.first(where: { $0.value === query })?.key {
            application.leave(stream)
            packets?.abandon(stream, code: application.cancelCode)
        }
        // What could not be opened in time is tried anew by the next query.
        if isIdle, phase != .open || isRetired {
            close()
        } else if phase != .opening {
            sendNow()
        }
    }

    func retire() {
        isRetired = true
        if isIdle { close() }
    }

    func close() {
        end(ConnectionEnd(.unreachable("connection closed"), .application(application.closeCode)))
    }

    private var isIdle: Bool { unsent.isEmpty && application.waiting.isEmpty }

    // MARK: Opening

    private func run() async {
        do throws(ConnectionEnd) {
            try await carry()
        } catch {
            end(error)
        }
        if let wait { EventLoop.shared.close(wait) }
        wait = nil
        packets = nil
        socket = nil
        DescriptorQueue.released()
    }

    /// From the first datagram to the last.
    private func carry() async throws(ConnectionEnd) {
        guard try await openSocket() else { return }
        try begin()
        while true {
            // What has become due while certificates were verified waits for what came meanwhile: no
            // reason to send anything again.
            let woken = cs_monotonic()
            do throws(ConnectionEnd) {
                try receive()
                if let packets, let expiry = packets.expiry, expiry <= woken {
                    try packets.expire(at: cs_monotonic())
                }
                try send()
            } catch {
                try beginAgain(after: error)
                continue
            }
            guard let wait, phase != .ended, await EventLoop.shared.next(wait) == .ready else {
                return
            }
        }
    }

    /// `false` where the connection is no longer wanted.
    private func openSocket() async throws(ConnectionEnd) -> Bool {
        do throws(SystemError) {
            let socket = try await Socket.open(.datagram, family: service.address.family)
            guard phase == .opening else { return false }
            wait = try EventLoop.shared.open(socket, within: nil)
            self.socket = try QUICSocket(socket, to: service.address)
            return true
        } catch {
            throw ConnectionEnd(error)
        }
    }

    private func begin(version: UInt32 = 0) throws(ConnectionEnd) {
        guard let socket else { return }
        opening = Stopwatch()
        let check = service.check(speaking: application.protocolName)
        let beginning = QUICPackets.Beginning(
            session: try QUICSession(check, earlier: earlier),
            descriptor: socket.descriptor,
            version: version,
            token: earlier?.token ?? []
        )
        packets = try QUICPackets(beginning, at: opening.began)
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
        unsent = application.waiting.sorted { $0.key < $1.key }.map(\.value) + unsent
    }

    private func complete(_ packets: QUICPackets) throws(ConnectionEnd) {
        try packets.session.confirm()
        let isEarly = phase == .early
        phase = .open
        let use: Exchange.Connection =
            isEarly ? .early : packets.session.isResumed ? .resumed : .new
        let first = isEarly ? early : unsent.first
        for query in unsent + application.waiting.values { query.exchange.connection = .reused }
        first?.exchange.connection = use
        // What goes before its end does not wait for the handshake.
        first?.exchange.handshake = isEarly ? .zero : opening.elapsed
        if !isEarly { try beginApplication() }
    }

    // MARK: Receiving

    private func receive() throws(ConnectionEnd) {
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
                try application.take(octets, arrival)
                for demand in application.takeDemands() {
                    switch demand {
                    case .again(let query): unsent.insert(query, at: 0)
                    case .abandon(let stream):
                        packets.abandon(stream, code: application.cancelCode)
                    }
                }
            case .reset(let stream, let code): application.end(stream, code: code)
            case .closed(let stream): application.end(stream, code: nil)
            }
        }
    }

    // MARK: Sending

    /// Sends what there is; where that fails, the connection ends.
    private func sendNow() {
        do throws(ConnectionEnd) {
            try send()
        } catch {
            end(error)
        }
    }

    private func send() throws(ConnectionEnd) {
        guard let socket, let packets else { return }
        if phase != .opening {
            while let query = unsent.first, let stream = packets.openStream() {
                unsent.removeFirst()
                try application.add(query, on: stream)
            }
            while let octets = try application.outgoing() { try packets.send(octets) }
        }
        while let datagram = try unsafe packets.write(into: Self.buffer, at: cs_monotonic()) {
            let asked = packets.takeEvents().compactMap { event in
                if case .sent(let stream) = event { application.waiting[stream] } else { nil }
            }
            for query in asked {
                query.lastOctet = socket.sent
                query.exchange.stamps = Stamps(sentAt: cs_read_clocks())
            }
            unstamped.removeAll { !$0.awaitsStamp }
            unstamped += asked
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
            for query in unstamped where query.lastOctet == next.datagram {
                query.exchange.stamps?.kernelSent = next.stamp
            }
        }
    }

    // MARK: Ending

    private func end(_ end: ConnectionEnd) {
        guard phase != .ended else { return }
        tell(end.cause)
        lastTicket = packets?.ticket
        phase = .ended
        for query in unsent where !query.isDone { query.end(end.result) }
        for (stream, query) in application.waiting where !query.isDone {
            let progress = application.progress(of: stream)
            query.end(progress.map { .malformed("connection closed \($0)") } ?? end.result)
        }
        unsent = []
        if let wait { _ = EventLoop.shared.end(wait) }
    }

    /// Tells the other end what it does not know.
    private func tell(_ cause: ConnectionEnd.Cause) {
        guard let socket, let packets,
            let datagram = unsafe packets.close(into: Self.buffer, cause, at: cs_monotonic())
        else { return }
        try? unsafe socket.send(datagram)
    }
}
#endif
