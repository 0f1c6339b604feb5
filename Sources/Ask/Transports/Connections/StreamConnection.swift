import CSockets
import Catalogue
import DNSWire

/// A connection over TCP, with or without encryption, that carries queries and their answers in a framing.
class StreamConnection: QueryConnection {
    final var framing: any Framing { didSet { content = framing } }
    final private(set) var channel: StreamChannel?
    /// The time to connect.
    private var connect: Duration?
    /// The time of the handshake after the connect; `nil` without a handshake.
    final var handshake: Duration?

    /// Starts to connect to `address`.
    init(to address: SocketAddress, isUnverified: Bool = false, carrying framing: any Framing) {
        self.framing = framing
        super.init(to: address, isUnverified: isUnverified, carrying: framing)
    }

    // MARK: Overridden by each kind of stream

    /// The most bytes in a TCP segment; `nil` for the system's choice.
    var mostInSegment: Int? { nil }
    /// Converts `bytes` to data of the channel.
    func write(_ bytes: [UInt8]) throws(ConnectionEnd) {}
    /// Reads the next content: `nil` if none has arrived, 0 at the orderly end.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(ConnectionEnd) -> Int? { nil }
    /// The next record to send; `nil` without any.
    func outgoing() throws(ConnectionEnd) -> OutgoingRecord? { try framing.outgoing() }

    // MARK: Connection

    final override var budget: ReadBudget? { channel?.budget }
    final override var isReached: Bool { channel != nil }
    final override var packetsSoFar: PacketReading? { channel?.segments }

    final override var signal: ClosingSignal? {
        if channel?.failure?.isRefusal == true { return .reset }
        return channel?.isAtEnd == true ? .fin : nil
    }

    final override func isTaken(_ id: UInt16) -> Bool {
        framing.isTaken(id) || unsent.contains { $0.attempt.id == id }
    }

    final override func giveUp(_ query: StreamQuery) { framing.leave(query) }

    override func dismantle() { channel = nil }

    /// The established connection; `nil` if it is no longer wanted.
    final func connected() async throws(ConnectionEnd) -> StreamChannel? {
        do throws(SystemError) {
            let socket = try await Socket.open(.stream, family: address.family)
            guard phase == .opening else { return nil }
            getUnderWay()
            let connecting = Stopwatch()
            if let mostInSegment { cs_limit_segments(socket.descriptor, Int32(mostInSegment)) }
            try socket.startConnecting(to: address)
            wait = try EventLoop.shared.open(socket, within: nil, writable: true)
            guard await news() else { return nil }
            try socket.checkConnected()
            connect = connecting.elapsed ?? socket.networkRoundTrip
            let channel = StreamChannel(socket)
            self.channel = channel
            return channel
        } catch {
            throw ConnectionEnd(error)
        }
    }

    // MARK: Queries

    /// Carries the waiting queries, the first of which opened the connection for `use`, and all later ones.
    /// `early` is the first query, if it was sent before.
    final func carryQueries(
        _ use: ConnectionUse,
        early: StreamQuery? = nil
    ) async throws(ConnectionEnd) {
        phase = .open
        let first = early ?? unsent.first
        if let early { describe(early, use) }
        for query in unsent { describe(query, query === first ? use : .reused) }
        repeat {
            try send()
            try receive()
        } while await news()
    }

    private func describe(_ query: StreamQuery, _ use: ConnectionUse) {
        query.exchange.connection = use
        if use != .reused {
            query.exchange.connect = connect
            query.exchange.handshake = handshake
        }
    }

    final override func send() throws(ConnectionEnd) {
        guard let channel else { return }
        for query in unsent { framing.add(query) }
        unsent = []
        while let record = try outgoing() {
            try write(record.bytes)
            noteSent(record.queries, lastByte: channel.lastByte)
        }
        try channel.flush()
        if !unstamped.isEmpty { takeStamps() }
    }

    final override func receive() throws(ConnectionEnd) {
        guard let channel else { return }
        takeStamps()
        while let count = try unsafe read(into: ReceiveBuffer.bytes) {
            guard count > 0 else {
                framing.takeEnd(channel.arrival)
                throw .endOfData
            }
            // The answer may have arrived between the query's stamp and the reading of the stamp.
            if !unstamped.isEmpty { takeStamps() }
            try unsafe framing.take(ReceiveBuffer.received(count), channel.arrival)
        }
        try send()
    }

    /// Takes the send stamps of queries that lack them.
    private func takeStamps() {
        while let entry = channel?.takeQueued(), entry.kind != CS_QUEUED_NOTHING {
            guard entry.kind == CS_QUEUED_SEND_STAMP else { continue }
            for query in unstamped { query.stamp(entry.stamp, upTo: entry.identifier) }
        }
        unstamped.removeAll { !$0.awaitsStamp }
    }
}
