import CSockets
import DNSWire

/// A TLS connection that carries queries and their answers in a framing.
final class TLSConnection: StreamConnection {
    /// A query that is sent as early data of the handshake (RFC 8446 §2.3).
    private struct Early {
        var query: StreamQuery
        var records: [OutgoingRecord]
        /// Whether the records were sent before the handshake was complete.
        var isOffered: Bool
    }

    private let service: EncryptedService
    private let earlier: SessionTicket?
    private var session: TLSSession?
    /// Records that are sent before the framing's records.
    private var held: [OutgoingRecord] = []

    /// Starts to connect to `service`. A `ticket` of an earlier session is used to resume it.
    init(to service: EncryptedService, carrying framing: any Framing, ticket: SessionTicket?) {
        self.service = service
        earlier = ticket
        super.init(
            to: service.address,
            isUnverified: service.credentials.trust == .anybody,
            carrying: framing
        )
    }

    override var ticket: SessionTicket? { session?.owner.ticket }
    override var mostInSegment: Int? { service.mostInSegment }

    override func close() {
        if phase == .open, let session {
            framing.finish()
            try? send()
            session.finish()
            try? session.channel.flush()
        }
        super.close()
    }

    override func dismantle() {
        session = nil
        super.dismantle()
    }

    // MARK: Opening

    /// Runs the connection from its first to its last segment.
    override func carry() async throws(ConnectionEnd) {
        guard let channel = try await connected() else { return }
        let check = service.check(speaking: framing.protocolNames)
        let session = try TLSSession(over: channel, check, ticket: earlier)
        self.session = session
        let established = Stopwatch()
        let early = try offerEarly(session)
        var isGreeting = true
        while try !session.handshake() {
            if isGreeting, let early {
                noteSent(early.records.flatMap(\.queries), lastByte: session.channel.lastByte)
            }
            isGreeting = false
            try session.channel.flush()
            guard await news() else { return }
        }
        try session.channel.flush()
        handshake = established.whole
        guard let chosen = framing.choose(session.owner.protocolName) else {
            let other = session.owner.protocolName.map { "'\($0)'" } ?? "no protocol"
            let own = framing.protocolNames.map { "'\($0)'" }.joined(separator: " or ")
            throw ConnectionEnd(
                handshake: "the server chose \(other), not \(own)",
                isOfProtocol: true
            )
        }
        framing = chosen
        let use: ConnectionUse =
            session.isEarlyAccepted ? .early : session.owner.isResumed ? .resumed : .new
        if let early, use != .early {
            held = early.records
            early.query.exchange.isEarlyRefused = early.isOffered
        } else if let sent = early?.query.exchange.sentMonotonic {
            // The part of the handshake after the query was sent belongs to the query's own time.
            handshake = .nanoseconds(max(0, sent - established.began))
        }
        try await carryQueries(use, early: early?.query)
    }

    /// Sends the first query before the handshake is complete, if the ticket allows it.
    private func offerEarly(_ session: TLSSession) throws(ConnectionEnd) -> Early? {
        guard let earlier, framing.allowsEarly(after: earlier.protocolName),
            earlier.earlyDataSize > 0, !unsent.isEmpty
        else { return nil }
        let query = unsent.removeFirst()
        framing.add(query)
        var records: [OutgoingRecord] = []
        while let record = try framing.outgoing() { records.append(record) }
        // Data beyond the ticket's limit is sent after the handshake, like rejected early data.
        let isOffered = session.offerEarly(records.flatMap(\.bytes))
        return Early(query: query, records: records, isOffered: isOffered)
    }

    // MARK: Reading and writing

    override func outgoing() throws(ConnectionEnd) -> OutgoingRecord? {
        held.isEmpty ? try super.outgoing() : held.removeFirst()
    }

    override func write(_ bytes: [UInt8]) throws(ConnectionEnd) { try session?.send(bytes) }

    override func read(into buffer: UnsafeMutableRawBufferPointer) throws(ConnectionEnd) -> Int? {
        try unsafe session?.receive(into: buffer)
    }
}
